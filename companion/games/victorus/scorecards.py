"""What a player's card shows, and how the game ended."""

from __future__ import annotations

from companion.games.victorus.fate import points
from companion.games.victorus.pieces import KNIGHTS, face
from companion.games.victorus.state import PILE, VictorusState
from companion.games.victorus.words import COLOURS
from companion.rules import Field, Outcome, Scorecard, say

PROMOTED_AT = 2
"""What a knight's captures have to count for its promotion (VIC-6.1)."""

_REASONS = {
    "VIC-7.1": lambda who: say(
        "{who} rounded the centre and entered it through the portal.", who=who
    ),
    "VIC-8.2": lambda who: say("{who} conquered the centre for the alliance.", who=who),
    "VIC-7.4": lambda who: say("{who} is the last left on the board.", who=who),
    "VIC-8.1": lambda who: say("Time is up and {who} has the most points.", who=who),
}


def scorecards(state: VictorusState) -> tuple[Scorecard, ...]:
    """Return each seat's card: eight fields of the regular knights and the pile (VIC-1.3)."""
    return tuple(_card(state, place) for place in state.arena.order)


def _card(state: VictorusState, place: int) -> Scorecard:
    arena, tally = state.arena, state.tally
    fields = [
        Field(
            face(sub),
            tuple(map(arena.token, tally.cards[place][sub])),
            str(tally.merit[8 * place + sub]),
            f"{arena.colours[place]} {face(sub)}",
            PROMOTED_AT,
        )
        for sub in range(2 * len(KNIGHTS) - 2)
    ]
    pile = Field(say("royal pile"), tuple(map(arena.token, tally.cards[place][PILE])))
    score = points(tally.cards[place]) if arena.quick else None
    return Scorecard(arena.colours[place], (*fields, pile), score, _status(state, place))


def _status(state: VictorusState, place: int) -> str:
    if not state.tally.playing >> place & 1:
        return say("out")
    if state.gate_open(place):
        return say("King and Queen may leave")
    left = 3 - state.tally.gate[place]
    if left == 1:
        return say("1 more capture until King and Queen may leave")
    return say("{left} more captures until King and Queen may leave", left=left)


def outcome(state: VictorusState) -> Outcome | None:
    """Return how the game ended, None while it goes on (VIC-7.1, VIC-7.4, VIC-8)."""
    rule = state.tally.ending
    if not rule:
        return None
    winners = tuple(
        state.arena.colours[place]
        for place in state.arena.order
        if state.tally.winners >> place & 1
    )
    if not winners:
        return Outcome((), rule, say("Time is up and the points are equal: a draw."))
    who = COLOURS[winners[0]]
    for other in winners[1:]:
        who = say("{one} and {other}", one=who, other=COLOURS[other])
    return Outcome(winners, rule, _REASONS[rule](who))
