"""What may be done now: by the rules (``legal``), and by the text of a card (``claims``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import (
    HERO,
    LIEUTENANT,
    OPPORTUNITY,
    SPORT,
    UNIVERSAL,
    by_kind,
)
from companion.games.hoplomachus.geometry import ADJACENT, CAMPS, FOOT, NAMES, distances
from companion.games.hoplomachus.pieces import (
    BLANK,
    COLOURS,
    CRIT,
    FACES,
    HIT,
    in_words,
    nearest,
    roll_in_words,
    rolls,
    weakest,
    within,
)
from companion.games.hoplomachus.state import HoplomachusState, card_of, deck_of, zone
from companion.rules import Action

SCOUT, ACTIVATE, FIGHT = Action("scout"), Action("activate"), Action("fight")
STOP, DONE, HEAL, FINAL = Action("stop"), Action("done"), Action("heal"), Action("final")
TAKE, REFUSE, KEEP, DROP = Action("take"), Action("refuse"), Action("keep"), Action("drop")

DRAW = Action("draw")

STATS = ("health", "strategy", "recovery")


@lru_cache(4)
def legal(state: HoplomachusState) -> tuple[Action, ...]:
    """Return every action of the rules; empty when the game is over. A roll of many dice has
    thousands of outcomes, and several ask for them."""
    kind = state.awaited[0]
    offers = list(_OFFERS[kind](state))
    if state.house.items_any_time and kind not in _WINDOWS and kind != s.OVER:
        offers += _uses(state)
    return tuple(offers)


def go(camp: int) -> Action:
    """Return the action of moving the chip to a camp."""
    return Action("go", detail=NAMES[camp])


# -- setting up, the mountain --------------------------------------------------------------------


def _heroes(state: HoplomachusState) -> Iterator[Action]:
    return (Action("hero", detail=name) for name in state.offered)


def _at_the_start(state: HoplomachusState) -> Iterator[Action]:
    """Yield the tactics, and the universal heroes that may take the hero's place (HV-12.4)."""
    yield from _tactics(state)
    if card_of(state.hero).kind == HERO:
        for name in by_kind(deck_of(state), UNIVERSAL):
            yield Action("universal", detail=name)


def _tactics(state: HoplomachusState) -> Iterator[Action]:
    return (Action("tactic", detail=name) for name in state.tactics)


def _removals(state: HoplomachusState) -> Iterator[Action]:
    return (
        Action("remove", detail=CAMPS[camp])
        for camp, pile in enumerate(state.piles)
        if len(pile) == 6
    )


def _camps(state: HoplomachusState) -> Iterator[Action]:
    return (go(camp) for camp in reachable(state))


def reachable(state: HoplomachusState) -> tuple[int, ...]:
    """Return the camps that the chip may go to (HV-5.1, HV-5.2, R4)."""
    if state.chip < 0:
        return FOOT
    near = tuple(camp for camp in ADJACENT[state.chip] if not state.is_empty(camp))
    if near:
        return near
    steps = distances(state.chip)
    left = [c for c in range(len(CAMPS)) if c != state.chip and not state.is_empty(c)]
    least = min((steps[camp] for camp in left), default=0)
    if state.house.goes_anywhere and left:
        return tuple(left)
    if not left:
        return () if state.is_empty(state.chip) else (state.chip,)
    return tuple(camp for camp in left if steps[camp] == least)


def _acts(state: HoplomachusState) -> Iterator[Action]:
    if state.piles[state.chip]:
        yield SCOUT
        yield ACTIVATE
    if state.primuses[state.chip]:
        yield FIGHT


def suppliers(state: HoplomachusState, camp: int) -> tuple[int, ...]:
    """Return the camps beside ``camp`` whose top card is an enemy (HV-5.7)."""
    return tuple(
        other
        for other in ADJACENT[camp]
        if state.piles[other] and card_of(state.piles[other][-1]).is_enemy
    )


def _additions(state: HoplomachusState) -> Iterator[Action]:
    camp = int(state.awaited[1])
    return (Action("add", detail=CAMPS[other]) for other in suppliers(state, camp))


def called_up(state: HoplomachusState) -> tuple[str, ...]:
    """Return the cards of the discard that may be allies in the Final (HV-11.4)."""
    return tuple(name for name in state.discard if card_of(name).is_enemy)


def _allies(state: HoplomachusState) -> Iterator[Action]:
    yield DRAW
    for name in called_up(state):
        yield Action("ally", detail=name)


def _scouted(state: HoplomachusState) -> Iterator[Action]:
    yield HEAL
    for colour, count in enumerate(state.exhausted):
        if count:
            yield Action("recover", detail=COLOURS[colour])


def _opened(state: HoplomachusState) -> Iterator[Action]:
    if len(state.items) < state.strategy:
        yield KEEP
    yield DROP


# -- strategy phases -----------------------------------------------------------------------------


def _engagements(state: HoplomachusState) -> Iterator[Action]:
    yield STOP
    for dice in within(state.reserve):
        yield Action("engage", detail=in_words(dice))
    yield from _uses(state)


def _rolls(state: HoplomachusState) -> Iterator[Action]:
    yield from _hits_to_keep(state)
    for shown in rolls(state.thrown):
        yield Action("roll", detail=roll_in_words(shown))


def _hits_to_keep(state: HoplomachusState) -> Iterator[Action]:
    """Yield the active dice that may be kept from the roll, where that was agreed on (R6)."""
    if state.house.keeps_hits:
        for colour, counts in enumerate(state.shown):
            for face in (HIT, CRIT):
                if counts[face]:
                    yield Action("hold", detail=f"{COLOURS[colour]}={FACES[face]}")


def assigning(colour: int, face: int, enemy: str) -> Action:
    """Return the action of putting a showing die on an enemy."""
    return Action("assign", detail=f"{COLOURS[colour]}={FACES[face]}>{enemy}")


def _assignments(state: HoplomachusState) -> Iterator[Action]:
    hits = [
        assigning(colour, face, enemy.card)
        for colour, counts in enumerate(state.shown)
        for face, count in enumerate(counts)
        if count and face != BLANK
        for enemy in state.standing
    ]
    if not (hits and state.house.must_assign):
        yield DONE
    yield from hits
    yield from _uses(state)


def usable(state: HoplomachusState, item: str) -> bool:
    """Tell whether an item works now: an Opportunity once its condition was met (HV-8.6)."""
    return card_of(item).kind != OPPORTUNITY or item in state.ready


def _uses(state: HoplomachusState) -> Iterator[Action]:
    return (Action("use", detail=item) for item in state.items if usable(state, item))


# -- resolution ----------------------------------------------------------------------------------


def alternatives(state: HoplomachusState) -> Iterator[Action]:
    """Yield what a Sport card may give instead of its reward."""
    colour = weakest(state.training)
    if colour is not None:
        yield Action("recruit", detail=COLOURS[colour])
    if len(state.items) < state.strategy:
        yield from _tactics(state)


def _rewards(state: HoplomachusState) -> Iterator[Action]:
    yield TAKE
    if card_of(state.awaited[1]).kind == SPORT:
        yield from alternatives(state)


def _gains(state: HoplomachusState) -> Iterator[Action]:
    card = card_of(state.awaited[1])
    if len(state.items) < state.strategy:
        yield TAKE
    yield REFUSE
    if card.kind == SPORT:
        yield from alternatives(state)


def _recoveries(state: HoplomachusState) -> Iterator[Action]:
    for dice in within(state.exhausted, state.recovery):
        yield Action("recover", detail=in_words(dice))


def _dismissals(state: HoplomachusState) -> Iterator[Action]:
    for name in ("reserve", "active", "exhausted"):
        for colour, count in enumerate(zone(state, name)):
            if count:
                yield Action("dismiss", detail=f"{COLOURS[colour]} {name}")


def _surplus(state: HoplomachusState) -> Iterator[Action]:
    return (Action("discard", detail=item) for item in state.items)


def _walking(state: HoplomachusState) -> Iterator[Action]:
    yield from _camps(state)
    yield from _uses(state)


_OFFERS: dict[str, Callable[[HoplomachusState], Iterator[Action]]] = {
    s.CHOOSE_HERO: _heroes, s.CHOOSE_TACTIC: _at_the_start, s.CAMP: _walking,
    s.ACT: _acts, s.ENGAGE: _engagements, s.ROLL: _rolls, s.ASSIGN: _assignments,
    s.FINAL: lambda state: iter((FINAL,)), s.OVER: lambda state: iter(()),
    s.REMOVE: _removals, s.DISMISS: _dismissals, s.ADD: _additions, s.SCOUTED: _scouted,
    s.PLAGUE: lambda state: iter((DONE,)), s.OPENED: _opened, s.REWARD: _rewards,
    s.RECOVER: _recoveries, s.GAIN: _gains,
    s.LIMIT: _surplus, s.ALLY: _allies, s.LATER: lambda state: iter((DONE,)),
}  # fmt: skip
_WINDOWS = (s.CAMP, s.ENGAGE, s.ASSIGN)
"""When items are used (HV-6.6)."""


# -- what cards may tell the player to do --------------------------------------------------------


def claims(state: HoplomachusState) -> list[Action]:
    """Return what a player may do because a card tells him: free text is carried out by hand
    (section 15)."""
    if state.stage == s.CHOOSE_HERO:
        return list(_revealed(state))
    if state.stage == s.OVER:
        return []
    if state.stage == s.CHOOSE_TACTIC:
        return list(tuckings(state))
    if state.awaited[0] == s.REMOVE:
        return [*tops(state), *tuckings(state)]
    found = [*_changes(state), *_shifts(state), *_swaps(state), *_cards(state), *tuckings(state)]
    return [*found, *tops(state)] if state.awaited[0] in _SHOWING else found


@lru_cache(4)
def standing(state: HoplomachusState) -> tuple[frozenset[Action], frozenset[Action]]:
    """Return the legal actions and the claims as sets: many rulings are asked of one state."""
    return frozenset(legal(state)), frozenset(claims(state))


_SHOWING = (s.CAMP, s.ACT, s.ADD)
"""When it matters which cards lie open on the camps."""


def _revealed(state: HoplomachusState) -> Iterator[Action]:
    """Yield what may lie on the table instead of what was drawn: another lieutenant, other
    heroes."""
    deck = deck_of(state)
    for name in by_kind(deck, LIEUTENANT):
        if name != state.lieutenant:
            yield Action("lieutenant", detail=name)
    for shown in state.offered:
        for name in by_kind(deck, HERO):
            if name not in state.offered:
                yield Action("reveal", detail=f"{shown}>{name}")


def hidden(state: HoplomachusState) -> tuple[str, ...]:
    """Return the cards that lie under others in the camps: nobody knows where."""
    return tuple(sorted(name for pile in state.piles for name in pile[:-1]))


def tops(state: HoplomachusState) -> Iterator[Action]:
    """Yield what may lie open on a camp instead of what was drawn: any hidden card."""
    names = hidden(state)
    for camp, pile in enumerate(state.piles):
        if pile:
            for name in names:
                yield Action("top", detail=f"{CAMPS[camp]} {name}")


def tuckings(state: HoplomachusState) -> Iterator[Action]:
    """Yield under which other camps the primuses may lie than was thought (R2)."""
    for camp, name in enumerate(state.primuses):
        for other in range(len(CAMPS)) if name else ():
            if other != camp:
                yield Action("tuck", detail=f"{name}>{CAMPS[other]}")


def _changes(state: HoplomachusState) -> Iterator[Action]:
    for stat in STATS:
        value = getattr(state, stat)
        if value < state.house.most:
            yield Action(stat, detail="+1")
        if value > (0 if stat == "health" else 1):
            yield Action(stat, detail="-1")


def dice_in(state: HoplomachusState, name: str) -> Iterator[tuple[int, str]]:
    """Yield the colours of the dice in zone ``name``, each as it is written; of active dice that
    show something each face too, for the player chooses among them (HV-8.3)."""
    for colour, count in enumerate(zone(state, name)):
        if count:
            yield colour, COLOURS[colour]
            for face in range(3) if name == "active" else ():
                if state.shown[colour][face]:
                    yield colour, f"{COLOURS[colour]}={FACES[face]}"


def _shifts(state: HoplomachusState) -> Iterator[Action]:
    for origin, target in product(s.ZONES, repeat=2):
        if origin != target:
            for _, die in dice_in(state, origin):
                yield Action("shift", detail=f"{die} {origin}>{target}")


def _swaps(state: HoplomachusState) -> Iterator[Action]:
    """Yield every reinforcing and weakening that the training ground allows (HV-8.3)."""
    for verb, step in (("reinforce", 1), ("weaken", -1)):
        for name in ("reserve", "active", "exhausted"):
            for colour, die in dice_in(state, name):
                if nearest(state.training, colour, step) is not None:
                    yield Action(verb, detail=f"{die} {name}")


def _cards(state: HoplomachusState) -> Iterator[Action]:
    if state.awaited[0] != s.LIMIT:
        yield from _surplus(state)
    for item in state.items:
        if card_of(item).kind == OPPORTUNITY and item not in state.ready:
            yield Action("fulfil", detail=item)
    if state.stage in (s.ENGAGE, s.ROLL, s.ASSIGN) and not state.owed:
        for enemy in state.standing:
            yield Action("strike", detail=enemy.card)
    for camp, pile in enumerate(state.piles):
        if pile:
            yield Action("toss", detail=CAMPS[camp])
    if state.awaited[0] == s.ASSIGN:
        for colour, counts in enumerate(state.shown):
            for before, after in product(range(3), repeat=2):
                if before != after and counts[before] and (after != BLANK or colour != 4):
                    told = f"{COLOURS[colour]}={FACES[before]}>{FACES[after]}"
                    yield Action("reroll", detail=told)
