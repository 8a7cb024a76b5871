"""What is said of a name, a text or a saved game that nobody can make out, in every game alike."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.rules.errors import BadInput
from companion.rules.given import quoted
from companion.rules.words import say

ODD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What comes of reading what nobody wrote, whatever it is that is odd about it."""


def unknown_spot(spot: object) -> BadInput:
    """Return that the board has no such place."""
    return BadInput(say("there is no spot {spot} on this board", spot=quoted(spot)))


def unknown_seat(seat: object, game: str, seats: Sequence[str]) -> BadInput:
    """Return that nobody plays under this name, and who does."""
    return BadInput(
        say("{game} has no seat {seat}; it has {seats}", game=game, seat=quoted(seat), seats=seats)
    )


def unknown_token(token: object, game: str) -> BadInput:
    """Return that ``game`` is not played with such a token."""
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
    """Return that ``text`` does not say an action of ``game``, and where one learns to."""
    return BadInput(
        say(
            "{text} is no action of {game}; its page in the manual shows how they are written",
            text=quoted(text),
            game=game,
        )
    )


def damaged(game: str) -> BadInput:
    """Return that a saved state cannot be made out."""
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
