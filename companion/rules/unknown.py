"""The errors for names, texts and saved games that cannot be understood, the same in every game."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.rules.errors import BadInput
from companion.rules.given import quoted
from companion.rules.words import say

ODD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The exceptions that arise when data is read that no companion wrote."""


def unknown_spot(spot: object) -> BadInput:
    """Return the error that the board has no such spot."""
    return BadInput(say("there is no spot {spot} on this board", spot=quoted(spot)))


def unknown_seat(seat: object, game: str, seats: Sequence[str]) -> BadInput:
    """Return the error that the game has no such seat; it names those that it has."""
    return BadInput(
        say("{game} has no seat {seat}; it has {seats}", game=game, seat=quoted(seat), seats=seats)
    )


def unknown_token(token: object, game: str) -> BadInput:
    """Return the error that ``game`` has no such token."""
    return BadInput(say("{token} is no piece of {game}", token=quoted(token), game=game))


def check_names(
    game: str,
    names: tuple[Container[str], Container[str], Sequence[str]],
    position: Mapping[str, str],
    to_move: str | None = None,
) -> None:
    """Check that ``position`` and ``to_move`` name what ``game`` (a title) has: ``names`` are its
    spots, its tokens and its seats.

    Raises:
        BadInput: an unknown spot, token or seat.
    """
    spots, tokens, seats = names
    for spot, token in position.items():
        if spot not in spots:
            raise unknown_spot(spot)
        if token not in tokens:
            raise unknown_token(token, game)
    if to_move is not None and to_move not in seats:
        raise unknown_seat(to_move, game, seats)


def no_action(text: object, game: str) -> BadInput:
    """Return the error that ``text`` is no action of ``game``; it says where the notation is
    explained."""
    return BadInput(
        say(
            "{text} is no action of {game}; its page in the manual shows how they are written",
            text=quoted(text),
            game=game,
        )
    )


def damaged(game: str) -> BadInput:
    """Return the error that a saved state cannot be read."""
    return BadInput(say("this is no saved game of {game}, or it is damaged", game=game))


@contextmanager
def loading(game: str) -> Iterator[None]:
    """Read a saved state of ``game`` within this context.

    Raises:
        BadInput: it names what the game does not have, or cannot be made out.
    """
    try:
        yield
    except BadInput:
        raise
    except ODD as error:
        raise damaged(game) from error
