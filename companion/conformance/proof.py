"""Gold: the rules are proven by counts and whole games, and told to the players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.conformance.checks import GOLD, AnyGame, CheckedGame, Missing, check
from companion.referee.lessons import lessons_of, problems
from companion.rules import (
    BadInput,
    Conservation,
    OneLineNotation,
    Setup,
    arrangements,
    package_of,
    perft,
    read_action,
    read_record,
    rule_book,
    setup_then,
)

AFFORDABLE = 30_000
"""Counts of more nodes are left to whoever has the time."""
NAMES = re.compile(r"\{(\w*)\}")


@check(GOLD)
def something_is_conserved(candidate: CheckedGame) -> None:
    """It says what is never lost, and at the start nothing is."""
    game = candidate.game
    start = game.start(game.setup())
    if not isinstance(game, Conservation):
        raise Missing("inherit Conservation: say in invariants() what is never lost")
    held = game.invariants(start)
    assert held, "it names no invariant"
    assert all(held.values()), f"at the start it does not hold: {held}"


# -- counts ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Count:
    """A line of a file of counts: the ``nodes`` at depth 1, 2, 3 … from the position ``where``."""

    setup: Setup
    where: str
    nodes: tuple[int, ...]


def counts(game: AnyGame, text: str) -> Iterator[Count]:
    """Yield the lines of a file of counts, ``POSITION: NODES NODES …``; POSITION is ``start``, the
    actions that lead there, or the game's own one-line notation. ``seats: A, B`` and
    ``option: NAME = VALUE`` hold for what follows; what is behind a # is a remark.

    Raises:
        BadInput: seats or options that the game has not.
    """
    seats: list[str] | None = None
    options: dict[str, str] = {}
    for line in text.splitlines():
        where, _, rest = line.partition("#")[0].rpartition(":")
        if where == "seats":
            seats, options = [seat.strip() for seat in rest.split(",")], {}
        elif where == "option":
            name, _, value = rest.partition("=")
            options[name.strip()] = value.strip()
        elif where:
            nodes = tuple(int(number) for number in rest.split())
            yield Count(game.setup(seats, options), where, nodes)


def position(game: Any, setup: Setup, where: str) -> Any:
    """Return the state that ``where`` names."""
    state = game.start(setup)
    if where == "start":
        return state
    try:
        actions = [read_action(text) for text in where.split()]
    except BadInput:
        if not isinstance(game, OneLineNotation):
            raise
        return game.read_position(setup, where)
    for action in actions:
        state = game.apply(state, action)
    return state


@check(GOLD)
def its_counts_are_right(candidate: CheckedGame) -> None:
    """So many sequences of legal actions are there as its files of counts say."""
    files, game = candidate.evidence.counts, candidate.game
    if not files:
        raise Missing("lay counts.perft beside the code: `companion perft` counts")
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert "#" in text, f"{file.name} does not name its source in a remark"
        found = list(counts(game, text))
        assert found, f"{file.name} holds no counts"
        for count in found:
            state = position(game, count.setup, count.where)
            for depth, nodes in enumerate(count.nodes, start=1):
                if nodes <= AFFORDABLE:
                    counted = perft(game, state, depth)
                    assert counted == nodes, (
                        f"{file.name}, {count.where}, depth {depth}: {counted}, not {nodes}"
                    )


# -- games written down -------------------------------------------------------------------------


@check(GOLD)
def whole_games_go_as_they_are_written(candidate: CheckedGame) -> None:
    """Every game that is written down goes as its remarks say, to its result."""
    files, game = candidate.evidence.games, candidate.game
    if not files:
        raise Missing("lay whole games beside the code, as games/NAME.txt")
    for file in files:
        follow(game, file.name, file.read_text(encoding="utf-8"))


def follow(game: AnyGame, name: str, text: str) -> None:
    """Play the record ``text`` of a whole game through. Its remarks say what has to hold where
    they stand: ``# expect: to move red``, ``# expect: h4 is red white T``, ``# expect: h4 is
    empty``, ``# expect: refused h2-h9 VIC-3.2``, ``# expect: allowed h2-h4 VIC-4.1``; and of the
    whole game ``# result: RULE WINNER …``, ``# result: RULE draw`` or
    ``# result: RULE SEAT SCORE …``.

    Raises:
        AssertionError: it does not go so.
    """
    record = read_record(text)
    assert record.game == game.name, f"{name} is a game of {record.game}"
    setup = setup_then(game, record.seats, record.options, record.rules)
    state, results, left = game.start(setup), [], list(record.actions)
    if record.position:
        state = arrangements(game).arrange(setup, record.position, record.to_move)
    for number, line in enumerate(text.splitlines(), start=1):
        action, _, remark = line.partition("#")
        if left and action.strip() == left[0]:
            state = game.apply(state, game.parse(setup, left.pop(0)))
        key, _, claim = remark.strip().partition(":")
        if key == "expect":
            assert holds(game, setup, state, claim), f"{name}, line {number}: {line}"
        if key == "result":
            results.append(claim)
    assert not left, f"{name}: what follows {left[0]} is no line of its own"
    assert results, f"{name} says nothing of its result"
    for claim in results:
        assert result_holds(game, state, claim), f"{name}: {claim} is not {game.outcome(state)}"


def holds(game: AnyGame, setup: Setup, state: Any, claim: str) -> bool:
    """Tell whether what an ``expect:`` remark claims is so."""
    word, *rest = claim.split()
    if word in ("allowed", "refused"):
        ruling = game.judge(state, game.parse(setup, rest[0]))
        return (ruling.allowed, ruling.rule) == (word == "allowed", rest[1])
    if (word, rest[0]) == ("to", "move"):
        return game.to_move(state) == rest[1]
    assert rest[0] == "is", f"the remark cannot be read: {claim}"
    token = " ".join(rest[1:])
    return game.expect(state).get(word) == (None if token == "empty" else token)


def result_holds(game: AnyGame, state: Any, claim: str) -> bool:
    """Tell whether what a ``result:`` remark claims is so."""
    rule, *rest = claim.split()
    outcome = game.outcome(state)
    if outcome is None or outcome.rule != rule:
        return False
    if rest == ["draw"]:
        return outcome.winners == ()
    if any(word.lstrip("-").isdecimal() for word in rest):
        scores = {card.seat: str(card.score) for card in game.scorecards(state)}
        return scores == dict(zip(rest[::2], rest[1::2], strict=True))
    return set(outcome.winners) == set(rest)


# -- told to the players --------------------------------------------------------------------------


@check(GOLD)
def its_manual_names_rules_and_options(candidate: CheckedGame) -> None:
    """The page about the game names every rule and every option."""
    game, manual = candidate.game, candidate.evidence.manual
    if manual is None:
        raise Missing("lay manual.md beside the code: how it is played, every rule and option")
    text = manual.read_text(encoding="utf-8")
    untold = [rule for rule in game.rules if rule not in text]
    untold += [option.name for option in game.options if f"`{option.name}`" not in text]
    assert not untold, f"{manual.name} does not tell of {', '.join(untold)}"


@check(GOLD)
def its_lessons_can_be_learned(candidate: CheckedGame) -> None:
    """Where there are lessons, each can be set up, done as it says, and failed."""
    game = candidate.game
    for lesson in lessons_of(game):
        wrong = problems(game, lesson)
        assert not wrong, f"lesson {lesson.name}: {'; '.join(wrong)}"


@check(GOLD)
def its_translations_are_whole(candidate: CheckedGame) -> None:
    """Where there are rule texts or sentences in another language, none of them is missing."""
    game, package = candidate.game, candidate.evidence.package
    if package is None:
        return
    for file in package.iterdir():
        if found := re.fullmatch(r"rules\.(\w+)\.toml", file.name):
            language = found[1]
            translated = rule_book(package_of(game), language)
            assert list(translated) == list(game.rules), f"{file.name} holds other rules"
    catalogs = package / "languages"
    for file in catalogs.iterdir() if catalogs.is_dir() else ():
        if file.name.endswith(".po"):
            _check_catalog(file.name, file.read_text(encoding="utf-8"))


def _check_catalog(name: str, text: str) -> None:
    """Check that every sentence of a catalog is translated and fills in the same values."""
    from io import StringIO

    from babel.messages.pofile import read_po

    for message in read_po(StringIO(text)):
        if not message.id:
            continue
        told = f"{name}: {str(message.id)[:60]}"
        assert message.string, f"{told} is not translated"
        said = {*NAMES.findall(str(message.id))}
        assert {*NAMES.findall(str(message.string))} == said, f"{told} fills in other values"
