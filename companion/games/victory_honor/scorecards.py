"""What the table tells: scorecards, the situation in sentences, and the marks on the board."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from companion.games.victory_honor.battle import BY_CAVALRY, BY_TRUMP, ROUT, Battle
from companion.games.victory_honor.cards import REGIMENTS
from companion.games.victory_honor.geometry import (
    POSITIONS,
    SEATS,
    SLOTS,
    WORDS,
    position_name,
    seat_name,
)
from companion.games.victory_honor.judge import end_rule
from companion.games.victory_honor.phase import choices
from companion.games.victory_honor.play import resolution, round_points, standings, totals
from companion.games.victory_honor.state import (
    DISPUTED,
    FOUGHT,
    OVER,
    PLAY,
    RESERVE_STAGE,
    REVEAL,
    SCORED,
    VictoryHonorState,
    awaits_deal,
    fresh,
    may_name,
)
from companion.rules import Action, Field, Outcome, Scorecard, Text, say
from companion.rules.hidden import things

_AWAITED = {
    REVEAL: say("The phase is played; the hidden cards are turned up where they lie."),
    FOUGHT: say("The winners gather their spoils."),
    RESERVE_STAGE: say("Everybody shows his reserve."),
    SCORED: say("The round is scored; all cards are gathered for the next deal."),
    DISPUTED: say("A rule was broken in this round; the players decide whether it is void."),
}
_DOES = {REVEAL: say("turns up"), RESERVE_STAGE: say("shows the reserve")}


def said(action: Action) -> str:
    """Return what the button of a spoken ``action`` says."""
    if action.verb != "scout":
        return "" if action.detail else WORDS.get(action.verb, "")
    if action.detail == "none":
        return say("the scout orders nothing")
    position = position_name(POSITIONS.index(action.detail))
    return say("the scout orders the {position}", position=position)


def outcome(state: VictoryHonorState) -> Outcome | None:
    """Return who has won: the most points, of a team where there are partners; who ties shares
    the win (VH-11.1, R15)."""
    if state.stage != OVER:
        return None
    score = standings(state)
    best = max(score)
    winners = tuple(seat for seat in state.setup.seats if score[SEATS.index(seat)] == best)
    named = reduce(
        lambda one, other: say("{one} & {other}", one=one, other=other),
        (seat_name(SEATS.index(seat)) for seat in winners),
    )
    return Outcome(
        winners, end_rule(state), say("The highest score is {points}: {seats}.", points=best,
                                      seats=named),
    )  # fmt: skip


def scorecards(state: VictoryHonorState) -> tuple[Scorecard, ...]:
    """Return each seat's spoils, reserve and points, and his team's."""
    return tuple(_scorecard(state, SEATS.index(seat)) for seat in state.setup.seats)


def _scorecard(state: VictoryHonorState, seat: int) -> Scorecard:
    tokens, own = state.terms.deck.tokens, totals(state)
    spoils, reserve = state.spoils[seat], state.reserves[seat]
    hidden = hides_spoils(state)
    shown = () if hidden else tuple(tokens[card] for card in things(spoils))
    fields = [
        Field(say("Hand"), (), str(state.in_hand(seat))),
        Field(say("Spoils"), shown, str(spoils.bit_count())),
        Field(say("Reserve"), (tokens[reserve],) if reserve >= 0 else ()),
        Field(say("This round"), (), "" if hidden else str(round_points(state)[seat])),
        Field(say("Rounds"), (), " + ".join(str(scores[seat]) for scores in state.scores)),
    ]
    if state.terms.house.allied:
        mate = (seat + 2) % 4
        fields.append(
            Field(say("Team with {seat}", seat=seat_name(mate)), (), str(own[seat] + own[mate]))
        )
    return Scorecard(SEATS[seat], tuple(fields), own[seat], _status(state, seat))


def hides_spoils(state: VictoryHonorState) -> bool:
    """Tell whether each player sees his own spoils alone now: until the round is scored."""
    return state.terms.hides_spoils and state.stage not in (SCORED, OVER)


def own_fields(state: VictoryHonorState, name: str) -> tuple[Field, ...]:
    """Return a seat's spoils and what they are worth, where they are hidden from the others."""
    if not hides_spoils(state):
        return ()
    seat, tokens = SEATS.index(name), state.terms.deck.tokens
    cards = tuple(tokens[card] for card in things(state.spoils[seat]))
    return (
        Field(say("Your spoils"), cards),
        Field(say("Your points in this round"), (), str(round_points(state)[seat])),
    )


def _status(state: VictoryHonorState, seat: int) -> str:
    ended = outcome(state)
    if ended:
        return say("wins") if SEATS[seat] in ended.winners else say("loses")
    if state.stage == PLAY and state.phase.scouting == seat and may_name(state):
        return say("may name a position")
    if state.stage == PLAY and state.dealt and fresh(state):
        return _passes(seat)
    if seat != state.mover:
        return ""
    if state.stage == PLAY:
        return _where([position_name(p) for p in things(open_to_mover(state))])
    return _DOES.get(state.stage, say("leads"))


def open_to_mover(state: VictoryHonorState) -> int:
    """Return the set of positions that the player on turn may choose, as far as is known."""
    worlds = state.holding(state.phase.turn).kinds(REGIMENTS)
    up, down = choices(state.phase, state.terms.house, worlds)
    return sum(1 << p for p in range(3) if up[p] or down & 1 << p)


def highlights(state: VictoryHonorState) -> dict[str, tuple[str, ...]]:
    """Return ``open``, where the player on turn may lay a card, ``winning``, the cards that win
    as they lie, and ``bombarded``."""
    result = resolution(state)
    found = {
        "winning": tuple(SLOTS[battle.slot] for battle in result.battles if battle.slot >= 0),
        "bombarded": tuple(SLOTS[target] for _, target in result.shots),
    }
    if state.stage == PLAY:
        turn = 3 * state.phase.turn
        found["open"] = tuple(SLOTS[turn + p] for p in things(open_to_mover(state)))
    return {meaning: spots for meaning, spots in found.items() if spots}


def situation(state: VictoryHonorState) -> tuple[Text, ...]:
    """Return, in sentences: whose turn it is and where he may play, what colours are open, what
    trump is, whether regular order has ended, who is ahead or has won each battle and why."""
    return tuple(_sentences(state))


def _passes(seat: int) -> Text:
    left, across, right = (seat_name((seat + step) % 4) for step in (1, 2, 3))
    return say("passes: left flank to {left}, centre to {across}, right flank to {right}",
               left=left, across=across, right=right)  # fmt: skip


def _still_prepares(state: VictoryHonorState) -> bool:
    """Tell whether the players are led through deal and pass now."""
    return state.terms.guides and state.stage == PLAY and fresh(state) and state.hands is None


def _preparing(state: VictoryHonorState) -> Iterator[Text]:
    """Yield the step of the set-up that is due: the deal, then the pass."""
    if awaits_deal(state):
        yield say("Step 1 of 2: shuffle all forty cards and deal ten to each.")
    elif _still_prepares(state):
        yield say("Step 2 of 2: everybody lays three of his cards face down, one in each of his "
                  "positions; when all have, each card goes where the position points: left "
                  "flank to the left, centre across, right flank to the right.")  # fmt: skip
        yield say("Before that, who holds no general may show his hand and ask for a new deal.")


def _progress(state: VictoryHonorState) -> Iterator[Text]:
    """Yield the round and phase, and the points as they come about."""
    number, phase = state.beginning.round, min(state.number, 3)
    if state.stage == OVER:
        pass
    elif state.terms.target:
        yield say("Round {round}, phase {phase} of 3; the game ends at {target} points.",
                  round=number, phase=phase, target=state.terms.target)  # fmt: skip
    else:
        yield say("Round {round} of {rounds}, phase {phase} of 3.", round=number, phase=phase,
                  rounds=state.terms.rounds)  # fmt: skip
    if state.stage in (SCORED, OVER):
        yield say("This round brought: {points}.", points=_by_seat(state.scores[-1]))
    elif any(state.spoils) and not hides_spoils(state):
        yield say("So far this round brings: {points}.", points=_by_seat(round_points(state)))
    if state.scores:
        yield say("Points of all rounds: {points}.", points=_by_seat(totals(state)))


def _by_seat(points: tuple[int, ...]) -> list[Text]:
    return [say("{seat} {points}", seat=seat_name(n), points=p) for n, p in enumerate(points)]


def _orders(state: VictoryHonorState) -> Iterator[Text]:
    """Yield what a scout asks for, or may ask for."""
    phase = state.phase
    if phase.scouting >= 0 and may_name(state):
        yield say("{seat} has laid a scout: you may name an empty position of {target}, or none.",
                  seat=seat_name(phase.scouting), target=seat_name(phase.turn))  # fmt: skip
    if phase.suggested >= 0:
        yield say("A partner's scout suggests the {position} to {seat}.",
                  position=position_name(phase.suggested), seat=seat_name(phase.turn))  # fmt: skip


def _sentences(state: VictoryHonorState) -> Iterator[Text]:
    phase, deck = state.phase, state.terms.deck
    yield from _progress(state)
    yield from _preparing(state)
    if state.stage == PLAY:
        yield from _orders(state)
        where = [position_name(p) for p in things(open_to_mover(state))]
        if not _still_prepares(state):
            yield _plays(state, where)
        if phase.ordered >= 0:
            yield say("A scout has ordered {seat} to the {position}.",
                      seat=seat_name(phase.turn), position=where[0])  # fmt: skip
        if phase.filling:
            yield say("Regular order has ended; all empty positions are filled in turn.")
    for position, colour in enumerate(phase.opened):
        if colour >= 0:
            yield say("{colour} is open in the {position}.", colour=deck.colour(colour),
                      position=position_name(position))  # fmt: skip
    if phase.trump >= 0:
        yield say("Trump is {colour}.", colour=deck.colour(phase.trump))
    for gun, target in resolution(state).shots:
        yield say("{gun} bombards {target}.", gun=_card(state, gun), target=_card(state, target))
    for battle in resolution(state).battles:
        if battle.cards or state.stage == FOUGHT:
            yield _battle(state, battle)
    if state.stage in _AWAITED:
        yield _AWAITED[state.stage]


def _where(places: list[Text]) -> Text:
    if len(places) == 1:
        return say("plays in the {a}", a=places[0])
    if len(places) == 2:
        return say("plays in the {a} or the {b}", a=places[0], b=places[1])
    return say("plays where he likes")


def _plays(state: VictoryHonorState, where: list[Text]) -> Text:
    seat = seat_name(state.phase.turn)
    if len(where) == 1:
        return say("{seat} plays in the {a}.", seat=seat, a=where[0])
    if len(where) == 2:
        return say("{seat} plays in the {a} or the {b}.", seat=seat, a=where[0], b=where[1])
    return say("{seat} plays where he likes.", seat=seat)


def _card(state: VictoryHonorState, slot: int) -> Text:
    card = state.terms.deck.word(state.phase.board[slot])
    return say("{card} ({spot})", card=card, spot=SLOTS[slot])


def _battle(state: VictoryHonorState, battle: Battle) -> Text:
    where = position_name(battle.position)
    if state.stage != FOUGHT:
        if battle.slot < 0:
            return say("Nobody is ahead in the {position}.", position=where)
        return say("{card} is ahead in the {position}.", card=_card(state, battle.slot),
                   position=where)  # fmt: skip
    if battle.why == ROUT:
        return say("Nobody wins the {position}; its cards are lost.", position=where)
    seat, card = seat_name(battle.winner), _card(state, battle.slot)
    if battle.why == BY_CAVALRY:
        return say("{seat} wins the {position}: {card} came last and flanks the others.",
                   seat=seat, position=where, card=card)  # fmt: skip
    if battle.why == BY_TRUMP:
        return say("{seat} wins the {position}: {card} is the highest trump.", seat=seat,
                   position=where, card=card)  # fmt: skip
    return say("{seat} wins the {position}: {card} is the highest card.", seat=seat,
               position=where, card=card)  # fmt: skip
