"""What an action makes of a position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import (
    CARNAGE,
    INSTANT,
    OPPORTUNITY,
    PERMANENT,
    SPORT,
    TACTIC,
)
from companion.games.hoplomachus.geometry import CAMPS, NAMES, TOP
from companion.games.hoplomachus.moves import MOST, suppliers
from companion.games.hoplomachus.pieces import (
    COLOURS,
    FACES,
    NONE,
    Shown,
    counted,
    nearest,
    one,
    plus,
)
from companion.games.hoplomachus.state import Enemy, HoplomachusState, card_of, zone
from companion.rules import Action

NOTHING_SHOWN: Shown = ((0, 0, 0),) * 5


def advance(state: HoplomachusState, action: Action) -> HoplomachusState:
    """Return the state after a legal or claimed ``action``."""
    return settled(_STEPS[action.verb](state, action.detail))


def settled(state: HoplomachusState) -> HoplomachusState:
    """Do what has to be done without a choice, until there is one or the game is over."""
    while not state.ending:
        kind, what = state.awaited
        if state.health < 1 and state.hero and kind != s.REMOVE:
            return state._replace(ending=s.DIED, stage=s.OVER, owed=())
        if _needless(state, kind, what):
            state = paid(state)
        elif kind == s.ROLL and not any(state.active):
            state = _done(state, "")
        elif kind == s.UPKEEP:
            state = _upkeep(paid(state))
        elif kind != s.LIMIT and len(state.items) > state.strategy and state.hero:
            state = state._replace(owed=((s.LIMIT, ""), *state.owed))
        else:
            return state
    return state


def _needless(state: HoplomachusState, kind: str, what: str) -> bool:
    """Tell whether what is owed cannot be done, or need not be."""
    if kind == s.ADD:
        return not suppliers(state, int(what))
    if kind == s.RECOVER:
        return not (sum(state.exhausted) and state.recovery)
    if kind == s.DISMISS:
        return not any(map(sum, (state.reserve, state.active, state.exhausted)))
    return kind == s.LIMIT and len(state.items) <= state.strategy


def paid(state: HoplomachusState) -> HoplomachusState:
    """Return the state without what was owed first."""
    return state._replace(owed=state.owed[1:])


def owe(state: HoplomachusState, *more: tuple[str, str]) -> HoplomachusState:
    """Return the state with ``more`` owed after all the rest."""
    return state._replace(owed=(*state.owed, *more))


def _with(state: HoplomachusState, field: str, value: Any) -> HoplomachusState:
    changes: dict[str, Any] = {field: value}
    return state._replace(**changes)


# -- set-up ---------------------------------------------------------------------------------------


def _hero(state: HoplomachusState, name: str) -> HoplomachusState:
    card = card_of(name)
    return state._replace(
        stage=s.CHOOSE_TACTIC,
        hero=name,
        primuses=s.tucked(state.offered, name),
        health=card.health,
        strategy=card.strategy,
        recovery=card.recovery,
    )


def _tactic(state: HoplomachusState, name: str) -> HoplomachusState:
    """Take a tactic: at the start, or instead of a Sport card's reward."""
    tactics = tuple(other for other in state.tactics if other != name)
    state = state._replace(tactics=tactics, items=(*state.items, name))
    if state.stage == s.CHOOSE_TACTIC:
        owed = ((s.REMOVE, ""),) * s.REMOVED[state.rank]
        return state._replace(stage=s.CAMP, owed=owed, turn=1)
    return paid(state)


def _remove(state: HoplomachusState, name: str) -> HoplomachusState:
    """Remove a pile's top card at the start of a game of higher rank (HV-12.2)."""
    camp = CAMPS.index(name)
    card = state.piles[camp][-1]
    state = paid(_without_top(state, camp))
    if card_of(card).influence:
        return state._replace(influence=(*state.influence, card))
    return state._replace(discard=(*state.discard, card), owed=((s.DISMISS, ""), *state.owed))


def _without_top(state: HoplomachusState, camp: int) -> HoplomachusState:
    piles = list(state.piles)
    piles[camp] = piles[camp][:-1]
    return state._replace(piles=tuple(piles))


def _lieutenant(state: HoplomachusState, name: str) -> HoplomachusState:
    return state._replace(lieutenant=name)


def _reveal(state: HoplomachusState, told: str) -> HoplomachusState:
    """Let another hero lie open than the one that was drawn."""
    drawn, _, name = told.partition(">")
    return state._replace(offered=tuple(name if n == drawn else n for n in state.offered))


def _top(state: HoplomachusState, told: str) -> HoplomachusState:
    """Let a hidden card lie open on a camp; what was thought to lie there is hidden instead."""
    place, _, name = told.partition(" ")
    camp = CAMPS.index(place)
    open_card = state.piles[camp][-1]
    swap = {name: open_card, open_card: name}
    piles = tuple(tuple(swap.get(card, card) for card in pile) for pile in state.piles)
    return state._replace(piles=piles)


# -- activation -----------------------------------------------------------------------------------


def _go(state: HoplomachusState, name: str) -> HoplomachusState:
    return state._replace(chip=NAMES.index(name), stage=s.ACT)


def _scout(state: HoplomachusState, _: str) -> HoplomachusState:
    card = state.piles[state.chip][-1]
    state = _without_top(state, state.chip)._replace(discard=(*state.discard, card))
    return owe(state._replace(stage=s.CAMP), (s.SCOUTED, ""))


def _activate(state: HoplomachusState, _: str) -> HoplomachusState:
    name = state.piles[state.chip][-1]
    state = _without_top(state, state.chip)
    if card_of(name).kind == OPPORTUNITY:
        return owe(state._replace(stage=s.CAMP), (s.OPENED, name))
    return _faced(state._replace(stage=s.ENGAGE), Enemy(name, state.chip), state.chip)


def _fight(state: HoplomachusState, _: str) -> HoplomachusState:
    name, primuses = state.primuses[state.chip], list(state.primuses)
    primuses[state.chip] = ""
    state = state._replace(primuses=tuple(primuses), stage=s.ENGAGE, boss=name)
    return _faced(state, Enemy(name, state.chip), state.chip)


def _faced(state: HoplomachusState, enemy: Enemy, camp: int) -> HoplomachusState:
    """Make ``enemy`` active; its icons for more enemies are supplied from beside ``camp``."""
    state = state._replace(enemies=(*state.enemies, enemy))
    return owe(state, *(((s.ADD, str(camp)),) * card_of(enemy.card).plus))


def _add(state: HoplomachusState, name: str) -> HoplomachusState:
    camp = CAMPS.index(name)
    card = state.piles[camp][-1]
    return _faced(paid(_without_top(state, camp)), Enemy(card, camp), camp)


def _heal(state: HoplomachusState, _: str) -> HoplomachusState:
    return _next_turn(paid(state)._replace(health=min(MOST, state.health + 1)))


def _keep(state: HoplomachusState, _: str) -> HoplomachusState:
    name = state.awaited[1]
    return _next_turn(paid(state)._replace(items=(*state.items, name)))


def _drop(state: HoplomachusState, _: str) -> HoplomachusState:
    name = state.awaited[1]
    return _next_turn(paid(state)._replace(discard=(*state.discard, name)))


def _next_turn(state: HoplomachusState) -> HoplomachusState:
    """Begin a turn: in a lasting conflict with its strategy phases, else with a move, or with
    the Final when the last primus conflict is over (section 11)."""
    state = state._replace(phases=0, turn=state.turn + 1)
    if state.boss:
        return state._replace(stage=s.ENGAGE)
    return state._replace(stage=s.CAMP if any(state.primuses) else s.FINAL)


def _final(state: HoplomachusState, _: str) -> HoplomachusState:
    """Climb to the lieutenant; allies come from the influence pile, then from the discard."""
    left = tuple(card for pile in state.piles for card in pile)
    discard = (*state.discard, *left)
    wanted = card_of(state.lieutenant).allies
    called = [name for name in reversed(state.influence) if card_of(name).is_enemy][:wanted]
    influence = tuple(name for name in state.influence if name not in called)
    others = [name for name in discard if card_of(name).is_enemy][: wanted - len(called)]
    allies = tuple(Enemy(name) for name in (*called, *others))
    return state._replace(
        stage=s.ENGAGE,
        chip=TOP,
        piles=((),) * len(CAMPS),
        influence=influence,
        discard=tuple(name for name in discard if name not in others),
        enemies=(Enemy(state.lieutenant), *allies),
        boss=state.lieutenant,
        phases=0,
    )


# -- strategy phases ------------------------------------------------------------------------------


def _engage(state: HoplomachusState, told: str) -> HoplomachusState:
    dice = counted(map(COLOURS.index, told.split()))
    return state._replace(
        reserve=plus(state.reserve, dice, -1),
        active=plus(state.active, dice),
        shown=NOTHING_SHOWN,
        phases=state.phases + 1,
        stage=s.ROLL,
    )


def read_roll(told: str) -> Shown:
    """Return the dice of a roll by colour and face, from ``yellow=hit blue=crit``."""
    shown = [[0, 0, 0] for _ in COLOURS]
    for part in told.split():
        colour, _, face = part.partition("=")
        shown[COLOURS.index(colour)][FACES.index(face)] += 1
    return tuple((blank, hit, crit) for blank, hit, crit in shown)


def _roll(state: HoplomachusState, told: str) -> HoplomachusState:
    return state._replace(shown=read_roll(told), stage=s.ASSIGN)


def read_assignment(told: str) -> tuple[int, int, str]:
    """Return colour, face and enemy of ``blue=crit>Wolf``."""
    die, _, enemy = told.partition(">")
    colour, _, face = die.partition("=")
    return COLOURS.index(colour), FACES.index(face), enemy


def _assign(state: HoplomachusState, told: str) -> HoplomachusState:
    colour, face, name = read_assignment(told)
    shown = _turned(state.shown, colour, face, None)
    state = state._replace(active=plus(state.active, one(colour), -1), shown=shown)
    enemy = next(e for e in state.standing if e.card == name)
    struck = enemy._replace(assigned=(*enemy.assigned, (colour, face)))
    state = _with_enemy(state, struck)
    return _beaten(state, struck) if struck.hits >= card_of(name).hits else state


def _turned(shown: Shown, colour: int, before: int, after: int | None) -> Shown:
    """Return the showing dice with one of ``colour`` turned, or taken away for None."""
    counts = list(shown[colour])
    counts[before] -= 1
    if after is not None:
        counts[after] += 1
    changed = (counts[0], counts[1], counts[2])
    return (*shown[:colour], changed, *shown[colour + 1 :])


def _with_enemy(state: HoplomachusState, changed: Enemy) -> HoplomachusState:
    return state._replace(
        enemies=tuple(changed if enemy.card == changed.card else enemy for enemy in state.enemies)
    )


def _beaten(state: HoplomachusState, enemy: Enemy) -> HoplomachusState:
    """Defeat an enemy at once; an instant reward of a Sport card, or what it may give instead,
    is taken now (HV-6.5). The last one beside the lieutenant wins the game (R12)."""
    state = _with_enemy(state, enemy._replace(beaten=True))
    if state.chip == TOP and not state.standing:
        return state._replace(ending=s.WON, stage=s.OVER, owed=())
    card = card_of(enemy.card)
    if card.kind == SPORT and card.timing == INSTANT:
        return owe(state, (s.REWARD, enemy.card))
    return state


def _done(state: HoplomachusState, _: str) -> HoplomachusState:
    """End a strategy phase; the last one is followed by the resolution."""
    if state.standing and state.phases < state.strategy:
        return state._replace(stage=s.ENGAGE)
    return _resolved(state)


# -- resolution -----------------------------------------------------------------------------------


def _resolved(state: HoplomachusState) -> HoplomachusState:
    """Take damage and exhaust the dice; what the player has to choose is owed (section 7)."""
    hurting = [enemy for enemy in state.standing if card_of(enemy.card).damage]
    damage = sum(card_of(enemy.card).damage for enemy in hurting)
    state = state._replace(health=max(0, state.health - damage), shown=NOTHING_SHOWN)
    spent = state.active
    enemies = []
    for enemy in state.enemies:
        if not state.boss or enemy.beaten:
            spent = plus(spent, counted(colour for colour, _ in enemy.assigned))
            enemy = enemy._replace(assigned=())
        enemies.append(enemy)
    state = state._replace(
        active=NONE, exhausted=plus(state.exhausted, spent), enemies=tuple(enemies)
    )
    gains = [
        (s.GAIN, enemy.card)
        for enemy in state.enemies
        if enemy.beaten and card_of(enemy.card).is_item
    ]
    fines = [(s.DISMISS, "") for enemy in hurting if card_of(enemy.card).kind == CARNAGE]
    return owe(state._replace(stage=s.CAMP), (s.RECOVER, ""), *gains, *fines, (s.UPKEEP, ""))


def _upkeep(state: HoplomachusState) -> HoplomachusState:
    """Put the cards away: influence of the defeated, the rest to the discard (section 7, 6);
    then the next turn, or the plague of a primus when its conflict is over (HV-9.5)."""
    influence, discard = list(state.influence), list(state.discard)
    stay = []
    for enemy in state.enemies:
        name, card = enemy.card, card_of(enemy.card)
        if state.boss and not enemy.beaten:
            stay.append(enemy)
        elif enemy.beaten and card.influence and state.chip != TOP:
            influence.append(name)
        else:
            discard.append(name)
    state = state._replace(enemies=tuple(stay), influence=tuple(influence), discard=tuple(discard))
    if state.boss and not stay:
        return owe(state._replace(boss=""), (s.PLAGUE, state.boss))
    return _next_turn(state)


def _recover(state: HoplomachusState, told: str) -> HoplomachusState:
    dice = counted(map(COLOURS.index, told.split()))
    scouted = state.awaited[0] == s.SCOUTED
    state = paid(state)._replace(
        reserve=plus(state.reserve, dice), exhausted=plus(state.exhausted, dice, -1)
    )
    return _next_turn(state) if scouted else state


def _take(state: HoplomachusState, _: str) -> HoplomachusState:
    """Take a reward: an instant one is carried out by the player, an item is kept."""
    kind, name = state.awaited
    if kind == s.REWARD:
        return paid(state)
    left = tuple(enemy for enemy in state.enemies if enemy.card != name)
    return paid(state)._replace(items=(*state.items, name), enemies=left)


def _refuse(state: HoplomachusState, _: str) -> HoplomachusState:
    return paid(state)


def _recruit(state: HoplomachusState, told: str) -> HoplomachusState:
    die = one(COLOURS.index(told))
    return paid(state)._replace(
        reserve=plus(state.reserve, die), training=plus(state.training, die, -1)
    )


def _dismiss(state: HoplomachusState, told: str) -> HoplomachusState:
    colour, name = told.split()
    return paid(_shifted(state, COLOURS.index(colour), name, "training"))


def _shifted(state: HoplomachusState, colour: int, origin: str, target: str) -> HoplomachusState:
    """Carry a die from zone to zone; one that leaves the active ones shows nothing there any
    more, one that comes there is not rolled yet and counts as a blank."""
    die = one(colour)
    state = _with(state, origin, plus(zone(state, origin), die, -1))
    state = _with(state, target, plus(zone(state, target), die))
    if origin == "active" and any(map(sum, state.shown)):
        face = next(face for face in range(3) if state.shown[colour][face])
        state = state._replace(shown=_turned(state.shown, colour, face, None))
    if target == "active" and state.stage == s.ASSIGN:
        blanks = list(state.shown[colour])
        blanks[0] += 1
        shown = (*state.shown[:colour], (blanks[0], blanks[1], blanks[2]),
                 *state.shown[colour + 1 :])  # fmt: skip
        state = state._replace(shown=shown)
    return state


# -- items, and what cards tell ------------------------------------------------------------------


def _discard(state: HoplomachusState, name: str) -> HoplomachusState:
    """Put an item away: a tactic to its area, an icon of influence to the pile (HV-8.4, 8.5)."""
    card = card_of(name)
    items = tuple(other for other in state.items if other != name)
    state = state._replace(items=items, ready=state.ready - {name})
    if card.kind == TACTIC:
        return state._replace(tactics=(*state.tactics, name))
    if card.influence:
        return state._replace(influence=(*state.influence, name))
    return state._replace(discard=(*state.discard, name))


def _use(state: HoplomachusState, name: str) -> HoplomachusState:
    return state if card_of(name).timing == PERMANENT else _discard(state, name)


def _fulfil(state: HoplomachusState, name: str) -> HoplomachusState:
    return state._replace(ready=state.ready | {name})


def _stat(name: str) -> Callable[[HoplomachusState, str], HoplomachusState]:
    def change(state: HoplomachusState, told: str) -> HoplomachusState:
        return _with(state, name, getattr(state, name) + int(told))

    return change


def _shift(state: HoplomachusState, told: str) -> HoplomachusState:
    colour, _, way = told.partition(" ")
    origin, _, target = way.partition(">")
    return _shifted(state, COLOURS.index(colour), origin, target)


def _swap(step: int) -> Callable[[HoplomachusState, str], HoplomachusState]:
    def change(state: HoplomachusState, told: str) -> HoplomachusState:
        name, place = told.split()
        colour = COLOURS.index(name)
        other = nearest(state.training, colour, step)
        assert other is not None, "the training ground holds such a die"
        state = _shifted(state, colour, place, "training")
        return _shifted(state, other, "training", place)

    return change


def _strike(state: HoplomachusState, name: str) -> HoplomachusState:
    return _beaten(state, next(enemy for enemy in state.standing if enemy.card == name))


def _toss(state: HoplomachusState, name: str) -> HoplomachusState:
    camp = CAMPS.index(name)
    card = state.piles[camp][-1]
    state = _without_top(state, camp)
    if state.awaited[0] == s.ACT and camp == state.chip and state.is_empty(camp):
        state = state._replace(stage=s.CAMP)
    return state._replace(discard=(*state.discard, card))


def _reroll(state: HoplomachusState, told: str) -> HoplomachusState:
    colour, _, faces = told.partition("=")
    before, _, after = faces.partition(">")
    number = COLOURS.index(colour)
    shown = _turned(state.shown, number, FACES.index(before), FACES.index(after))
    return state._replace(shown=shown)


def _stop(state: HoplomachusState, _: str) -> HoplomachusState:
    return _resolved(state)


def _over(state: HoplomachusState, action: str) -> HoplomachusState:
    if state.awaited[0] == s.PLAGUE:
        return _next_turn(paid(state))
    return _done(state, action)


_STEPS: dict[str, Callable[[HoplomachusState, str], HoplomachusState]] = {
    "hero": _hero, "tactic": _tactic, "remove": _remove, "go": _go, "scout": _scout,
    "activate": _activate, "fight": _fight, "add": _add, "heal": _heal, "keep": _keep,
    "drop": _drop, "final": _final, "engage": _engage, "roll": _roll, "assign": _assign,
    "stop": _stop, "done": _over, "recover": _recover, "take": _take, "refuse": _refuse,
    "recruit": _recruit, "dismiss": _dismiss, "discard": _discard, "use": _use,
    "fulfil": _fulfil, "health": _stat("health"), "strategy": _stat("strategy"),
    "recovery": _stat("recovery"), "shift": _shift, "reinforce": _swap(1), "weaken": _swap(-1),
    "lieutenant": _lieutenant, "reveal": _reveal, "top": _top,
    "strike": _strike, "toss": _toss, "reroll": _reroll,
}  # fmt: skip
