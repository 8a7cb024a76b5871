"""Scorecards and the result (HX-5.4, HX-6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.heximeros.arena import EVERYBODY
from companion.games.heximeros.geometry import NAMES
from companion.games.heximeros.pieces import CAPTURE, COLOURS, DRAWN, NAMED, TOKENS
from companion.games.heximeros.play import retention
from companion.games.heximeros.state import NOWHERE, HexiMerosState
from companion.rules import Field, Outcome, Scorecard, Text, say


def outcome(state: HexiMerosState) -> Outcome | None:
    """Return how the game ended, or None while it goes on."""
    tally = state.tally
    if not tally.ending:
        return None
    if tally.winner == NOWHERE:
        reason = say("The last two players cannot capture each other's Sovereign.")
        return Outcome((), tally.ending, reason)
    reason = say("{player} is the last player with a Sovereign.", player=NAMED[tally.winner])
    return Outcome((COLOURS[tally.winner],), tally.ending, reason)


_LEFT = {"resign": say("resigned"), "concede": say("conceded"), "expel": say("expelled")}
"""How a player left the game, in words, by the verb that announced it (HX-5.5)."""


def _listed(words: Sequence[Text]) -> str:
    """Return words one after another, with commas between them."""
    listed: str = ""
    for word in words:
        listed = say("{one}, {other}", one=listed, other=word) if listed else word
    return listed


def scorecards(state: HexiMerosState) -> tuple[Scorecard, ...]:
    """Return a scorecard for each player, in order of play."""
    return tuple(_card(state, player) for player in EVERYBODY)


def _card(state: HexiMerosState, player: int) -> Scorecard:
    tally = state.tally
    left = [_LEFT[word] for who, word in tally.left if who == player]
    plays = [NAMED[a] for a in EVERYBODY if tally.live >> a & 1 and tally.masters[a] == player]
    fields = [
        Field(say("Plays"), value=_listed(plays)),
        Field(say("Captured"), tuple(TOKENS[code] for code in tally.captures[player])),
        Field(say("Promoted"), tuple(TOKENS[code] for code in tally.promotions[player])),
        Field(say("Out as"), value=", ".join(
            str(number) for number, loser in enumerate(tally.outs, start=1) if loser == player
        )),
        Field(say("Left by"), value=_listed(left)),
        *([Field(say("Keeps"), value=str(kept(state, player)))] if state.arena.scored else []),
    ]  # fmt: skip
    score = tally.points[player] if state.arena.scored else None
    return Scorecard(COLOURS[player], tuple(fields), score, _status(state, player, bool(plays)))


def kept(state: HexiMerosState, player: int) -> int:
    """Return what the pieces of ``player`` on the board would count at the end: in a draw if the
    game ended so, else for the winner (HX-6.4)."""
    drawn = state.tally.ending and state.tally.winner == NOWHERE
    return retention(state, player, DRAWN if drawn else CAPTURE)


def invariants(state: HexiMerosState) -> dict[str, bool]:
    """Return what holds of the 156 pieces and of the six armies whatever is played."""
    there = Counter(TOKENS[code] for code in state.board[: len(NAMES)] if code)
    cards, tally = scorecards(state), state.tally
    gone = Counter(token for card in cards for token in card.fields[1].tokens)
    new = sum(len(card.fields[2].tokens) for card in cards)
    militants = sum(n for t, n in (there + gone).items() if t.endswith((" M", "M+")))
    left = 156 - gone.total() - len(tally.removed) - (78 - militants) + new
    sovereigns = all(there[f"{COLOURS[a]} S"] == tally.live >> a & 1 for a in EVERYBODY)
    return {
        "there are 156 pieces: on the board, captured, taken off, promoted": there.total() == left,
        "an army is in play exactly while it has its one Sovereign": sovereigns,
    }


def _status(state: HexiMerosState, player: int, plays: bool) -> str:
    tally = state.tally
    if tally.ending and plays:
        return say("draw") if tally.winner == NOWHERE else say("won")
    if not plays:
        return say("out")
    if any(tally.checks >> a & 1 and tally.masters[a] == player for a in EVERYBODY):
        return say("in Check")
    return say("has the Token") if state.player == player else ""
