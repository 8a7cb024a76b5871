"""What every game answers: by a capability that it has, else as is usual.

A room that needs no capability, only what is true of the game anyway, asks here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.action import Action
from companion.rules.capabilities import (
    Armies,
    Arrangements,
    ButtonWords,
    CardTexts,
    Claims,
    Clocks,
    EntryForms,
    Exports,
    HiddenHands,
    Highlights,
    Names,
    OwnCards,
    OwnFields,
    Pictures,
    Props,
    Situation,
    Supply,
    Teams,
    Tolerance,
    TwoSides,
)
from companion.rules.clock import Limits
from companion.rules.discs import plain_disc
from companion.rules.entry import CardText, Entry
from companion.rules.errors import BadInput
from companion.rules.game import Game, chosen, seated
from companion.rules.geometry import Drawing
from companion.rules.hidden import Breach
from companion.rules.introduction import Introduction, introduction
from companion.rules.options import Seating, Setup, as_begun, excluded, seatings, version_of
from companion.rules.prop import Prop
from companion.rules.values import Field, Mark, S
from companion.rules.words import say

AnyGame = Game[Any]


def package_of(game: AnyGame) -> str:
    """Return the name of the package that ``game`` is written in, empty where it is none."""
    return type(game).__module__.rpartition(".")[0]


def introduction_of(game: AnyGame, language: str = "en") -> Introduction | None:
    """Return what somebody reads of ``game`` before its rules, None where nobody wrote it.

    Raises:
        BadInput: what its package brings is not what it should be.
    """
    return introduction(package_of(game), language)


# -- setting up ------------------------------------------------------------------------------


def rules_of(game: AnyGame) -> int:
    """Return the version of the rules by which games begin now, which journals and records keep."""
    return version_of(game.options)


def setup_then(
    game: AnyGame, seats: Sequence[str], options: Mapping[str, str], rules: int
) -> Setup:
    """Return who plays a game that was begun by version ``rules`` of the rules, and by which
    options: those that were not chosen have the values that they had then.

    Raises:
        BadInput: as :meth:`Game.setup`, or the rules are newer than ours.
    """
    if rules > rules_of(game):
        raise BadInput(
            say(
                "this was begun by version {newer} of the rules of {game}, and this companion "
                "knows version {known}: update it",
                newer=rules,
                game=game.title,
                known=rules_of(game),
            )
        )
    return game.setup(seats or None, as_begun(game.options, options, rules))


def setup_saved(game: AnyGame, data: Mapping[str, Any]) -> Setup:
    """Return who plays, and by which options, of the saved state ``data`` (``seats``, ``options``,
    and ``rules``, without which it is of version 1).

    Raises:
        BadInput: as :func:`setup_then`.
        KeyError, TypeError, ValueError: a field is missing or of another kind.
    """
    return setup_then(game, data["seats"], data["options"], max(1, int(data.get("rules", 1))))


def seatings_of(game: AnyGame, options: Mapping[str, str] | None = None) -> tuple[Seating, ...]:
    """Return every set of seats that can begin ``game`` by ``options``, each in an order of play
    that stands: the usual one first, the others from few players to many. None can by options that
    exclude each other.

    Raises:
        BadInput: an unknown option, or a value that does not fit.
    """
    values = chosen(game, options or {})
    if isinstance(game, OwnCards) and game.lacking(values):
        return ()
    return seatings(game.seats, lambda seats: seated(game, seats, values))


def excluded_by(
    game: AnyGame, options: Mapping[str, str] | None = None
) -> dict[str, dict[str, str]]:
    """Return the choices of each option that do not go with the others of ``options``, with the
    reason: nobody can sit down to play by them."""

    def why_not(values: Mapping[str, str]) -> str | None:
        if isinstance(game, OwnCards) and (lacking := game.lacking(values)):
            return lacking
        try:
            game.setup(None, values)
        except BadInput as problem:
            reason = problem.sentence
            return None if seatings_of(game, values) else reason
        return None

    values = {option.name: option.default for option in game.options} | dict(options or {})
    return excluded(game.options, values, why_not)


def limits_of(game: AnyGame, setup: Setup) -> Limits:
    """Return the time limits that the options set, which may be none."""
    return game.limits(setup) if isinstance(game, Clocks) else Limits()


def sides_of(game: AnyGame, setup: Setup) -> tuple[Seating, ...]:
    """Return the seats that win together; in most games each plays for itself."""
    return game.sides(setup) if isinstance(game, Teams) else tuple((s,) for s in setup.seats)


def arrangements(game: Game[S]) -> Arrangements[S]:
    """Return ``game`` as one whose positions may be set up.

    Raises:
        BadInput: they may not.
    """
    if isinstance(game, Arrangements):
        return game
    raise BadInput(
        say("positions of {game} cannot be set up; it is played from its start", game=game.title)
    )


# -- playing ---------------------------------------------------------------------------------


def claims_of(game: Game[S], state: S) -> Sequence[Action]:
    """Return what may be announced now beside the actions of play."""
    return game.claims(state) if isinstance(game, Claims) else ()


def binds_of(game: Game[S], state: S, claim: Action) -> Seating:
    """Return the seats whose will a ``claim`` is; empty for a fact that anybody may tell."""
    return game.binds(state, claim) if isinstance(game, Claims) else ()


# -- tokens ----------------------------------------------------------------------------------


def owner_of(game: AnyGame, token: str) -> str | None:
    """Return the seat that ``token`` belongs to, None if it is nobody's."""
    return game.owner(token) if isinstance(game, Armies) else None


def name_of(game: AnyGame, token: str) -> str:
    """Return what people call ``token``; as it is written where the game has no other name."""
    return game.spoken(token) if isinstance(game, Names) else token


def other_side(game: AnyGame, token: str) -> str:
    """Return what ``token`` shows after a hand turned it over once; itself if it has one side."""
    return game.turned_over(token) if isinstance(game, TwoSides) else token


def tokens_of(game: AnyGame, setup: Setup) -> tuple[str, ...]:
    """Return every token that the game is played with, as often as there are: usually those that
    lie on the board at the start."""
    if isinstance(game, Supply):
        return game.tokens(setup)
    return tuple(sorted(game.expect(game.start(setup)).values()))


def picture_of(game: AnyGame, setup: Setup, token: str) -> Drawing:
    """Return the picture of ``token`` in millimetres about its middle, for a board of the default
    size: a plain disc where the game has no pictures of its own."""
    if isinstance(game, Pictures):
        return game.draw(setup, token)
    return plain_disc(token, owner_of(game, token) or "", game.board(setup).pitch)


# -- seeing and telling ----------------------------------------------------------------------


def accepted(game: Game[S], state: S, spot: str) -> tuple[str | None, ...]:
    """Return every token that may lie on ``spot`` with nothing amiss, the expected first."""
    if isinstance(game, Tolerance):
        return game.accepts(state, spot)
    return (game.expect(state).get(spot),)


def highlights_of(game: Game[S], state: S) -> Mapping[str, tuple[str, ...]]:
    """Return the spots worth marking by the name of their mark."""
    return game.highlights(state) if isinstance(game, Highlights) else {}


def mark_of(game: AnyGame, name: str) -> Mark:
    """Return what the mark called ``name`` means."""
    known = game.marks if isinstance(game, Highlights) else {}
    return known.get(name) or Mark(say("{word}", word=name))


def unknown_of(game: Game[S], state: S) -> Mapping[str, tuple[str, ...]]:
    """Return, for each spot where something lies hidden, every token that it may be."""
    return game.unknown(state) if isinstance(game, HiddenHands) else {}


def breaches_of(game: Game[S], state: S) -> tuple[Breach, ...]:
    """Return the actions that stood and are now known to have broken a rule."""
    return game.breaches(state) if isinstance(game, HiddenHands) else ()


def situation_of(game: Game[S], state: S) -> tuple[str, ...]:
    """Return what everybody should know beside the scorecards, one sentence each."""
    return game.situation(state) if isinstance(game, Situation) else ()


def props_of(game: Game[S], state: S) -> tuple[Prop, ...]:
    """Return what pages draw beside the tokens on spots."""
    return game.props(state) if isinstance(game, Props) else ()


def card_texts_of(game: Game[S], state: S) -> tuple[CardText, ...]:
    """Return the cards that may be read now, first those that the present decision is about."""
    return game.card_texts(state) if isinstance(game, CardTexts) else ()


def own_fields_of(game: Game[S], state: S, seat: str) -> tuple[Field, ...]:
    """Return what only who holds ``seat`` sees on its scorecard."""
    return game.own_fields(state, seat) if isinstance(game, OwnFields) else ()


def entries_of(game: Game[S], state: S) -> tuple[Entry, ...]:
    """Return how a phone puts together spoken actions that are too many for a button each."""
    return game.entries(state) if isinstance(game, EntryForms) else ()


def said_by(game: AnyGame, action: Action) -> str:
    """Return the words of the game's own for a spoken ``action``, empty for those of its verb."""
    return game.said(action) if isinstance(game, ButtonWords) else ""


def notations_of(game: AnyGame) -> tuple[str, ...]:
    """Return the file endings of the notations in which games are written for other programs."""
    return game.notations if isinstance(game, Exports) else ()
