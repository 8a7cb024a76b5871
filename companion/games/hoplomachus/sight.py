"""What the dice on the mat tell: where they should lie, and what was done when they lie elsewhere.

A die tells only of what happened since the position came about: one that lies as it lay was
neither thrown nor carried anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import MappingProxyType

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.moves import standing
from companion.games.hoplomachus.notation import read
from companion.games.hoplomachus.pieces import (
    COLOURS,
    FACES,
    INKS,
    NUMBER,
    SIDES,
    Dice,
    Shown,
    counted,
    in_words,
    one,
    plus,
)
from companion.games.hoplomachus.play import advance
from companion.games.hoplomachus.scorecards import ZONE_NAMES
from companion.games.hoplomachus.state import HoplomachusState
from companion.games.hoplomachus.words import in_inks
from companion.rules import Action, DieKind, Lying, Mat, MatReading, Point, Text, say

ACTIVE, RESERVE, EXHAUSTED, TRAINING = "active", "reserve", "exhausted", "training"
PLACES = 6
"""Enemies whose dice have a place of their own on the mat; those of all further ones share the
last."""


def _box(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


MAT = Mat(
    (420.0, 297.0),
    MappingProxyType({
        RESERVE: _box(-170, -140, -65, -10), ACTIVE: _box(-60, -140, 60, -10),
        EXHAUSTED: _box(65, -140, 170, -10), TRAINING: _box(-170, 5, -65, 140),
        "enemy.1": _box(-60, 5, -2, 70), "enemy.2": _box(2, 5, 60, 70),
        "enemy.3": _box(65, 5, 115, 70), "enemy.4": _box(-60, 75, -2, 140),
        "enemy.5": _box(2, 75, 60, 140), "enemy.6": _box(65, 75, 115, 140),
        "banished": _box(120, 5, 170, 140),
    }),
    MappingProxyType({
        colour: DieKind(
            NUMBER[k],
            tuple(face for face, n in zip(FACES, SIDES[k], strict=True) for _ in range(n)),
            INKS[k],
        )
        for k, colour in enumerate(COLOURS)
    }),
    ACTIVE,
)  # fmt: skip
"""An A3 mat; the corners are for the markers by which a camera finds it."""


def place_of(number: int) -> str:
    """Return the place of the dice on enemy ``number``, from 0."""
    return f"enemy.{min(number, PLACES - 1) + 1}"


def lying(state: HoplomachusState) -> dict[str, tuple[str, ...]]:
    """Return which dice should lie in which zone; what they show where it matters."""
    found = {name: _names(s.zone(state, name)) for name in s.ZONES}
    if any(map(sum, (*state.shown, *state.kept))):
        showing = _faces(state.shown) + _faces(state.kept)
        bare = _over(state.active, _colours(showing))
        found[ACTIVE] = (*sorted(showing.elements(), key=_number), *_names(bare))
    for number, enemy in enumerate(state.enemies):
        dice = tuple(f"{COLOURS[colour]} {FACES[face]}" for colour, face in enemy.assigned)
        found[place_of(number)] = (*found.get(place_of(number), ()), *dice)
    return {name: dice for name, dice in found.items() if dice}


def _faces(shown: Shown) -> Counter[str]:
    return Counter({
        f"{COLOURS[colour]} {FACES[face]}": counts[face]
        for colour, counts in enumerate(shown)
        for face in range(3)
        if counts[face]
    })  # fmt: skip


def _names(dice: Dice) -> tuple[str, ...]:
    return tuple(in_words(dice).split())


def _heap(dice: Lying, zone: str) -> Dice:
    return counted(COLOURS.index(die.split()[0]) for die in dice.get(zone, ()))


def _over(dice: Dice, other: Dice) -> Dice:
    """Return what ``dice`` have more than ``other``."""
    return tuple(max(0, mine - theirs) for mine, theirs in zip(dice, other, strict=True))


def told(state: HoplomachusState, seen: Lying, rest: Lying) -> MatReading:
    """Return what the dice tell that lie as ``seen``; ``rest`` are those that lie as they lay
    when ``state`` came about."""
    teller = _TELLERS.get(state.awaited[0])
    return (teller(state, seen, rest) if teller else None) or _differing(state, seen)


Teller = Callable[[HoplomachusState, Lying, Lying], MatReading | None]


def _differing(state: HoplomachusState, seen: Lying) -> MatReading:
    """Return what has to be put where so that the dice lie as the game stands."""
    wanted, lacking, words = lying(state), [], []
    for zone in MAT.zones:
        want, have = _heap(wanted, zone), _heap(seen, zone)
        if want != have:
            lacking.append(zone)
        if any(_over(want, have)):
            words.append(_put(_called(state, zone), _over(want, have)))
    if not words and lacking:
        words = [say("More dice lie on the mat than the game has.")]
    return MatReading(words=_listed(words), zones=tuple(lacking))


def _called(state: HoplomachusState, zone: str) -> str:
    """Return what people call a zone; the place of an enemy's dice after the enemy."""
    return ZONE_NAMES.get(zone) or _enemy(state, zone)


def _put(zone: str, dice: Dice) -> Text:
    return say("{zone}: put there {dice}.", zone=zone, dice=in_inks(dice))


def _listed(words: list[Text]) -> str:
    text: str = ""
    for other in words:
        text = say("{first} {second}", first=text, second=other) if text else other
    return text


def _roll(dice: tuple[str, ...]) -> Action:
    return read("roll " + " ".join(die.replace(" ", "=") for die in dice))


# -- strategy phases ------------------------------------------------------------------------------


def _rolled(state: HoplomachusState, seen: Lying, rest: Lying) -> MatReading:
    """All active dice were thrown, or some still have to be."""
    # What is kept from the roll lies as it lay (R6).
    dice = tuple((Counter(seen.get(ACTIVE, ())) - _faces(state.kept)).elements())
    still = _over(_heap(rest, ACTIVE), _colours(_faces(state.kept)))
    have = _heap(seen, ACTIVE)
    extra, missing = _over(have, state.active), _over(state.active, have)
    if any(extra):
        words = [say("These are no active dice: {dice}.", dice=in_inks(extra))]
        words += [say("Missing: {dice}.", dice=in_inks(missing))] if any(missing) else []
        # What lay there before is no throw.
        thrown = any(_over(extra, still))
        return MatReading((_roll(dice),) if thrown else (), words=_listed(words), zones=(ACTIVE,))
    if any(missing):
        return MatReading(words=say("Still to be rolled: {dice}.", dice=in_inks(missing)))
    if any(still):
        words = [say("Roll these too, or say that they were rolled: {dice}.", dice=in_inks(still))]
        return MatReading(asks=((_roll(dice),),), words=_listed(words))
    return MatReading((_roll(dice),))


def _engaged(state: HoplomachusState, seen: Lying, rest: Lying) -> MatReading | None:
    """Dice have joined the active ones; whether they were thrown at once has to be asked."""
    have, still = _heap(seen, ACTIVE), _heap(rest, ACTIVE)
    came = _over(have, state.active)
    lagging = any(_over(came, _over(have, still)))
    if any(_over(state.active, have)) or lagging or not sum(have):
        return None
    joined = Action("engage", detail=in_words(came))
    if any(_over(came, state.reserve)):
        return MatReading((joined,), words=_put(ZONE_NAMES[RESERVE], came), zones=(ACTIVE,))
    if plus(came, _heap(seen, RESERVE)) != state.reserve:
        return None
    if any(still):
        return _asked((joined,)) if any(came) else None
    thrown = (joined, _roll(seen[ACTIVE]))
    return _asked(thrown, (joined,)) if any(came) else _asked(thrown)


def _asked(*ways: tuple[Action, ...]) -> MatReading:
    return MatReading(asks=ways, words=say("Do these dice join, and were they rolled?"))


def _assigned(state: HoplomachusState, seen: Lying, rest: Lying) -> MatReading | None:
    """Dice were carried from the active ones to enemies, or one of them was turned."""
    active = Counter(seen.get(ACTIVE, ()))
    before = Counter(lying(state).get(ACTIVE, ()))
    gone, new = before - active, active - before
    came = _carried(state, seen)
    if not came:
        return _turned(gone, new)
    names = Counter(f"{COLOURS[colour]} {FACES[face]}" for _, colour, face in came)
    if new or _colours(names) != _colours(gone):
        return None
    if names != gone and len({place for place, _, _ in came}) > 1:
        words = say("A die that goes to an enemy keeps what it shows; turn it back.")
        return MatReading(words=words, zones=tuple(sorted({place for place, _, _ in came})))
    if names != gone:
        place = came[0][0]
        came = [(place, *_number(die)) for die in gone.elements()]
    return MatReading(_assignments(state, came))


def _number(die: str) -> tuple[int, int]:
    colour, face = die.split()
    return COLOURS.index(colour), FACES.index(face)


def _colours(dice: Counter[str]) -> Dice:
    return counted(_number(die)[0] for die in dice.elements())


def _carried(state: HoplomachusState, seen: Lying) -> list[tuple[str, int, int]]:
    """Return the dice that lie with enemies and did not: place, colour, face."""
    wanted, found = lying(state), []
    for place in (zone for zone in MAT.zones if zone.startswith("enemy")):
        want = Counter(wanted.get(place, ()))
        come = Counter(seen.get(place, ())) - want
        # A die that lay there may have been turned by whoever laid another beside it.
        over = _over(_heap(seen, place), _heap(wanted, place))
        for die in come.elements():
            colour, face = _number(die)
            if over[colour]:
                over = plus(over, one(colour), -1)
                found.append((place, colour, face))
    return found


def _turned(gone: Counter[str], new: Counter[str]) -> MatReading | None:
    """One active die shows something else: a card's text may have had it rolled again."""
    if gone.total() != 1 or _colours(gone) != _colours(new):
        return None
    (before,), (after,) = gone.elements(), new.elements()
    action = read(f"reroll {before.replace(' ', '=')}>{after.split()[1]}")
    return MatReading(
        asks=((action,),), words=say("A die shows something else. Was it rolled again?")
    )


def _assignments(state: HoplomachusState, came: list[tuple[str, int, int]]) -> tuple[Action, ...]:
    """Return the dice as assigned one after another, the weakest hits first; what the rules
    refuse ends them, and so does a reward that has to be taken first."""
    steps = []
    for place, face, colour in sorted((place, face, colour) for place, colour, face in came):
        if state.awaited[0] != s.ASSIGN:
            break
        action = Action("assign", detail=f"{COLOURS[colour]}={FACES[face]}>{_enemy(state, place)}")
        steps.append(action)
        if action not in standing(state)[0]:
            break
        state = advance(state, action)
    return tuple(steps)


def _enemy(state: HoplomachusState, place: str) -> str:
    """Return the enemy whose dice lie at ``place``: of several the first that stands."""
    there = [e for n, e in enumerate(state.enemies) if place_of(n) == place] or [state.enemies[-1]]
    return next((enemy.card for enemy in there if not enemy.beaten), there[0].card)


# -- resolution, rewards ---------------------------------------------------------------------------


def _after(state: HoplomachusState, action: Action, seen: Lying) -> bool:
    """Tell whether the dice lie as they do after a legal ``action``."""
    return not _differing(advance(state, action), seen).zones


def _recovered(state: HoplomachusState, seen: Lying, rest: Lying) -> MatReading | None:
    came = _over(_heap(seen, RESERVE), state.reserve)
    if not any(came):
        return None
    action = Action("recover", detail=in_words(came))
    if any(_over(came, state.exhausted)) or sum(came) > state.recovery:
        return MatReading((action,), words=_put(ZONE_NAMES[EXHAUSTED], came), zones=(RESERVE,))
    if not _after(state, action, seen):
        return None
    if sum(came) == min(state.recovery, sum(state.exhausted)):
        return MatReading((action,))
    return MatReading(asks=((action,),), words=say("Are these all the dice that recover?"))


def _single(verb: str, origin: str, target: str) -> Teller:
    """Return what tells that a single die went from ``origin`` to ``target``."""

    def tell(state: HoplomachusState, seen: Lying, rest: Lying) -> MatReading | None:
        came = _over(_heap(seen, target), s.zone(state, target))
        left = _over(s.zone(state, origin), _heap(seen, origin))
        if sum(came) != 1 or came != left:
            return None
        where = f" {origin}" if verb == "dismiss" else ""
        return MatReading((Action(verb, detail=in_words(came) + where),))

    return tell


def _dismissed(state: HoplomachusState, seen: Lying, rest: Lying) -> MatReading | None:
    found = (_single("dismiss", o, TRAINING)(state, seen, rest) for o in s.ZONES[:3])
    return next((told for told in found if told), None)


_TELLERS: dict[str, Teller] = {
    s.ROLL: _rolled, s.ENGAGE: _engaged, s.ASSIGN: _assigned, s.RECOVER: _recovered,
    s.SCOUTED: _single("recover", EXHAUSTED, RESERVE), s.DISMISS: _dismissed,
    s.REWARD: _single("recruit", TRAINING, RESERVE),
    s.GAIN: _single("recruit", TRAINING, RESERVE),
}  # fmt: skip
