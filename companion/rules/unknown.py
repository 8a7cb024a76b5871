"""The errors for names, texts and saved games that cannot be understood, the same in every game."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.rules.action import Action
from companion.rules.errors import BadInput
from companion.rules.given import quoted
from companion.rules.words import Text, say

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


def misspoken(
    action: Action, words: Mapping[str, Text], names: Mapping[str, Sequence[str]], game: str
) -> Text:
    """Return why nobody says ``action`` in ``game`` (a title), at any time: ``words`` are what its
    spoken actions are called, ``names`` what has to be named with some of them."""
    word = quoted(action.verb)
    if action.verb not in words:
        known = [say("{word} ({meaning})", word=quoted(verb), meaning=meaning)
                 for verb, meaning in words.items()]  # fmt: skip
        return say("{word} is not said in {game}; its words are {words}.", word=word, game=game,
                   words=known)  # fmt: skip
    if action.verb not in names:
        return say("{word} is said alone; nothing follows it.", word=word)
    known_names = names[action.verb]
    return say(
        "{word} is said with one of {names}, written as {example}.",
        word=word,
        names=[quoted(name) for name in known_names],
        example=quoted(Action(action.verb, detail=known_names[0])),
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
