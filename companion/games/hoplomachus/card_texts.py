"""Both sides of every card that may be read now, those first that a decision is about: nobody
has to choose what he has not read."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import (
    CARNAGE,
    HERO,
    INSTANT,
    LIEUTENANT,
    OPPORTUNITY,
    PERMANENT,
    SINGLE,
    SPORT,
    TACTIC,
    UNIVERSAL,
    Card,
    by_kind,
)
from companion.games.hoplomachus.geometry import CAMPS, NAMES, TOP
from companion.games.hoplomachus.moves import called_up, reachable, suppliers
from companion.games.hoplomachus.state import HoplomachusState, card_of, deck_of
from companion.rules import CardSide, CardText, Text, say

_KINDS = {
    SPORT: say("Sport"), CARNAGE: say("Carnage"), OPPORTUNITY: say("Opportunity"),
    TACTIC: say("Tactic"), HERO: say("Hero"), UNIVERSAL: say("Universal hero"),
}  # fmt: skip
_TIMINGS = {
    INSTANT: say("Reward, at once"), SINGLE: say("Reward, for one use"),
    PERMANENT: say("Reward, to keep"), "": say("Reward"),
}  # fmt: skip


def card_texts(state: HoplomachusState) -> tuple[CardText, ...]:
    """Return every card that may be read now, first those that the decision is about."""
    asked = set(_asked(state))
    found = {name: where for name, where in _lying(state) if name}
    read = [
        CardText(name, where, _sides(card_of(name)), name in asked, _lacks(card_of(name)))
        for name, where in found.items()
    ]
    return tuple(sorted(read, key=lambda card: not card.asked))


def _lying(state: HoplomachusState) -> Iterator[tuple[str, Text]]:
    """Yield each card that lies open or may be looked at, and where it lies."""
    if state.stage == s.CHOOSE_HERO:
        for name in state.offered:
            yield name, say("revealed")
    if state.stage == s.CHOOSE_TACTIC:
        for name in by_kind(deck_of(state), UNIVERSAL):
            yield name, say("in the box")
    yield state.hero, say("your hero")
    for enemy in state.enemies:
        yield enemy.card, say("defeated") if enemy.beaten else say("active enemy")
    yield state.awaited[1] if state.awaited[0] in _NAMED else "", say("in question")
    yield from _on_the_mountain(state)
    heaps = (
        (state.items, say("at hand")),
        (state.tactics, say("among the tactics")),
        (called_up(state) if state.awaited[0] == s.ALLY else (), say("in the discard")),
        (state.influence[::-1], say("in the influence pile")),
    )
    for cards, where in heaps:
        for name in cards:
            yield name, where


def _on_the_mountain(state: HoplomachusState) -> Iterator[tuple[str, Text]]:
    for camp, pile in enumerate(state.piles):
        yield pile[-1] if pile else "", say("open on {camp}", camp=CAMPS[camp])
    for camp, name in enumerate(state.primuses):
        yield name, say("primus under {camp}", camp=CAMPS[camp])
    if state.chip != TOP:
        yield state.lieutenant, say("lieutenant on {camp}", camp=NAMES[TOP])


_NAMED = (s.OPENED, s.REWARD, s.GAIN, s.PLAGUE)
_FIGHTING = (s.ENGAGE, s.ROLL, s.ASSIGN, s.RECOVER, s.LATER)


def _asked(state: HoplomachusState) -> Iterator[str]:
    """Yield the cards that the decision is about which is awaited."""
    kind, what = state.awaited
    camps = {
        s.REMOVE: range(len(CAMPS)),
        s.CAMP: reachable(state) if kind == s.CAMP else (),
        s.ACT: (state.chip,),
        s.ADD: suppliers(state, int(what)) if kind == s.ADD else (),
    }.get(kind, ())
    for camp in camps:
        yield from state.piles[camp][-1:]
        yield state.primuses[camp]
    if kind == s.CHOOSE_HERO:
        yield from state.offered
    if kind in (s.CHOOSE_TACTIC, s.REWARD, s.GAIN):
        yield from state.tactics
        yield from by_kind(deck_of(state), UNIVERSAL) if kind == s.CHOOSE_TACTIC else ()
    if kind in (s.CHOOSE_HERO, s.CAMP, s.ACT, s.SCOUTED, s.FINAL):
        yield state.lieutenant
    if kind in _NAMED:
        yield what
    if kind in _FIGHTING:
        yield state.hero
        yield from (enemy.card for enemy in state.enemies)
    if kind in (*_FIGHTING, s.CAMP, s.LIMIT, s.OPENED, s.GAIN):
        yield from state.items
    if kind == s.ALLY:
        yield from called_up(state)


def _sides(card: Card) -> tuple[CardSide, ...]:
    if card.kind == HERO:
        return (
            _led(card),
            CardSide(say("Primus"), (*_fought(card), _text(say("Plague"), card.plague))),
        )
    if card.kind == UNIVERSAL:
        return (_led(card),)
    if card.kind == LIEUTENANT:
        allies = say("{what}: {count}", what=say("Allies"), count=card.allies)
        scouting = (_text(say("Penalty for scouting"), card.penalty),)
        return (CardSide(say("Scouting side"), scouting),
                CardSide(say("Conflict side"), (*_fought(card), allies)))  # fmt: skip
    if card.kind == OPPORTUNITY:
        condition = (_text(say("Condition"), card.effect), *_icons(card))
        reward = (_text(_TIMINGS[card.timing], card.reward),)
        return (CardSide(_KINDS[OPPORTUNITY], condition), CardSide(say("Its other side"), reward))
    if card.kind == TACTIC:
        return (CardSide(_KINDS[TACTIC], (_text(_TIMINGS[SINGLE], card.reward),)),)
    return (CardSide(_KINDS[card.kind], tuple(_fought(card))),)


def _lacks(card: Card) -> bool:
    """Tell whether a text that every card of this kind has was never entered."""
    due = {
        HERO: (card.ability, card.plague), UNIVERSAL: (card.ability,),
        LIEUTENANT: (card.penalty,), TACTIC: (card.reward,),
        OPPORTUNITY: (card.effect, card.reward),
    }.get(card.kind, (card.reward,) if card.timing else ())  # fmt: skip
    return not all(due)


def _led(card: Card) -> CardSide:
    stats = say("Health {health}, Strategy {strategy}, Recovery {recovery}", health=card.health,
                strategy=card.strategy, recovery=card.recovery)  # fmt: skip
    return CardSide(_KINDS[card.kind], (stats, _text(say("Ability"), card.ability)))


def _fought(card: Card) -> Iterator[Text]:
    yield say("hits to defeat it: {hits}, damage: {damage}", hits=card.hits, damage=card.damage)
    yield from _icons(card)
    if card.timing or card.reward:
        yield _text(_TIMINGS[card.timing], card.reward)
    if card.effect:
        yield _text(say("Effect"), card.effect)


def _icons(card: Card) -> Iterator[Text]:
    if card.plus:
        yield say("{what}: {count}", what=say("More enemies"), count=card.plus)
    if card.influence:
        yield say("{what}: {count}", what=say("Influence"), count=card.influence)


def _text(what: Text, text: str) -> Text:
    """Return a text under its name; one that was never entered is left to the player."""
    return say("{what}: {text}", what=what, text=text or say("not entered; read it on the card"))
