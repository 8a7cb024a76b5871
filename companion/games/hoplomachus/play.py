"""What an action makes of a position."""

from __future__ import annotations

import random

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus import texts
from companion.games.hoplomachus.cards import (
    CARNAGE,
    INSTANT,
    OPPORTUNITY,
    PERMANENT,
    SPORT,
)
from companion.games.hoplomachus.changes import owe, paid, put_away, shifted, turned, without_top
from companion.games.hoplomachus.geometry import CAMPS, NAMES, TOP
from companion.games.hoplomachus.moves import called_up, suppliers
from companion.games.hoplomachus.pieces import (
    COLOURS,
    FACES,
    NONE,
    NOTHING_SHOWN,
    Shown,
    counted,
    one,
    plus,
)
from companion.games.hoplomachus.state import Enemy, HoplomachusState, card_of
from companion.rules import Action


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
        elif kind == s.ROLL and not any(state.thrown):
            state = _roll(state, "") if any(state.active) else _done(state, "")
        elif kind == s.UPKEEP:
            state = _upkeep(paid(state))
        elif kind != s.LIMIT and state.hero and _too_many(state):
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
    if kind == s.ALLY:
        return not called_up(state)
    return kind == s.LIMIT and not _too_many(state)


def _too_many(state: HoplomachusState) -> bool:
    return len(state.items) > state.strategy and not state.house.keeps_surplus


# -- set-up ---------------------------------------------------------------------------------------


def _hero(state: HoplomachusState, name: str) -> HoplomachusState:
    primuses = s.tucked(state.offered, name)
    return _led(state._replace(stage=s.CHOOSE_TACTIC, primuses=primuses), name)


def _led(state: HoplomachusState, name: str) -> HoplomachusState:
    """Return the state with ``name`` as hero; one whose place he takes goes back to the box."""
    card = card_of(name)
    return state._replace(
        hero=name,
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
    state = paid(without_top(state, camp))
    if card_of(card).influence:
        return state._replace(influence=(*state.influence, card))
    return state._replace(discard=(*state.discard, card), owed=((s.DISMISS, ""), *state.owed))


# -- activation -----------------------------------------------------------------------------------


def _go(state: HoplomachusState, name: str) -> HoplomachusState:
    return state._replace(chip=NAMES.index(name), stage=s.ACT)


def _scout(state: HoplomachusState, _: str) -> HoplomachusState:
    card = state.piles[state.chip][-1]
    state = without_top(state, state.chip)._replace(discard=(*state.discard, card))
    return owe(state._replace(stage=s.CAMP), (s.SCOUTED, ""))


def _activate(state: HoplomachusState, _: str) -> HoplomachusState:
    name = state.piles[state.chip][-1]
    state = without_top(state, state.chip)
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
    return _faced(paid(without_top(state, camp)), Enemy(card, camp), camp)


def _heal(state: HoplomachusState, _: str) -> HoplomachusState:
    return _next_turn(paid(state)._replace(health=min(state.house.most, state.health + 1)))


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
    state = state._replace(
        stage=s.ENGAGE,
        chip=TOP,
        piles=((),) * len(CAMPS),
        influence=tuple(name for name in state.influence if name not in called),
        discard=discard,
        enemies=(Enemy(state.lieutenant), *map(Enemy, called)),
        boss=state.lieutenant,
        phases=0,
    )
    missing = wanted - len(called)
    if state.house.allies_drawn:
        return owe(state, *((s.ALLY, ""),) * missing)
    for name in called_up(state)[:missing]:
        state = _joined(state, name)
    return state


def _joined(state: HoplomachusState, name: str) -> HoplomachusState:
    """Return the Final with another ally, out of the discard."""
    return state._replace(
        enemies=(*state.enemies, Enemy(name)),
        discard=tuple(card for card in state.discard if card != name),
    )


def _ally(state: HoplomachusState, name: str) -> HoplomachusState:
    return _joined(paid(state), name)


def _draw(state: HoplomachusState, _: str) -> HoplomachusState:
    """Draw an ally for the player: at random, and the same again when the game is replayed."""
    drawn = random.Random(f"ally {dict(state.options)['deal']} {state.turn} {state.discard}")
    return _ally(state, drawn.choice(called_up(state)))


# -- strategy phases ------------------------------------------------------------------------------


def _engage(state: HoplomachusState, told: str) -> HoplomachusState:
    dice = counted(map(COLOURS.index, told.split()))
    return state._replace(
        reserve=plus(state.reserve, dice, -1),
        active=plus(state.active, dice),
        shown=state.shown if state.house.keeps_hits else NOTHING_SHOWN,
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
    rolled = zip(read_roll(told), state.kept, strict=True)
    shown = tuple((a + d, b + e, c + f) for (a, b, c), (d, e, f) in rolled)
    return state._replace(shown=shown, kept=NOTHING_SHOWN, stage=s.ASSIGN)


def _hold(state: HoplomachusState, told: str) -> HoplomachusState:
    """Keep an active die that shows a hit from the roll (R6)."""
    colour, _, face = told.partition("=")
    number, shows = COLOURS.index(colour), FACES.index(face)
    return state._replace(
        shown=turned(state.shown, number, shows, None),
        kept=turned(state.kept, number, None, shows),
    )


def read_assignment(told: str) -> tuple[int, int, str]:
    """Return colour, face and enemy of ``blue=crit>Wolf``."""
    die, _, enemy = told.partition(">")
    colour, _, face = die.partition("=")
    return COLOURS.index(colour), FACES.index(face), enemy


def _assign(state: HoplomachusState, told: str) -> HoplomachusState:
    colour, face, name = read_assignment(told)
    shown = turned(state.shown, colour, face, None)
    state = state._replace(active=plus(state.active, one(colour), -1), shown=shown)
    enemy = next(e for e in state.standing if e.card == name)
    struck = enemy._replace(assigned=(*enemy.assigned, (colour, face)))
    state = _with_enemy(state, struck)
    return _beaten(state, struck) if struck.hits >= card_of(name).hits else state


def _with_enemy(state: HoplomachusState, changed: Enemy) -> HoplomachusState:
    return state._replace(
        enemies=tuple(changed if enemy.card == changed.card else enemy for enemy in state.enemies)
    )


def _beaten(state: HoplomachusState, enemy: Enemy) -> HoplomachusState:
    """Defeat an enemy at once; an instant reward, or what a Sport card may give instead, is taken
    now (HV-6.5). The last one beside the lieutenant wins the game (R12)."""
    state = _with_enemy(state, enemy._replace(beaten=True))
    if state.chip == TOP and not state.standing:
        if state.house.effects_before_win and any(card_of(e.card).effect for e in state.enemies):
            return state._replace(owed=((s.LATER, ""),))
        return _won(state)
    card = card_of(enemy.card)
    if card.timing == INSTANT and (card.kind == SPORT or state.house.all_instant):
        return owe(state, (s.REWARD, enemy.card))
    return state


def _won(state: HoplomachusState) -> HoplomachusState:
    return state._replace(ending=s.WON, stage=s.OVER, owed=())


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
    return paid(shifted(state, (COLOURS.index(colour), None), name, "training"))


def _use(state: HoplomachusState, name: str) -> HoplomachusState:
    return state if card_of(name).timing == PERMANENT else put_away(state, name)


def _strike(state: HoplomachusState, name: str) -> HoplomachusState:
    return _beaten(state, next(enemy for enemy in state.standing if enemy.card == name))


def _stop(state: HoplomachusState, _: str) -> HoplomachusState:
    return _resolved(state)


def _over(state: HoplomachusState, action: str) -> HoplomachusState:
    if state.awaited[0] == s.PLAGUE:
        return _next_turn(paid(state))
    if state.awaited[0] == s.LATER:
        return _won(state)
    return _done(state, action)


_STEPS: dict[str, texts.Step] = {
    "hero": _hero, "universal": _led, "tactic": _tactic, "remove": _remove, "go": _go,
    "scout": _scout, "activate": _activate, "fight": _fight, "add": _add, "heal": _heal,
    "keep": _keep, "drop": _drop, "final": _final, "ally": _ally, "draw": _draw,
    "engage": _engage, "hold": _hold, "roll": _roll, "assign": _assign, "stop": _stop,
    "done": _over, "recover": _recover, "take": _take, "refuse": _refuse, "recruit": _recruit,
    "dismiss": _dismiss, "discard": put_away, "use": _use, "strike": _strike, **texts.STEPS,
}  # fmt: skip
