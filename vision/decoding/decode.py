"""Which actions best explain the spots that changed: legal ones first, then refused ones, then
take-backs. An *error* says how badly a token explains a spot: 0 perfectly, 1 by the contrast of a
typical face (``vision.tokens.observe``)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Generic

from companion.rules import Action, Game, S, accepted, say
from vision.decoding.decoded import (
    SURE,
    TWIN,
    Decoded,
    Told,
)
from vision.decoding.differences import FITS
from vision.decoding.prior import PRIOR
from vision.decoding.rivals import outdone, rivals_of, twins_of
from vision.decoding.scene import Scene
from vision.decoding.showing import SAME, UNSEEN, Showing
from vision.decoding.story import Standing, Story, Teller, with_changes
from vision.decoding.trace import MOST
from vision.tokens.observe import CLEAR, Token

PLENTY = 4
"""Moves between two still pictures: a whole turn and the reply. A longer story is not believed if
some of it is refused or unseen, or of tokens that look alike."""
WIDTH = 60
"""Stories of the same length that go on: eleven moves at once were found with as many, in
recordings out of which they were cut."""
REST = 1e-4
"""Probability of all that no story tells of; stories less likely than that beside another one are
not looked at."""
ENDS = 3
"""Spots that a move changes at most: where it began and ended, and one off which it took a
token."""
LATEST = 8
"""Actions that may have been taken back; earlier ones are only tried where nothing else explains
the picture."""


class Decoder(Generic[S]):
    """Searches the stories that explain one picture."""

    def __init__(self, game: Game[S], scene: Scene) -> None:
        self._game, self._scene = game, scene
        self._seen, self._spots, self._checked = scene.seen, scene.changed, scene.checked
        self._teller = Teller(game, scene.changed, scene.concealed)
        self._shown = Showing(scene, self._teller.face)
        before = scene.opened & scene.changed & scene.table.keys()
        self._left_first = {spot for spot in before if scene.seen.error(spot, None) < CLEAR}
        self._told: dict[tuple[str, ...], Told[S]] = {}

    def decode(
        self,
        past: Sequence[S],
        actions: Sequence[Action],
        standing: tuple[Standing, ...],
        swapped: frozenset[str] = frozenset(),
        asked: Sequence[Story[S]] = (),
    ) -> Decoded[S]:
        """Return the story that best explains the picture.

        ``past`` are all states up to the current one and ``actions`` those that led through them;
        ``standing`` are refused moves whose tokens are still where they were put, and tokens that
        changed places lie on the spots ``swapped``. ``asked`` are the stories between which an
        earlier picture left a doubt: each may have gone on, and where one explains this picture
        well, no other does.
        """
        if sum(map(self._shown.like_nothing, self._spots - self._scene.stale)) > ENDS * PLENTY:
            return Decoded(None, 0.0, result=say("too much would have been missed"))
        here: Story[S] = Story(past[-1], self._scene.table, (), standing, swapped=swapped)
        self._still = self._least = self._unmoved(past[-1])
        self._most = sum(self._shown.at_most(spot) for spot in self._spots)
        starts = [here, *self._teller.put_back(here), *self._teller.swaps(here, self._seen)]
        if asked:
            self._search(asked)
            if self._explained(wholly=True):
                return self._judge()
        undone = self._teller.undone(here, past, actions, LATEST)
        self._search([*starts, *undone], passing=False)
        if not self._explained(wholly=True):
            undone = self._teller.undone(here, past, actions, len(actions))
        # What explains it all may have rivals that stop on the way.
        self._search([*starts, *undone])
        few = self._contradicted(here) <= ENDS * PLENTY
        if few and (not self._explained(wholly=True) or self._in_passing()):
            self._search_illegal(starts)
        return self._judge()

    def _contradicted(self, here: Story[S]) -> int:
        """Return how many spots do not show what is believed ``here``, before anything happened."""
        shows, error = self._shown.shows, self._seen.error
        before = ((spot, here.table.get(spot)) for spot in self._spots)
        return sum(not shows(here, spot, token, error(spot, token)) for spot, token in before)

    def _search(self, starts: Sequence[Story[S]], passing: bool = True) -> None:
        """Go through the legal continuations of ``starts``, move by move: of those that are equally
        long the WIDTH likeliest go on, as long as they may become likelier than what was found."""
        level, enough = list(starts), self._scene.effort.left // 2
        while level and self._scene.effort.left > enough:
            following: list[Story[S]] = []
            for story in level:
                told = self._tell(story)
                # What was only spoken explains nothing, however well pale tokens seem to stay.
                if story.moves and told is not None and told.whole:
                    self._least = max(self._least, told.score + math.log(REST))
                elif story.cost + PRIOR.spoken < self._most - self._least:
                    following += self._teller.legal_next(story, passing)
            self._scene.effort.left -= len(following)
            level = self._likeliest(following)

    def _likeliest(self, stories: list[Story[S]]) -> list[Story[S]]:
        """Return the likeliest of ``stories``, WIDTH at most; where there are more, one order of
        play of each that move the same and lead to the same state."""
        if len(stories) <= WIDTH:
            return stories
        orders: dict[tuple[S, tuple[str, ...]], Story[S]] = {}
        for story in sorted(stories, key=self._promise, reverse=True):
            orders.setdefault((story.state, story.outcome), story)
        return list(orders.values())[:WIDTH]

    def _promise(self, story: Story[S]) -> float:
        """Return about what ``story`` will be worth: a spot that it does not explain takes a
        further move, and so does a token that stopped where nothing is seen of it."""
        table, shown = story.table, self._shown
        now = {spot: shown.nats(spot, table.get(spot)) for spot in self._spots}
        worth = sum(max(n, shown.most(s)[1] - PRIOR.legal) for s, n in now.items()) - story.cost
        last = story.last.target if story.last else None
        for spot in story.touched - self._checked - self._scene.concealed:
            if not self._same(story, spot):
                worth -= PRIOR.goes_on if spot == last else PRIOR.legal + PRIOR.untraced
        return worth

    def _search_illegal(self, starts: Sequence[Story[S]]) -> None:
        """Try one refused move, before, between or after legal ones; then two."""
        base = [*starts, *(told.story for told in self._ranked()[:12])]
        for _ in range(2):
            stories = {story.key: story for story in base}.values()
            after = (s for story in stories for s in self._teller.illegal_next(story, self._seen))
            told = [t for t in map(self._tell, after) if t is not None and t.misfits]
            base = [t.story for t in sorted(told, key=lambda t: -t.score)[:12]]
            self._search(base)
            if self._explained() or self._scene.effort.left < 0:
                return
            del base[6:]

    def _tell(self, story: Story[S]) -> Told[S] | None:
        """Hold a story against the picture; None where it changes a spot that did not change."""
        key = story.key
        if key in self._told:
            return self._told[key]
        if self._scene.effort.left < 0:
            return None
        self._scene.effort.left -= 1
        unlooked = story.touched - self._checked - self._scene.concealed
        if self._arrives(story) or not all(self._same(story, spot) for spot in unlooked):
            return None
        lies = self._due(story, unlooked)
        score, misfits, worst = self._circumstances(story) - story.cost, [], 0.0
        leaves = comes = 0.0
        refused = {at for move in story.standing for at, _ in move.before} if story.illegal else ()
        for spot in self._spots | (story.touched & self._checked):
            token, error = self._best(story, spot)
            nats = self._seen.nats(error)
            # Where a story touches another spot, all others leave that as it is, however it looks.
            before = self._scene.table.get(spot)
            score += nats - (0.0 if spot in self._spots else self._shown.nats(spot, before))
            bare, most = self._shown.most(spot)
            leaves, comes = max(leaves, bare - nats), max(comes, most - nats)
            # A captor that may as well be turned back stays where it is, too.
            still = self._teller.face(token) == self._teller.face(before)
            # A stop that left no trace is no reason why the picture differs there.
            # A move taken back and made again moves nothing.
            kept = story.back or token is None or spot not in story.touched
            if spot in self._scene.stirred and still and kept:
                score -= PRIOR.kept
            # What the rules refuse must be plain to see, whatever light and shadow do; nor may
            # anything else have left that is not told of. What lies where something must be put
            # back is that, and was not moved there.
            dim = story.illegal and (
                (spot in refused and spot in self._teller.due(story.state))
                or (spot in story.touched and self._shown.hardly_shows(spot, token, error))
                or (spot in refused and not self._shown.plainly(story, spot, token, error))
                or self._shown.seems_gone(spot, token, error)
            )
            if dim or not self._shown.shows(story, spot, token, error):
                misfits.append(spot)
            else:
                worst = max(worst, error)
            lies[spot] = token
        table = with_changes(story.table, lies)
        told = Told(story, table, score, tuple(sorted(misfits)), worst, leaves + comes)
        self._told[key] = told
        return told

    def _due(self, story: Story[S], spots: Iterable[str]) -> dict[str, Token]:
        """Return what lies on those of ``spots`` where something else is due, such as a promotion:
        where nothing changed that is believed once it is seen."""
        lies = ((spot, self._scene.table.get(spot)) for spot in spots)
        return {s: t for s, t in lies if t in accepted(self._game, story.state, s)}

    def _arrives(self, story: Story[S]) -> bool:
        """Tell whether by ``story`` something came to a stale spot since the picture before."""
        here, moves = self._scene.stale & story.table.keys(), (step.action for step in story.new)
        left = self._scene.opened | self._scene.unlike
        return any(m.target in here and m.origin not in left for m in moves)

    def _circumstances(self, story: Story[S]) -> float:
        """Return the nats that speak for ``story``, beside its own cost, before spots are looked
        at."""
        nats, steps = 0.0, story.steps
        if story.back and steps[-1].action.origin == steps[-1].action.target:
            # What was put down and is gone again may as well be in the hand that plays on.
            nats -= PRIOR.in_hand
        spoken = [step.action.target is None for step in steps]
        if spoken and (spoken[-1] or (story.illegal and any(spoken))):
            nats -= PRIOR.unheard
        began = [s.action.origin for s in steps if s.legal and s.action.origin in self._spots]
        first = [origin in self._left_first for origin in began]
        if first != sorted(first, reverse=True):
            # What an earlier picture shows gone was in a hand while what lay there still moved.
            nats -= PRIOR.in_hand
        return nats

    def _unmoved(self, state: S) -> float:
        """Return the score of the story that nothing was moved since ``state``, though tokens may
        be in a hand, and what they are about to capture may be off the board."""
        score, lifted = 0.0, set[str]()
        for spot in self._spots:
            own = self._seen.error(spot, before := self._scene.table.get(spot))
            bare = own if before is None else self._seen.error(spot, None)
            stays = PRIOR.kept if spot in self._scene.stirred else 0.0
            score += self._seen.nats(min(own, bare)) - (PRIOR.in_hand if bare < own else stays)
            lifted |= {spot} if bare < own else set()
        if any({a.origin, a.target} <= lifted for a in self._teller.legal_in(state)):
            score += PRIOR.in_hand - PRIOR.legal
        return score

    def _same(self, story: Story[S], spot: str) -> bool:
        now, then = story.table.get(spot), self._scene.table.get(spot)
        face = self._teller.face
        # What an earlier picture showed leaving made way for its like.
        alike = spot in story.left and not self._shown.told_apart(now, then)
        return alike or face(now) == face(then) or then in accepted(self._game, story.state, spot)

    def _best(self, story: Story[S], spot: str) -> tuple[Token, float]:
        """Return the token that may lie on ``spot`` after the story and fits best."""
        token = story.table.get(spot)
        expected = self._teller.expect(story.state).get(spot)
        allowed: list[Token] = [token]
        if self._teller.face(expected) == self._teller.face(token):
            allowed = [*accepted(self._game, story.state, spot), token]
        for move in story.standing:
            if move.action.target == spot:
                # It may have been turned on the way, or was turned all along.
                sides = accepted(self._game, story.state, str(move.action.origin))
                allowed += [t for t in sides if self._teller.face(t) == self._teller.face(token)]
        if any(s.action.origin is None and s.action.target == spot for s in story.steps):
            # What was put back was taken off before, and may not have been turned over yet. What
            # came last to a spot was taken off none, even if it has left the board, such as home.
            lie = {story.table.get(other) for other in story.touched - {spot}}
            moves = (step.action for step in story.steps if step.legal and step.action.origin)
            came = {move.target: move.origin for move in moves}
            lie |= {self._scene.table.get(str(origin)) for origin in came.values()}
            left = {self._scene.table.get(other) for other in story.touched} - lie
            allowed += sorted(token for token in left if token)
        some = list(dict.fromkeys(allowed))
        # What the rules expect comes first; another face must be seen to be believed.
        unlike = [0.0] + [SAME if t is None or self._seen.known(t) else UNSEEN for t in some[1:]]
        arrived = any(s.action.target == spot != s.action.origin for s in story.steps)
        errors = self._seen.replaced if arrived else self._seen.error
        error, extra, index = min(
            (errors(spot, t) + extra, extra, i)
            for i, (t, extra) in enumerate(zip(some, unlike, strict=True))
        )
        return some[index], error - extra

    def _explained(self, wholly: bool = False) -> bool:
        moved = (told for told in self._told.values() if told.story.moves and not told.misfits)
        return any(told.whole or not wholly for told in moved)

    def _in_passing(self) -> bool:
        """Tell whether the best story of moves stops where nothing was seen to change: a single
        move that the rules refuse may be the likelier one."""
        moved = [told for told in self._told.values() if told.story.moves or told.misfits]
        best = max(moved, key=lambda t: (not t.misfits, t.score), default=None)
        return best is not None and self._stops(best.story)

    def _stops(self, story: Story[S]) -> bool:
        """Tell whether ``story`` stops where nothing was seen to change."""
        seen = {None, *self._spots, *self._scene.concealed}
        return any(s.legal and s.action.target not in seen for s in story.new)

    def _contrived(self, told: Told[S]) -> bool:
        """Tell whether so much was missed that a story only seems to explain it: what the rules
        refuse or nothing explains, a stop that left no trace, or one of several tokens that look
        alike, makes up for a move that is not seen."""
        story = told.story
        if story.new_moves <= PLENTY:
            return False
        came = {story.table[spot] for spot in story.touched & story.table.keys()}
        alike = (not self._seen.told_apart(*pair) for pair in combinations(came, 2))
        return bool(story.illegal or told.misfits or self._stops(story) or any(alike))

    def _ranked(self) -> list[Told[S]]:
        return sorted(self._told.values(), key=lambda told: -told.score)

    def _judge(self) -> Decoded[S]:
        """Turn scores into probabilities over what a player would call different stories."""
        ranked: dict[tuple[str, ...], Told[S]] = {}
        against: dict[tuple[str, ...], Told[S]] = {}
        twins: list[Told[S]] = []
        every_one = self._ranked()
        for told in every_one:
            if told.misfits and not self._beside(told):
                if told.story.moves:
                    against.setdefault(told.story.outcome, told)
                continue
            first = ranked.setdefault(told.story.outcome, told)
            if first is not told and first is next(iter(ranked.values())):
                twins.append(told)
        unmoved = self._still
        best = next((t for way, t in ranked.items() if not outdone(t, against.get(way))), None)
        likeliest = [*list(ranked.values())[:MOST], *every_one[:MOST]]
        weighed = tuple({id(told): told for told in likeliest}.values())
        likely = next((told for told in against.values() if not self._denied(told)), None)
        if result := self._no_good(best, unmoved, likely):
            return Decoded(None, 0.0, weighed=weighed, unmoved=unmoved, result=result)
        assert best is not None
        some = rivals_of(best, ranked.values(), against.values())
        weights = [math.exp(told.score - best.score) for told in some]
        sorts = self._sorts(best, twins)
        p = 1 / (sum(weights) + sum(math.exp(t.score - best.score) for t in sorts) + REST)
        left = frozenset(best.misfits)
        if left and p < SURE:
            result = say("every explanation is contradicted by some spot")
            return Decoded(None, 0.0, weighed=weighed, unmoved=unmoved, result=result)
        rivals = (*sorts, *(told for told in some if told is not best))
        return Decoded(
            best, p, rivals, twins_of(best, twins),
            weighed=weighed, unmoved=unmoved, left=left,
        )  # fmt: skip

    def _no_good(self, best: Told[S] | None, unmoved: float, against: Told[S] | None) -> str:
        """Return why the ``best`` story is not to be told; nothing if it may be. ``against`` is the
        likeliest that something strange speaks against."""
        if self._scene.effort.left < 0:
            return say("too much would have been missed")
        plain = best is not None and not (best.story.illegal or best.misfits)
        if best is None or (not plain and against and against.score > best.score):
            return say("every explanation is contradicted by some spot")
        # What the rules refuse, onto a spot that looks as before, is never plainer than a hand.
        sure = best.story.moves and not best.story.illegal
        least = unmoved + (math.log(SURE / (1 - SURE)) if sure else 0.0)
        # That nothing moved, told as a story, is as likely but for the order of the sum.
        if best.score < least and not math.isclose(best.score, least):
            return say("more likely nothing was moved, or it is in a hand")
        return say("too much would have been missed") if self._contrived(best) else ""

    def _denied(self, told: Told[S]) -> bool:
        """Tell whether a spot where a story moved something plainly shows something else."""
        table, moved = told.story.table, told.story.touched.intersection(told.misfits)
        return any(self._seen.error(spot, table.get(spot)) > CLEAR for spot in moved)

    def _beside(self, told: Told[S]) -> bool:
        """Tell whether what speaks against a story has nothing to do with it: its spots stay as
        they are, and look like nothing at all, neither bare nor like any token that is at hand, or
        at least not much more so than like the one that stays there; or something came there that
        stood nowhere else, unless the rules refuse the story, for something may have moved then
        that it does not tell of. Where something is taken back, new strange looks may be a part of
        that. Nor has what looks just as strange as in the picture before to do with what came about
        since."""
        story, stale = told.story, self._scene.stale.intersection(told.misfits)
        misfits = frozenset(told.misfits) - stale
        new = misfits - self._scene.opened
        if not story.moves or story.touched.intersection(told.misfits) or (story.back and new):
            return False
        if stale and (story.illegal or story.back or story.touched & self._scene.stale):
            # It may seem so for want of what happened there.
            return False
        if stale and not misfits:
            return True
        if told.worst > CLEAR:
            # One end of a move is hard to see.
            return False
        # Light that changes several spots alike is no move to one of them, nor to one that looked
        # strange before.
        moves = [s.action for s in story.steps if s.action.target in told.table]
        ends = {str(move.target) for move in moves}
        if any(
            self._seen.error(end, told.table[end]) > FITS
            for end in (ends & self._scene.opened) - self._scene.concealed
        ):
            return False
        if any(self._came_as_well(move, told.table, spot) for move in moves for spot in new):
            return False
        # A token that is to be put back may lie there the wrong way.
        put = {a.target for a in self._teller.legal_in(story.state) if a.origin is None}
        known = self._scene.table.keys() if not story.illegal else misfits
        return not misfits & put and all(
            spot not in known or self._shown.rather_stays(spot) or self._shown.nobody(story, spot)
            for spot in misfits
        )

    def _came_as_well(self, move: Action, table: Mapping[str, str], spot: str) -> bool:
        """Tell whether ``spot`` shows what made a ``move``, which left it on the ``table``, as well
        as what is believed there, and it may have gone there: the rules let it, or it is not plain
        that it left."""
        if not self._shown.as_well(spot, table[str(move.target)]):
            return False
        legal = (told.story for told in self._told.values() if not told.story.illegal)
        way = move.origin, spot
        return not self._shown.vacated(move.origin) or any(way in story.ways for story in legal)

    def _sorts(self, best: Told[S], twins: Sequence[Told[S]]) -> tuple[Told[S], ...]:
        """Return the stories that end with the same move, by which something else came about: what
        a pawn became. Where play has gone on, nobody is asked any more; nor whether a turn was
        ended, for what is played next tells that. Of several moves in one picture another may be
        the one that the rules refuse."""
        moves = best.story.order

        def otherwise(told: Told[S]) -> bool:
            other = told.story.order
            return other[:-1] == moves[:-1] and other != moves

        ends = (t for t in twins if otherwise(t) and not t.story.illegal)
        changed, state = self._teller.changed, best.story.state
        refused = {best.story.strayed: best}
        for told in twins if best.story.illegal else ():
            if told.story.illegal and told.score > best.score - TWIN:
                refused.setdefault(told.story.strayed, told)
        sorts = (t for t in ends if changed(state, t.story.state))
        return (*sorts, *list(refused.values())[1:])
