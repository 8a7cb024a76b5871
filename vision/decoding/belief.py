"""What is believed to lie on the table, and how that is corrected when nobody made a move."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Generic

from companion.rules import Board, Game, S, accepted
from vision.decoding.decoded import Told
from vision.decoding.differences import DOUBT, FITS, moved_spots, nearby, shown
from vision.decoding.puzzle import Backs
from vision.decoding.scene import Scene
from vision.decoding.story import Standing, face_of
from vision.tokens.eye import Learner, Seen
from vision.tokens.observe import CLEAR, Token

SURELY, LIKELY = 0.1, 0.03
"""Errors by which another token has to fit better than the one believed, for the belief to change:
SURELY where the believed face was never seen and the other was, else LIKELY."""


class Belief(Generic[S]):
    """The token believed on each spot of one table. It differs from what the game expects after a
    refused move that was not put back, and as long as a captor is not turned back."""

    def __init__(self, game: Game[S], board: Board) -> None:
        self._game, self._board = game, board
        self.table: dict[str, str] = {}
        """The token that stands on each spot."""
        self.standing: tuple[Standing, ...] = ()
        """The refused moves that were not put right yet."""
        self._known: S | None = None
        self._swapped: frozenset[str] = frozenset()
        self._were: dict[str, set[str]] = {}
        self._backs = Backs(self._face)

    def begin(self, table: Mapping[str, str], state: S) -> None:
        """Believe that ``table`` stands when the game is in ``state``."""
        self.table, self._known = dict(table), state

    def kept(self) -> Belief[S]:
        """Return a copy that stays as it is when this goes on."""
        kept = copy(self)
        kept.table = dict(self.table)
        return kept

    def go_back(self, before: Belief[S]) -> None:
        """Believe again what was believed when ``before`` was kept."""
        vars(self).update(vars(before.kept()))

    def agrees(self, state: S) -> None:
        """Note that the table was seen to show ``state``."""
        self._known = state

    @property
    def swapped(self) -> frozenset[str]:
        """Return the spots on which two tokens lie that changed places, until they are put
        right."""
        return self._swapped and self._swapped & self._differing(self._known)

    @property
    def astray(self) -> frozenset[str]:
        """Return the ends of refused moves that are yet to be put back."""
        return frozenset(spot for move in self.standing for spot, _ in move.before)

    def doubtful(self, state: S) -> frozenset[str]:
        """Return the spots where the table must differ from ``state``, which was not reached by
        what the camera saw: a move chosen on a phone, an undo, a correction."""
        if self._known is None or state == self._known:
            return frozenset()
        return self._differing(state)

    def _differing(self, state: S | None) -> frozenset[str]:
        assert state is not None
        expected = self._game.expect(state)
        return frozenset(
            spot
            for spot in {*expected, *self.table}
            if self._face(expected.get(spot)) != self._face(self.table.get(spot))
        )

    def plain(self, seen: Seen, spots: frozenset[str], error: float = FITS) -> frozenset[str]:
        """Return those of ``spots`` that clearly show the token believed there: with at most this
        ``error``."""
        return frozenset(s for s in spots if seen.error(s, self.table.get(s)) <= error)

    def seen_to_hold(self, seen: Seen, spots: frozenset[str]) -> frozenset[str]:
        """Return those of ``spots`` that clearly show a token of the table, whichever it is."""
        return frozenset(spot for spot in spots if shown(seen, self.table, spot))

    def unclear(self, seen: Seen, spots: frozenset[str]) -> frozenset[str]:
        """Return those of ``spots`` that neither look bare, nor show what is believed there, nor
        plainly a token of the table."""
        known = set(self.table.values())
        ill = (s for s in spots - self.plain(seen, spots, CLEAR) if seen.error(s, None) > CLEAR)
        return frozenset(s for s in ill if all(seen.error(s, token) > DOUBT for token in known))

    def under(self, seen: Seen, left: frozenset[str], hidden: frozenset[str]) -> frozenset[str]:
        """Return those of the spots ``left`` unexplained that something must lie on: all but those
        that plainly show a token from another of them, or from a ``hidden`` one."""
        lack = {spot: self.table[spot] for spot in (left | hidden) & self.table.keys()}
        return frozenset(
            spot
            for spot in left
            if all(seen.error(spot, t) > DOUBT for other, t in lack.items() if other != spot)
        )

    def take(self, eye: Learner, scene: Scene, told: Told[S]) -> None:
        """Believe the story ``told`` about what changed: what lies where now, which refused moves
        were not put back. Faces that are new are learned, but not from what is concealed."""
        before = self.table
        self.table = dict(told.table)
        for spot in told.story.touched & before.keys():
            self._were.setdefault(spot, set()).add(before[spot])
        self.standing, self._swapped = told.story.standing, told.story.swapped
        self._known = told.story.state
        for spot in told.story.touched - scene.concealed:
            token = self.table.get(spot)
            if token is not None:
                if spot in scene.changed:
                    self._backs.landed(scene.seen, spot, token)
                eye.learn(spot, token)
            elif before.get(spot) is not None and scene.seen.error(spot, None) > FITS:
                eye.bare(spot)
        # What the story makes due may have been done by now.
        self.adopt(eye, scene.seen, told.story.state, scene.changed - told.story.touched)

    def adopt(self, eye: Learner, seen: Seen, state: S, checked: frozenset[str]) -> None:
        """Take over what the ``state`` expects where the picture shows it: turned captors, turned
        knights, also to a side that was never seen, what was decided on a phone, a table put right
        by hand. Only ``checked`` spots are looked at."""
        may = {spot: accepted(self._game, state, spot) for spot in checked - self.astray}
        backs = {s: self._backs.due(seen, self.table.get(s), sides) for s, sides in may.items()}
        # What tokens that were turned over may be taken for is put right first.
        for spot in sorted(may, key=lambda s: (backs[s] is not None, s)):
            due, mine = backs[spot], self._mine(seen, state, spot)
            if due and self._backs.turned(seen, self.table, spot, mine, self._were, checked):
                eye.learn(spot, due)
                self._put(spot, due)
            else:
                self._adopt_one(eye, seen, spot, mine, may[spot], bool(due), checked)

    def _adopt_one(
        self,
        eye: Learner,
        seen: Seen,
        spot: str,
        mine: Token,
        accepted: tuple[Token, ...],
        due: bool,
        checked: frozenset[str],
    ) -> None:
        """Take over which of the ``accepted`` tokens a ``spot`` shows. ``mine`` is believed there,
        ``due`` tells that it is to be turned over, and nobody has seen its other side."""
        now = self.table.get(spot)
        sides = accepted if now in accepted else (*accepted, mine)
        theirs = min(sides, key=lambda t: seen.error(spot, t))
        error = seen.error(spot, theirs)
        if error > CLEAR:
            return
        if theirs is not None and theirs == now and error > FITS:
            # A face learned from a spoilt picture is learned anew.
            if not due and not self._other_lies(seen, spot, theirs, checked):
                eye.learn(spot, theirs)
            return
        unseen = theirs is not None and not seen.known(theirs)
        margin = SURELY if unseen and self._face(theirs) != self._face(accepted[0]) else LIKELY
        if error > seen.error(spot, now) - margin and now in accepted:
            return
        if now in accepted and self._face(theirs) != self._face(now):
            # Another face: only a knight turned over is no move.
            if theirs is None or now is None or self._other_lies(seen, spot, theirs, checked):
                return
            eye.learn(spot, theirs)
        self._put(spot, theirs)

    def _other_lies(self, seen: Seen, spot: str, mine: str, checked: frozenset[str]) -> bool:
        """Tell whether ``spot`` shows nothing better than ``mine``, or a token that stood there
        before and may have been put back, or one that may have left another ``checked`` spot; or
        whether one surely left its spot and may lie there."""
        others = {s: self.table[s] for s in checked - {spot} if s in self.table}
        if any(2 * seen.error(s, None) < seen.error(s, t) for s, t in others.items()):
            return True
        former = (t for t in self._were.get(spot, ()) if self._face(t) != self._face(mine))
        tokens = (None, *others.values(), *former)
        return any(seen.error(spot, t) < seen.error(spot, mine) for t in tokens)

    def changed(
        self, seen: Seen, state: S, checked: frozenset[str], stirred: frozenset[str]
    ) -> frozenset[str]:
        """Return the ``checked`` spots that do not show the token believed there, or may not;
        ``stirred`` are those that somebody touched."""
        own = {spot: seen.error(spot, self._mine(seen, state, spot)) for spot in checked}
        moved = moved_spots(seen, self.table, own, self._were, stirred)
        stay = frozenset(s for s in stirred & own.keys() & self.table.keys() if own[s] <= FITS)
        leant = {spot for spot in moved if self._leant_over(seen, spot, stay)}
        # Where anything else moved, what looks strange may be a part of that.
        return moved if moved - leant else frozenset()

    def _leant_over(self, seen: Seen, spot: str, stay: frozenset[str]) -> bool:
        """Tell whether a bare ``spot`` looks strange, but like no token, because one of those that
        were pushed about next to it, and ``stay`` where they stood, leans over it."""
        if spot in self.table or not nearby(self._board, stay, [spot]):
            return False
        return all(seen.error(spot, token) > CLEAR for token in set(self.table.values()))

    def _mine(self, seen: Seen, state: S, spot: str) -> Token:
        """Return the token that is believed to stand on a ``spot``, or the one of the same face
        that may stand there in its place and fits best."""
        now = self.table.get(spot)
        alike = [t for t in accepted(self._game, state, spot) if self._face(t) == self._face(now)]
        return min(dict.fromkeys([now, *alike]), key=lambda t: seen.error(spot, t))

    def _put(self, spot: str, token: Token) -> None:
        self.table.pop(spot, None)
        if token is not None:
            self.table[spot] = token

    def _face(self, token: Token) -> Token:
        return face_of(self._game, token)
