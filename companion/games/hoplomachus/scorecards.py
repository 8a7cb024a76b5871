"""What the table shows and what the player's card tells."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.awaiting import awaited
from companion.games.hoplomachus.cards import INVENTED
from companion.games.hoplomachus.geometry import CAMPS, NAMES, TOP
from companion.games.hoplomachus.moves import reachable
from companion.games.hoplomachus.pieces import NUMBER, Dice
from companion.games.hoplomachus.state import SEAT, HoplomachusState, card_of
from companion.games.hoplomachus.words import ZONE, in_inks
from companion.rules import (
    Action,
    Board,
    Effect,
    Field,
    Outcome,
    Position,
    Problem,
    Scorecard,
    Spot,
    Text,
    call,
    say,
)

CARD_MM = (63.0, 88.0)
NAME_MM = 8.0
"""How far the place of a card reaches beyond it: what is written there is read beside the card."""
PITCH_MM = 100.0
BESIDE_MM = 68.0
"""How far apart cards are, from row to row and beside each other."""
ZONE_MM = (160.0, 60.0)
GAP_MM = 2.0
ENEMIES = 10
"""Places for active enemies; the icons there are never bring more."""
_HALF = (1.5 * ZONE_MM[0] + GAP_MM, 2 * PITCH_MM + ZONE_MM[1] + GAP_MM / 2)
"""Half the width and the height of the board."""
_SHADES = {"camp": "#d9c9b0", "enemy": "#d6b8b0", "zone": "#c7d0c0"}


def _spot(name: str, left: float, top: float, kind: str) -> Spot:
    """Return the place whose upper left corner is so far from the board's."""
    (width, height), above = (ZONE_MM, 0.0) if kind == "zone" else (CARD_MM, NAME_MM)
    x, y = left - _HALF[0], top - _HALF[1]
    right, bottom = x + width, y + above + height
    outline = ((x, y), (right, y), (right, bottom), (x, bottom))
    centre = ((x + right) / 2, bottom - height / 2)
    return Spot(name, centre, outline, kind, _SHADES[kind], SEAT)


def _board() -> Board:
    spots = {}
    for name in NAMES:
        row, column = map(int, name.split("."))
        left = (column - 1 + (row - 1) / 2) * BESIDE_MM
        spots[name] = _spot(name, left, (4 - row) * PITCH_MM, "camp")
    for number in range(1, ENEMIES + 1):
        down, right = divmod(number - 1, 3)
        left = 2 * _HALF[0] - CARD_MM[0] - (2 - right) * BESIDE_MM
        spots[f"enemy.{number}"] = _spot(f"enemy.{number}", left, down * PITCH_MM, "enemy")
    for place, name in enumerate(s.ZONES):
        down, right = divmod(place, 3)
        left, top = right * (ZONE_MM[0] + GAP_MM), 4 * PITCH_MM + down * (ZONE_MM[1] + GAP_MM)
        spots[name] = _spot(name, left, top, "zone")
    return Board(MappingProxyType(spots), PITCH_MM)


BOARD = _board()
call(ZONE | {f"enemy.{n}": say("enemy {number}", number=n) for n in range(1, ENEMIES + 1)})


def expect(state: HoplomachusState) -> Position:
    """Return the cards that lie open: the tops of the camps and the active enemies."""
    lying = {CAMPS[camp]: pile[-1] for camp, pile in enumerate(state.piles) if pile}
    for camp, primus in enumerate(state.primuses):
        if primus and not state.piles[camp]:
            lying[CAMPS[camp]] = primus
    if state.chip != TOP:
        lying[NAMES[TOP]] = state.lieutenant
    faced = {f"enemy.{n}": enemy.card for n, enemy in enumerate(state.enemies, start=1)}
    return MappingProxyType(lying | faced)


def effect(state: HoplomachusState, action: Action, after: HoplomachusState | None) -> Effect:
    """Return what ``action`` does to the open cards; ``after`` is the state after it, None if it
    is not allowed."""
    if after is None:
        return Effect(SEAT, None)
    before, now = expect(state), expect(after)
    changes = {
        spot: now.get(spot) for spot in {**before, **now} if before.get(spot) != now.get(spot)
    }
    return Effect(SEAT, None, changes=MappingProxyType(changes))


def check(state: HoplomachusState) -> tuple[Problem, ...]:
    """Return what is wrong with the dice: there always are seventeen (HV-1.3)."""
    held = all_dice(state)
    if held == NUMBER:
        return ()
    return (
        Problem("HV-1.3", say("There are {count} unit dice and should be 17.", count=sum(held))),
    )


def all_dice(state: HoplomachusState) -> Dice:
    """Return the unit dice of all zones and enemy cards, by colour."""
    heaps = (*(s.zone(state, name) for name in s.ZONES), state.assigned())
    return tuple(sum(heap[colour] for heap in heaps) for colour in range(5))


def outcome(state: HoplomachusState) -> Outcome | None:
    """Return how the game ended: won with the lieutenant's fall, lost with the last Health."""
    if not state.ending:
        return None
    if state.ending == s.WON:
        rank = min(5, state.rank + 1)
        return Outcome(
            (SEAT,), s.WON,
            say("The lieutenant has fallen; the next game is of rank {rank}.", rank=rank),
        )  # fmt: skip
    rank = max(1, state.rank - 1)
    return Outcome((), s.DIED, say("Health is gone; the next game is of rank {rank}.", rank=rank))


def scorecards(state: HoplomachusState) -> tuple[Scorecard, ...]:
    """Return the player's card: stats, dice by zone, items and influence."""
    influence = sum(card_of(name).influence for name in state.influence)
    fields = [
        Field(say("Health"), value=str(state.health)),
        Field(say("Strategy"), value=str(state.strategy)),
        Field(say("Recovery"), value=str(state.recovery)),
        *(Field(ZONE_NAMES[name], value=in_inks(s.zone(state, name))) for name in s.ZONES),
        Field(say("Items"), state.items, f"{len(state.items)}/{state.strategy}"),
        Field(say("Influence"), value=str(influence)),
        Field(say("Primuses left"), value=str(sum(map(bool, state.primuses)))),
    ]
    status = awaited(state) if not state.ending else say("the game is over")
    return (Scorecard(SEAT, tuple(fields), status=status),)


ZONE_NAMES = {
    "reserve": say("Reserve"), "active": say("Active dice"), "exhausted": say("Exhausted"),
    "training": say("Training"), "banished": say("Banished"),
}  # fmt: skip


def situation(state: HoplomachusState) -> tuple[Text, ...]:
    """Return what is awaited, who is faced and with what effects, and texts to carry out."""
    told = [awaited(state), *_open_cards(state)]
    if state.chip < 0:
        told += [
            say("The primus {card} lies under {camp}.", card=name, camp=CAMPS[camp])
            for camp, name in enumerate(state.primuses)
            if name
        ]
    if state.stage == s.CHOOSE_HERO and dict(state.options)["cards"] == INVENTED:
        told.append(say("These cards are invented, for trying the game out."))
    if state.stage in (s.ENGAGE, s.ROLL, s.ASSIGN):
        told.append(
            say("Strategy phase {phase} of {most}.", phase=state.phases, most=state.strategy)
        )
    for enemy in state.enemies:
        card = card_of(enemy.card)
        if enemy.beaten:
            told.append(say("{enemy} is defeated.", enemy=enemy.card))
        else:
            told.append(say("{enemy}: {hits} of {need} hits, damage {damage}.", enemy=enemy.card,
                            hits=enemy.hits, need=card.hits, damage=card.damage))  # fmt: skip
    return (*told, *_to_carry_out(state))


def _to_carry_out(state: HoplomachusState) -> Iterator[Text]:
    """Yield the texts of cards that the player carries out now; of one that was never entered,
    that it is left to him (section 15)."""
    kind, what = state.awaited
    later = kind in (s.RECOVER, s.LATER)
    for enemy in state.enemies:
        effect = card_of(enemy.card).effect
        if not effect or (enemy.beaten and not (later and state.house.all_later)):
            continue
        if later:
            yield say("Now carry out the effect of {enemy}: {effect}", enemy=enemy.card,
                      effect=effect)  # fmt: skip
        else:
            yield say("{enemy}: {effect}", enemy=enemy.card, effect=effect)
    if kind == s.SCOUTED:
        text = card_of(state.lieutenant).penalty
        yield (say("Penalty for scouting: {text}", text=text) if text
               else say("The penalty of {card} was not entered: carry out what the card says.",
                        card=state.lieutenant))  # fmt: skip
    if kind in (s.REWARD, s.GAIN):
        text = card_of(what).reward
        yield (say("Reward of {card}: {text}", card=what, text=text) if text
               else say("The reward of {card} was not entered: carry out what the card says.",
                        card=what))  # fmt: skip
    if kind == s.PLAGUE:
        text = card_of(what).plague
        yield (say("Plague of {card}: {text}", card=what, text=text) if text
               else say("The plague of {card} was not entered: carry out what the card says.",
                        card=what))  # fmt: skip


def _open_cards(state: HoplomachusState) -> Iterator[Text]:
    """Yield what lies open where the chip may go, or where it is."""
    if state.awaited[0] not in (s.CAMP, s.ACT, s.ADD):
        return
    for camp in reachable(state) if state.stage == s.CAMP else (state.chip,):
        if state.piles[camp]:
            name = state.piles[camp][-1]
            card = card_of(name)
            if card.is_enemy:
                yield say("{camp}: {card}, hits {hits}, damage {damage}.", camp=CAMPS[camp],
                          card=name, hits=card.hits, damage=card.damage)  # fmt: skip
            else:
                yield say("{camp}: {card}, an Opportunity.", camp=CAMPS[camp], card=name)
        if state.primuses[camp]:
            yield say("{camp}: the primus {card}.", camp=CAMPS[camp], card=state.primuses[camp])


_AWAITED = {
    s.ENGAGE: ("reserve",), s.ROLL: ("active",), s.ASSIGN: ("active",), s.RECOVER: ("exhausted",),
    s.SCOUTED: ("exhausted",), s.DISMISS: ("reserve", "active", "exhausted"),
}  # fmt: skip


def highlights(state: HoplomachusState) -> dict[str, tuple[str, ...]]:
    """Return where the chip is, while it is to move where it may go, and the zones of the dice
    that are awaited."""
    found: dict[str, tuple[str, ...]] = {} if state.chip < 0 else {"chip": (NAMES[state.chip],)}
    if state.awaited[0] == s.CAMP:
        found["open"] = tuple(NAMES[camp] for camp in reachable(state))
    if zones := _AWAITED.get(state.awaited[0]):
        found["dice"] = zones
    return found
