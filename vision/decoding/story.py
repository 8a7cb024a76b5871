"""Stories: sequences of actions that may explain a picture, and what they leave on the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations
from typing import Any, Generic

from companion.rules import Action, Game, Position, S, accepted
from vision.decoding.differences import DOUBT
from vision.decoding.prior import PRIOR
from vision.decoding.reading import Step
from vision.tokens.eye import Seen


@dataclass(frozen=True, slots=True)
class Standing:
    """A refused move whose token is still where it was put: from where, to where, and what both
    spots held before."""

    action: Action
    before: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Story(Generic[S]):
    """What may have happened: the steps, and the state of the game and of the table after them.

    ``touched`` are the spots whose token changed. On the ``swapped`` spots lies what
    belongs on another of them, though nobody moved it by a step. ``cost`` is the prior cost in
    nats. So many of the steps were ``shown`` by an earlier picture, which left a doubt.
    """

    state: S
    table: Mapping[str, str]
    steps: tuple[Step, ...] = ()
    standing: tuple[Standing, ...] = ()
    touched: frozenset[str] = frozenset()
    swapped: frozenset[str] = frozenset()
    cost: float = 0.0
    shown: int = 0

    @property
    def new(self) -> tuple[Step, ...]:
        """Return the steps that no earlier picture showed."""
        return self.steps[self.shown :]

    @property
    def left(self) -> frozenset[str | None]:
        """Return the spots that an earlier picture showed to be left."""
        return frozenset(step.action.origin for step in self.steps[: self.shown])

    @property
    def moves(self) -> int:
        """Return how many steps a camera can see."""
        return len(self.visible)

    @property
    def visible(self) -> tuple[Step, ...]:
        """Return the steps that a camera can see; what is only said moves nothing."""
        return tuple(step for step in self.steps if step.action.target is not None)

    @property
    def last(self) -> Action | None:
        """Return the last action that a camera can see; None where there is none."""
        return self.visible[-1].action if self.moves else None

    @property
    def single(self) -> Action | None:
        """Return the one action that a camera can see; None where there is none or are several."""
        return self.last if self.moves == 1 else None

    @property
    def plain(self) -> bool:
        """Tell whether it is play by the rules alone: nothing was taken back, refused or swapped,
        and no refused move stands from before."""
        return not (self.standing or self.swapped) and all(step.legal for step in self.steps)

    @property
    def new_moves(self) -> int:
        """Return how many steps a camera can see that no earlier picture showed."""
        return sum(step.action.target is not None for step in self.new)

    def off(self, step: Step) -> bool:
        """Tell whether what ``step`` moved is no longer on the board: it left it, or was captured
        in turn. What lies there now may have been put back."""
        spot, later = step.action.target, self.steps[self.steps.index(step) + 1 :]
        back = any(s.action.origin is None and s.action.target == spot for s in later)
        left = {s.action.origin for s in self.steps}
        return spot not in left and (back or spot not in self.table)

    @property
    def gone(self) -> bool:
        """Tell whether something that was moved is no longer on the board."""
        return any(map(self.off, self.visible))

    def held(self, near: Collection[str]) -> bool:
        """Tell whether a hand may still hold something that was moved: it is nowhere on the board,
        or on one of the spots ``near``, where the rules refuse it."""
        refused = (step.action.target in near for step in self.visible if step.refused)
        return self.gone or any(refused)

    @property
    def ways(self) -> frozenset[tuple[str | None, str | None]]:
        """Return the (origin, target) of everything that was moved from one spot to another;
        nothing for spoken actions and tokens put back from beside the board."""
        ways = frozenset((step.action.origin, step.action.target) for step in self.steps)
        return frozenset(way for way in ways if None not in way)

    @property
    def strayed(self) -> frozenset[str]:
        """Return the spots to which refused steps carried something."""
        return frozenset(str(step.action.target) for step in self.steps if step.refused)

    @property
    def back(self) -> bool:
        """Tell whether some step takes back an earlier move."""
        return any(step.takeback for step in self.steps)

    @property
    def illegal(self) -> int:
        """Return the number of steps that the rules refuse."""
        return sum(step.refused for step in self.steps)

    @property
    def key(self) -> tuple[str, ...]:
        """Return it as texts to compare with another."""
        return (*sorted(self.swapped), *(f"{step.action}{step.takeback}" for step in self.steps))

    @property
    def order(self) -> tuple[str, ...]:
        """Return the moves that a camera sees, in the order of play."""
        return tuple(f"{step.action}{step.takeback}" for step in self.visible)

    @property
    def outcome(self) -> tuple[str, ...]:
        """Return what was moved from where to where in the end; in which order no picture tells,
        nor where it stopped on the way, nor over which spot a token left the board, nor whether it
        was played or a move before was taken back. Where nothing was moved it is what changed
        places."""
        told: list[tuple[str | None, str | None]] = []
        for step in self.visible:
            action = step.action
            away = step.takeback is None and self.off(step) and action.origin
            begun = next((way for way in told if step.legal and way[1] == action.origin), None)
            if begun is not None:
                told.remove(begun)
            origin = action.origin if begun is None else begun[0]
            told.append((origin, "off" if away else action.target))
        return tuple(sorted(f"{origin} {end}" for origin, end in told) or sorted(self.swapped))


def with_changes(table: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """Return ``table`` after ``changes``: spot -> new token, None for emptied."""
    after = {**table}
    for spot, token in changes.items():
        if token is None:
            after.pop(spot, None)
        else:
            after[spot] = token
    return after


def face_of(game: Game[Any], token: str | None) -> str | None:
    """Return the face of ``token``; tokens that look alike share it."""
    return None if token is None else game.look(token).face


def refused(game: Game[S], story: Story[S], origin: str, target: str) -> Story[S] | None:
    """Return ``story`` continued by carrying the token on ``origin`` to ``target`` against the
    rules; None if the rules allow that."""
    action = Action("move", origin, target)
    ruling = game.judge(story.state, action)
    if ruling.allowed:
        return None
    token, before = story.table[origin], story.table.get(target)
    standing = Standing(action, ((origin, token), (target, before)))
    return replace(
        story,
        table=with_changes(story.table, {origin: None, target: token}),
        steps=(*story.steps, Step(action, 1.0, ruling)),
        standing=(*story.standing, standing),
        touched=story.touched | {origin, target},
        cost=story.cost + PRIOR.refused,
    )


class Teller(Generic[S]):
    """Makes stories by the rules of one game. ``spots`` are those that look changed, and of the
    ``concealed`` ones nothing is seen."""

    def __init__(
        self, game: Game[S], spots: frozenset[str], concealed: frozenset[str] = frozenset()
    ) -> None:
        self._game, self.spots, self._may = game, spots, spots | concealed
        # What is asked of the game again and again is computed once.
        self.expect: Callable[[Any], Position] = cache(game.expect)
        self.legal_in: Callable[[Any], Sequence[Action]] = cache(game.legal)
        self._off: dict[Action, bool] = {}
        self.face: Callable[[str | None], str | None] = cache(partial(face_of, game))

    def changed(self, state: S, after: S) -> frozenset[str]:
        """Return the spots on which the game expects another face ``after`` than in ``state``."""
        before, then = self.expect(state), self.expect(after)
        spots = {spot for spot, _ in before.items() ^ then.items()}
        face = self.face
        return frozenset(s for s in spots if face(before.get(s)) != face(then.get(s)))

    def due(self, state: S) -> frozenset[str]:
        """Return the spots on one of which a captured token has to be put back before anything else
        is moved; none if nothing has to be."""
        moves = [action for action in self.legal_in(state) if action.target is not None]
        waits = all(action.origin is None for action in moves)
        return frozenset(str(action.target) for action in moves if waits)

    def legal_next(self, story: Story[S], passing: bool = True) -> list[Story[S]]:
        """Return ``story`` continued by each legal action that changed spots may show; without
        ``passing`` only by those after which the token is on a spot where it may be, or off the
        board."""
        state, found = story.state, []
        away = story.touched - self._may
        # A token that was never seen on its spot leaves no trace there when it moves.
        unseen = self.expect(state).keys() - story.table.keys()
        # What a refused move carried off or took is no longer there to be moved.
        there, stirred = self.expect(state), dict(p for m in story.standing for p in m.before)
        gone = {s for s in stirred if self.face(story.table.get(s)) != self.face(there.get(s))}
        # Nor does anything land on it: what lies there would be nowhere.
        astray, ways = gone & story.table.keys(), story.ways
        gone |= story.strayed | story.swapped
        for action in self.legal_in(state):
            if action.origin in gone or action.target in astray:
                continue
            # Nobody goes somewhere and back without a trace, to let another seat have a turn.
            if action.origin not in self._may and (action.target, action.origin) in ways:
                continue
            if action.target is None:
                found.append(self._play(story, action, PRIOR.spoken))
            elif (action.origin is None or action.origin in self._may | away | unseen) and (
                # What stopped without a trace goes on, or is taken where it stopped.
                action.target in self._may | away
                or (passing and not away - {action.origin})
                or self._leaves(state, action)
            ):
                found.append(self._play(story, action, self._cost(story, action)))
        return found

    def _leaves(self, state: S, action: Action) -> bool:
        """Tell whether what ``action`` moves leaves the board by it; it does so at any time, or
        never."""
        if action not in self._off:
            after = self._game.advance(state, action)
            self._off[action] = action.target not in self.expect(after)
        return self._off[action]

    def _cost(self, story: Story[S], action: Action) -> float:
        """Return the prior cost of the legal move ``action`` after ``story``."""
        last = story.new[-1] if story.new else None
        # What was put back has not moved yet.
        if last and last.legal and last.action.origin and action.origin == last.action.target:
            return PRIOR.goes_on
        stops = {step.action.target for step in story.new if step.legal} - self._may
        return PRIOR.legal + (PRIOR.untraced if action.origin in stops else 0.0)

    def swaps(self, story: Story[S], seen: Seen) -> list[Story[S]]:
        """Return the stories in which two tokens changed places: each shows better where the other
        was than where it was itself, and neither spot looks bare."""
        table, found = story.table, []
        for one, other in combinations(sorted(self.spots & table.keys()), 2):
            mine, theirs = table[one], table[other]
            if seen.told_apart(mine, theirs) and all(
                seen.shows(spot, came)
                and seen.error(spot, came) < min(seen.error(spot, was), seen.error(spot, None))
                for spot, was, came in ((one, mine, theirs), (other, theirs, mine))
            ):
                found.append(
                    replace(
                        story,
                        table=with_changes(table, {one: theirs, other: mine}),
                        touched=story.touched | {one, other},
                        swapped=story.swapped | {one, other},
                        cost=story.cost + PRIOR.swapped,
                    )
                )
        return found

    def illegal_next(self, story: Story[S], seen: Seen) -> list[Story[S]]:
        """Return ``story`` continued by each refused move between two changed spots. None lands on
        a token that came since the last picture, which would then be nowhere, none continues with
        the token just moved: that would be one move, and none goes a way back: what was captured is
        then taken off, and its captor yet to move. Where its like still fits, it stands there."""
        came = {step.action.target for step in story.steps} & story.table.keys()
        found = []
        for origin in self.spots - story.strayed:
            token = story.table.get(origin)
            if token is None or self.face(self.expect(story.state).get(origin)) != self.face(token):
                continue
            gone_from = {start for start, end in story.ways if end == origin}
            for target in self.spots - {origin} - came - gone_from:
                like = self.face(story.table.get(target)) == self.face(token)
                stays = seen.error(target, token) if like else 1.0
                if stays < DOUBT and seen.replaced(target, token) >= stays:
                    # What lies there would look the same without it: the like, put back.
                    continue
                if told := refused(self._game, story, origin, target):
                    found.append(told)
        return found

    def put_back(self, story: Story[S]) -> list[Story[S]]:
        """Return the stories in which the last refused move was put back, the last two, and so
        on."""
        found = []
        while story.standing:
            last = story.standing[-1]
            reverse = Action("move", last.action.target, last.action.origin)
            story = replace(
                story,
                table=with_changes(story.table, dict(last.before)),
                steps=(*story.steps, Step(reverse, 1.0, None, 0)),
                standing=story.standing[:-1],
                touched=story.touched | {spot for spot, _ in last.before},
                cost=story.cost + PRIOR.put_back,
            )
            found.append(story)
        return found

    def undone(
        self, story: Story[S], past: Sequence[S], actions: Sequence[Action], most: int
    ) -> list[Story[S]]:
        """Return the stories in which the last accepted actions were taken back, up to ``most`` of
        them.

        ``actions`` are those that led through ``past``. A step takes back one move and what was
        spoken after it.
        """
        found: list[Story[S]] = []
        steps: list[Step] = []
        count = 0
        for index in range(len(actions) - 1, max(-1, len(actions) - 1 - most), -1):
            count += 1
            action, state = actions[index], past[index]
            if action.target is None:
                continue
            origin = action.origin or action.target
            steps.append(Step(Action("move", action.target, origin), 1.0, None, count))
            count = 0
            if (table := self._as_before(story, state)) is not None:
                changed = {s for s in {*table, *story.table} if table.get(s) != story.table.get(s)}
                found.append(
                    Story(
                        state, table, tuple(steps), (), frozenset(changed), story.swapped,
                        story.cost + PRIOR.takeback + PRIOR.further * (len(steps) - 1),
                    )
                )  # fmt: skip
        return found

    def _as_before(self, story: Story[S], state: S) -> dict[str, str] | None:
        """Return the table as it was in ``state``, or None where that changes other spots."""
        table, now = story.table, self.expect(story.state)
        then, other = dict(self.expect(state)), 0
        for spot in {*then, *table}:
            lag = table.get(spot)
            if self.face(then.get(spot)) == self.face(lag):
                if spot in table:
                    then[spot] = table[spot]
                continue
            if spot not in self.spots:
                # A token that is not yet turned over, or was missing all along, is no obstacle.
                alike = self.face(now.get(spot)) == self.face(then.get(spot))
                if alike or lag in accepted(self._game, state, spot):
                    then = with_changes(then, {spot: lag})
                    continue
                other += 1
                if other > 1:
                    return None
        return then

    def _play(self, story: Story[S], action: Action, cost: float) -> Story[S]:
        game, state = self._game, story.state
        after = game.advance(state, action)
        then = self.expect(after)
        changes = {spot: then.get(spot) for spot in self.changed(state, after)}
        if action.origin and action.target:
            # A token lags behind the rules: it may not yet be turned over, but it is the one.
            changes.setdefault(action.target, then.get(action.target))
        ruling = game.judge(state, action)
        return replace(
            story,
            state=after,
            table=with_changes(story.table, changes),
            steps=(*story.steps, Step(action, 1.0, ruling)),
            touched=story.touched | set(changes),
            cost=story.cost + cost,
        )
