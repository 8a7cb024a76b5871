"""Where several rules refuse a move, the one stands that a human referee would name first
(docs/rulings.md): what is moved, how it moves, the path, the target, the turn, the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games import find_game
from companion.games.hoplomachus import GAME as MOUNTAIN
from companion.rules import Action, Ruling
from tests.checks import card_rounds
from tests.checks.mountain_play import a_card, chosen, dice, fights, play

ROYALS = {"h1": "red half K", "l1": "red half Q", "j14": "purple half K", "f14": "purple half Q"}
KINGS = {"e1": "white K", "e8": "black K", "h2": "white P"}


def ruled(name: str, pieces: dict[str, str], *actions: str, **options: str) -> Ruling:
    """Return the ruling on the last of ``actions`` after the others."""
    game: Any = find_game(name)
    usual = {"victorus": ROYALS, "chess": KINGS}.get(name, {})
    seats = ("red", "purple") if name == "victorus" else None
    setup = game.setup(seats, options)
    state = game.arrange(setup, {**usual, **pieces}, setup.seats[0])
    for text in actions[:-1]:
        state = game.apply(state, game.parse(setup, text))
    return game.judge(state, game.parse(setup, actions[-1]))


@pytest.mark.parametrize(
    ("pieces", "action", "rule"),
    [
        ({"h6": "white P", "d8": "white B"}, "h6-d8", "CH-3.7.1"),  # no pawn's move, on an own man
        ({"h6": "white P", "d8": "black B"}, "h6-d8", "CH-3.7.3"),
        ({}, "h3-h4-h5", "CH-3.10.1"),  # nothing stands there, and more than one move
        ({"h1": "white R"}, "h1-h4-g3", "CH-1.2"),  # more than one move, and no rook's
        ({"b1": "white N", "d1": "white Q"}, "b1-d1", "CH-3.6"),  # no knight's move, on an own man
        ({"a1": "white R", "a3": "black P", "a5": "white P"}, "a1-a5", "CH-3.5"),  # path, target
        ({"b8": "black N"}, "b8-b6", "CH-3.6"),  # no knight's move, not to move
        ({"b8": "black N", "d7": "black P"}, "b8-d7", "CH-3.1"),  # an own man, not to move
        ({"b8": "black N"}, "b8-c6", "CH-1.2"),
        ({"e2": "white N", "e7": "black R"}, "e2-e4", "CH-3.6"),  # no knight's move, pinned
        ({"e2": "white N", "e7": "black R"}, "e2-c3", "CH-3.9.2"),
        ({"a7": "black P"}, "a7-a5", "CH-1.2"),  # a pawn goes its own way ahead
        ({"a7": "black P"}, "a7-a8", "CH-3.7.1"),
        ({"e4": "white P", "d4": "black P"}, "e4-d5", "CH-3.7.3"),  # never could it take in passing
        ({"e5": "white P", "d5": "black P"}, "e5-d6", "CH-3.7.4"),
    ],
)
def test_in_chess(pieces: dict[str, str], action: str, rule: str) -> None:
    ruling = ruled("chess", pieces, action)
    assert (ruling.allowed, ruling.rule) == (False, rule), ruling


TEMPLAR = {"i4": "red white T", "i6": "purple white U"}


@pytest.mark.parametrize(
    ("pieces", "actions", "rule"),
    [
        ({"i4": "red white T", "j7": "red white E"}, ["i4-j7"], "VIC-4.1"),  # no line; not a cell
        ({"i2": "red white T", "i4": "red white E", "i6": "red white B"}, ["i2-i6"], "VIC-3.2"),
        ({"i10": "purple white T"}, ["i10-k13"], "VIC-4.1"),  # how it moves, and not its turn
        ({"i10": "purple white T"}, ["i10-i7"], "VIC-3.4"),  # the centre, and not its turn
        ({"i10": "purple white T"}, ["i10-i9"], "VIC-3.2"),  # the colour, and not its turn
        ({"i12": "purple white T"}, ["i12-i10"], "VIC-8.3"),
        (TEMPLAR, ["i4-i6", "i6-j9"], "VIC-4.1"),  # how it moves, and it rests
        (TEMPLAR, ["i4-i6", "i6-i8"], "VIC-3.4"),  # the centre, and it rests
        (TEMPLAR, ["i4-i6", "i6-i4"], "VIC-5.2"),
        ({}, ["h1-h3"], "VIC-4.5"),  # the colour, and the gate
        ({}, ["h1-h4"], "VIC-4.6"),
        ({"i10": "purple white T", "j10": "red white U"}, ["i10-j10"], "VIC-4.2"),  # no such step
        ({"i10": "purple black H", "k10": "red white U"}, ["i10-k10"], "VIC-4.3"),  # taken
        (TEMPLAR, ["i4-j9=E"], "VIC-4.1"),  # how it moves, and a piece beside it
        (TEMPLAR, ["i4-i8=E"], "VIC-3.2"),  # the path, and a piece beside it
        (TEMPLAR, ["i4-i6", "i6-i4=E"], "VIC-5.2"),  # it rests, and a piece beside it
        (TEMPLAR, ["i4-i6=E"], "VIC-6.2"),
        ({"i4": "red half K", "h1": "red white T", "i5": "red black T"}, ["i4-i7"], "VIC-3.2"),
    ],
)
def test_in_victorus(pieces: dict[str, str], actions: list[str], rule: str) -> None:
    ruling = ruled("victorus", pieces, *actions)
    assert (ruling.allowed, ruling.rule) == (False, rule), ruling


@pytest.mark.parametrize(
    ("pieces", "action", "rule"),
    [
        ({"e3": "black 2", "e7": "white 2"}, "e7-e4", "INV-4.2"),  # too far, and not its turn
        ({"e3": "black 2", "e7": "white 2", "e6": "white 3"}, "e7-e6", "INV-4.2"),  # an own die
        ({"e3": "black 2", "e7": "white 2"}, "e7-e6", "INV-4.1"),
        ({"e3": "black 2", "e7": "white 2"}, "e3-e2=5", "INV-4.2"),  # back, with another face
        ({"e3": "black 2", "e4": "white 1", "f4": "white 3"}, "e3-e4=5", "INV-5.1"),  # ahead
        ({"e3": "black 2", "e4": "white 1", "f4": "white 3"}, "e3-f4=3", "INV-5.2"),  # too weak
        ({"e3": "black 2", "e7": "white 2"}, "e7-e6=1", "INV-4.1"),  # its turn, another face
        ({"e3": "black 2", "e7": "white 2"}, "e3-e4=5", "INV-1.3"),
    ],
)
def test_in_invictus(pieces: dict[str, str], action: str, rule: str) -> None:
    ruling = ruled("invictus", pieces, action)
    assert (ruling.allowed, ruling.rule) == (False, rule), ruling


def test_in_heximeros() -> None:
    game: Any = find_game("heximeros")
    start = game.start(game.setup())
    blue = next(s for s, t in game.expect(start).items() if t == "blue R")
    assert game.judge(start, Action("move", blue, "q16")).rule == "HX-4.2"
    moves = [a for a in game.legal(start._replace(army=1)) if a.origin == blue]
    assert {game.judge(start, move).rule for move in moves} == {"HX-3.1"}
    moved = game.apply(start, game.legal(start)[0])
    again = game.legal(moved._replace(turn=start.turn))
    militant = next(a.origin for a in again if game.expect(moved)[a.origin] == "silver M")
    assert game.judge(moved, Action("move", militant, "q16")).rule == "HX-4.1"
    assert {game.judge(moved, move).rule for move in again} == {"HX-3.1"}
    # A space between and a piece beside the move come after how it moves and whose turn it is.
    between = Action("move", militant, "q16", "", ("q15",))
    assert game.judge(moved, between).rule == "HX-4.1"
    ahead = next(move for move in again if move.origin == militant)
    for beside, rule in ((replace(ahead, via=("q15",)), "HX-1.5"),
                         (replace(ahead, detail="R"), "HX-5.1")):  # fmt: skip
        assert game.judge(moved, beside).rule == "HX-3.1"
        assert game.judge(moved._replace(turn=start.turn), beside).rule == rule


LAID = "south.L=red3 west.C=blue3"
"""East is to play; red 3 and blue 3 lie."""


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ("west.C=red3", "VH-1.1"),  # shown already, in a taken position, not West's turn
        ("north.R=red3", "VH-1.1"),  # shown already, not North's turn
        ("west.C=back", "VH-2.3"),  # taken, not West's turn
        ("east.reserve=red3", "VH-1.1"),  # shown already, no time for reserves
        ("east.reserve=red4", "VH-10.1"),
        ("north.C=black2", "VH-2.3"),  # not North's turn, the position of the card before
        ("east.C=red4", "VH-5.2"),  # the position, before whether red may open there
        ("east.R=red4", "VH-6.3"),
    ],
)
def test_in_victory_and_honor(action: str, rule: str) -> None:
    assert card_rounds.ruling(card_rounds.laid(LAID), action) == f"refused {rule}"


PHASE = (
    "south.C=yellow7 north.L=blue6 east.R=blackG1 north.C=yellowG3 south.L=blue3 west.C=yellow2"
    " east.L=blueG2 south.R=blackG3 east.C=back west.L=blue2 north.R=black1 west.R=black6"
)


def test_in_victory_and_honor_a_phase_that_is_over_bars_no_position() -> None:
    played = card_rounds.laid(PHASE)
    assert card_rounds.ruling(played, "south.C=red2") == "refused VH-9.11"
    assert card_rounds.ruling(played, "south.C=blue6") == "refused VH-1.1"
    fought = card_rounds.laid("east.C=red2", played)
    assert card_rounds.ruling(fought, "south.C=red5") == "refused VH-9.15"
    assert card_rounds.ruling(fought, "south.C=red2") == "refused VH-1.1"


RESERVE = dice(yellow=1, green=1, red=1)


@pytest.mark.parametrize(
    ("before", "action", "rule"),
    [
        ([], "engage blue", "HV-6.1"),
        (["engage green"], "engage blue", "HV-6.1"),  # none in reserve, engaged already
        (["engage green"], "engage red", "HV-4.1"),
        ([], "roll red=blank", "HV-1.3"),  # no such face, and none is engaged
        ([], "roll red=hit", "HV-4.1"),
        ([], "assign green=hit>Wolf", "HV-6.3"),  # no enemy of this fight, nothing rolled
        ([], "assign green=blank>Bear", "HV-6.3"),  # a blank, nothing rolled
        ([], "assign green=hit>Bear", "HV-4.1"),
        (["engage green", "roll green=hit"], "assign green=crit>Bear", "HV-6.3"),
        (["engage green", "roll green=hit", "assign green=hit>Bear"],
         "assign green=hit>Bear", "HV-6.4"),
        ([], "recover red", "HV-7.4"),  # it is not exhausted, and it is not the time
        ([], "dismiss blue training", "HV-8.2"),  # never from there, and nothing is owed
        ([], "dismiss red reserve", "HV-4.1"),
        ([], "recruit red", "HV-8.1"),  # not the weakest, and no Sport card gives one
        ([], "strike Wolf", "HV-15.1"),
        ([], "reroll red=hit>blank", "HV-1.3"),
        ([], "move 4.1", "HV-5.2"),  # never there but in the Final, and the fight goes on
        ([], "move 1.2", "HV-4.1"),
        ([], "hero Wolf", "HV-3.3"),  # no hero, and heroes are chosen at the start
        ([], "tactic Wolf", "HV-8.4"),
        ([], "use Rally", "HV-6.6"),
    ],
)  # fmt: skip
def test_in_hoplomachus(before: list[str], action: str, rule: str) -> None:
    state = play(fights(chosen())("Bear", reserve=RESERVE), *before)
    ruling = MOUNTAIN.judge(state, MOUNTAIN.parse(state.setup, action))
    assert (ruling.allowed, ruling.rule) == (False, rule), ruling


def test_in_hoplomachus_a_camp_is_asked_about_before_the_time() -> None:
    boss = a_card("hero")
    primus = fights(chosen())("Bear")._replace(boss=boss, piles=((), *chosen().piles[1:]))
    bare = primus._replace(chip=1)
    rules = {
        text: MOUNTAIN.judge(state, MOUNTAIN.parse(state.setup, text)).rule
        for state, text in ((bare, "move 1.1"), (bare, "move 1.3"), (primus, "scout"))
    }
    assert rules == {"move 1.1": "HV-5.2", "move 1.3": "HV-9.2", "scout": "HV-9.2"}


@pytest.mark.parametrize(
    ("before", "action", "spots"),
    [
        ([], "engage blue", ("reserve",)),
        ([], "recover red", ("exhausted",)),
        ([], "dismiss blue training", ("training",)),
        ([], "strike Bear", ("enemy.1",)),
        (["engage green", "roll green=hit"], "assign green=crit>Bear", ("enemy.1",)),
        ([], "move 1.2", ("1.2",)),
    ],
)
def test_in_hoplomachus_a_ruling_points_to_what_it_is_about(
    before: list[str], action: str, spots: tuple[str, ...]
) -> None:
    state = play(fights(chosen())("Bear", reserve=RESERVE), *before)
    assert MOUNTAIN.judge(state, MOUNTAIN.parse(state.setup, action)).spots == spots
