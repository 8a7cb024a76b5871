"""Options, seats and the start array (HX-1.4, HX-2.1)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.heximeros.pieces import COLOURS
from companion.rules import BadInput, Option, option_words, say, worded

_CALLED = option_words(
    say("direction"), say("left"), say("right"), say("assassin side"), say("token"), say("said"),
    say("seen"), say("no move"), say("pass"), say("out"), say("check"), say("noted"),
    say("binding"), say("ground zero"), say("diagonal"), say("straight"),
    say("doubling"), say("two capitals"), say("active"), say("any"), say("six"), say("three"),
    say("fallen"), say("prey"),
    say("block"), say("scoring"), say("no"), say("yes"),
)  # fmt: skip


def _choice(
    rule: str, name: str, choices: str, about: str, *earlier: str, once: str = ""
) -> Option:
    values = tuple(choices.split("|"))
    return Option(
        name, values[0], values, rule, about, earlier=earlier, once=once,
        house_rule=name not in ("token", "scoring"),
    )  # fmt: skip


OPTIONS = worded(_CALLED, (
    _choice("HX-1.4", "direction", "left|right", say("on which side of Silver Blue sits")),
    _choice("HX-2.1", "assassin_side", "left|right", say("on which side of its Sovereign the "
            "Assassin starts")),
    _choice("HX-3.1", "token", "said|seen", say("is the Token passed by word or by hand")),
    _choice("HX-3.2", "no_move", "pass|out", say("what becomes of an army that cannot move")),
    _choice("HX-3.4", "check", "noted|binding", say("must a declared Check be answered")),
    _choice("HX-4.8", "ground_zero", "diagonal|straight", say("how a Militant captures from Ground "
            "Zero after a step: on a diagonal, or on along the flat"), "straight"),
    _choice("HX-4.8", "doubling", "six|three",
            say("do Dreadnaught, Archer and Assassin double too"),
            once="ground_zero"),
    _choice("HX-5.2", "two_capitals", "active|any", say("must the army of the first of two new "
            "capitals have its Sovereign"), "any"),
    _choice("HX-5.3", "fallen", "prey|block", say("may pieces that are out of play be captured")),
    _choice("HX-6.1", "scoring", "no|yes", say("are points counted")),
))  # fmt: skip

CAPITALS = ("Al", "Ar", "C", "D", "P", "As", "S", "R", "P", "D", "C", "Ar", "Al")
"""The Base Line from Silver's left to its right, the Assassin on the left (HX-2.1)."""


def start_array(assassin_side: str) -> tuple[tuple[tuple[int, int], str], ...]:
    """Return the south army: axial cell and kind, thirteen capitals and their Militants."""
    line = list(CAPITALS)
    if assassin_side == "right":
        line[5], line[7] = line[7], line[5]
    array = []
    for q, kind in zip(range(-6, 7), line, strict=True):
        r = (26 - q) // 2
        array += [((q, r), kind), ((q, r - 1), "M")]
    return tuple(array)


def seating(seats: Sequence[str]) -> tuple[str, ...]:
    """Return the six seats in order of play, Silver first (HX-3.1).

    Raises:
        BadInput: not all six armies are named.
    """
    if len(seats) != len(COLOURS):
        raise BadInput(
            say(
                "HexiMeros is for six armies, not {count}: {seats}; a player may sit at "
                "more than one",
                count=len(seats),
                seats=COLOURS,
            )
        )
    return COLOURS
