"""What the spots of one picture of men without faces show, with all that hides them taken into
account: men nearer to the lens, shadows, arms.

A spot is judged by those of its points that no man nearer to the lens hides, before or now; of one
that is hidden altogether nothing is known but what was believed. Log-likelihoods are in nats.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from functools import cached_property

import numpy as np

from vision.board.calibrate import Points
from vision.board.drift import drift, slopes_of
from vision.board.raster import Floats, worst
from vision.tokens.arms import (
    TINT,
    Remainder,
    Thing,
    alike,
    larger,
    left_behind,
    reaching_in,
    unexplained,
)
from vision.tokens.bodies import CAME, SEEN, Bodies, Settled, Standing, Stranger
from vision.tokens.eye import Seen
from vision.tokens.ground import PER_PITCH, Ground
from vision.tokens.kinds import BARE
from vision.tokens.observe import CLEAR, Token
from vision.tokens.shadows import DEEP
from vision.tokens.silhouettes import Mask
from vision.tokens.touches import MISSED, RARE, likelier, touched, unlikeness, usual_changes

STAYS = 12.0
"""Nats against a man who comes to or leaves a spot that looks as before."""
HEAD = 5
"""Points of the raster that must be seen of a man whose foot is hidden for his head to tell."""
LAMPS = 3
"""Spots that seem to be lit from below, from which on they are, though nobody said so: no men come
in such numbers, each with a glare on his head. One of fewer is about as likely a man."""
TAKEN = 0.5
"""Probability that a man was touched, from which on he may have gone, or another of his colour may
stand there, where one of that colour came or is gone."""
HIDDEN, VEILED = 0.5, 0.05
"""Nats against a change on a spot that is HIDDEN. That speaks hardly for or against a move, whose
likelihood is told by its prior; as an error it is just more than nothing, so that no refused move
begins or ends unseen. Where the head of somebody shows (VEILED) another man may as well: a king's
step may have been castling."""
DOUBT = 3.0
"""Nats by which what is believed must be likelier than anything else, not to be looked into."""
SURELY = 5.0
"""Nats by which another must be likelier than what is believed for it to be plain to see."""
MOST = 45.0
"""Nats against what leaves an error of 1: as many as speak against a face that is plainly wrong."""
STIRS = 6.0
"""Nats against a man who stays where the picture changed as if he had gone."""


class BodyObservation(Seen):
    """The errors of tokens on the spots of one picture; see `vision.tokens.observe.Observation`.

    Spots are judged in order of their distance from the lens, for those judged first tell what is
    hidden of the others. ``changed`` are those that do not surely show what is believed,
    ``unlike`` those that look different; ``partly`` and ``hidden`` ones are not seen whole, or not
    at all; ``veiled`` ones show what may be the head of somebody who came before them, this one.
    ``covered``: what changed under something that is no man.
    """

    def __init__(
        self,
        bodies: Bodies,
        ground: Ground,
        picture: Floats,
        table: Mapping[str, str],
        lit: Collection[str] = (),
        thing: Thing | None = None,
    ) -> None:
        """``table`` is what was believed to stand on the reference, and lights may shine under the
        spots ``lit``. A ``thing`` that lies there hides what is under it."""
        compared = ground.compare(picture, bodies.reference)
        self._open, self.picture = compared.open, picture
        self.even = bodies.reference + compared.difference
        self.table, self._bodies, self._ground = dict(table), bodies, ground
        self._shining = self._put_out_lights(lit)
        self.partly = set(self._shining)
        self._clear = ~(thing.where if thing else np.zeros(ground.valid.shape, np.bool_))
        self._told = compared.told & self._clear
        self.under = frozenset(s for s in ground.names if not bodies.within(self._clear, s).all())
        """The spots over which the thing lies."""
        self.hidden: set[str] = set()
        self.veiled: dict[str, Stranger] = {}
        self.shaded = frozenset[str]()
        """The spots that those who came or left may have shaded."""
        self._nats: dict[str, dict[str, float]] = {}
        self._same: dict[str, float] = {}
        self._stirred, self._touched = dict[str, float](), dict[str, float]()
        there: dict[str, str | Stranger | None] = {}
        self._usual = usual_changes(bodies, compared.difference, table)
        self._still_bare = bodies.still_bare(self.even, table)
        for spot in bodies.silhouettes.order:
            self._judge(spot, there)
            there[spot] = self._stands(spot)
        self._look_into_touches(there, self._look_into_shadows(there))
        self.changed = tuple(
            s
            for s in ground.names
            if not self._left(s)
            and (self._margin(s) < DOUBT or STIRS * self._stirred[s] > DOUBT / 2)
        )
        self._look_for_ends()
        self.unlike = tuple(spot for spot in ground.names if not self._same[spot])
        self._remainder = rest = self._lying() if self.changed else None
        self.covered = frozenset((rest and (rest.over(ground, self.changed) or self.changed)) or ())

    def _put_out_lights(self, lit: Collection[str]) -> frozenset[str]:
        """Show those spots bare under which a light seems to shine: where there are several, or as
        far as it may. Return all under which one seems to: a bare board does not look so."""
        bodies = self._bodies
        shining = bodies.shining(self._ground.names, self.picture, self.even)
        for spot in shining if len(shining) >= LAMPS else shining & frozenset(lit):
            bodies.lay_bare(spot, self.even)
        return shining

    def _lying(self) -> Remainder | None:
        """Return what seems to lie over the board and is no man."""
        on_board, beside = self._differences
        most = self._bodies.silhouettes.largest(self._bodies.tallest)
        large = larger(self._ground, on_board, beside, most, self.changed)
        return large or self._reaching_in(self.changed)

    def _reaching_in(self, spots: Collection[str], refused: bool = False) -> Remainder | None:
        """Return what reaches in to men who may have come to ``spots`` or left them."""
        bodies = self._bodies
        known = bodies.men_on(spots), bodies.shadows_on(spots)
        before = bodies.recent[-1].picture
        return reaching_in(self._ground, *self._differences, self.picture, before, *known, refused)

    @property
    def calm(self) -> bool:
        """Tell whether everything is as it was believed."""
        return not (self.changed or self.covered)

    def shift(self) -> Points:
        """Return by how much the board seems to be shifted since the reference, (x, y) in
        pitches."""
        then, now = (np.exp(p) for p in (self._bodies.reference, self.even))
        bright = np.ascontiguousarray(then[..., 1])
        slopes = slopes_of(bright, self._ground.valid & self._ground.on_board)
        return drift(slopes, np.asarray(now, np.float32), bright) / PER_PITCH

    @cached_property
    def _differences(self) -> tuple[list[Floats], list[Floats]]:
        """How the picture differs from each recent one, on the board and beside it: first of all,
        there, from one off which all is taken that has gone since."""
        recent, ground, clear = self._bodies.recent, self._ground, self._clear[..., None]
        beside = [
            (clear * ground.shown_also(before.valid)[..., None])
            * ground.beside(self.picture, before.picture)
            for before in recent
        ]
        gone = left_behind(ground, beside[-1], self.picture, recent[-1].picture)
        beside.insert(0, beside[-1] * ~gone[..., None])
        # What shows the bare board is uncovered, though it may not have been lately.
        evens = [self._bodies.bare, *(before.even for before in recent)]
        return [np.asarray(clear * (self.even - even), np.float32) for even in evens], beside

    def unexplained(self, moved: Collection[str], refused: bool) -> Remainder | None:
        """Return what lies over the board besides the men who came to the spots ``moved``, or left
        them, if anything does; the rules may have ``refused`` their move."""
        bodies, ground = self._bodies, self._ground
        rest = self._reaching_in(moved, refused)
        if rest is None:
            stay = bodies.men_on(self.table.keys() - {*self.changed, *self.hidden, *moved})
            men, shadows = bodies.men_on(moved), bodies.shadows_on(moved)
            rest = unexplained(ground, *self._differences, men, stay, shadows, refused)
        self._remainder = rest
        return rest

    def lasting(self, before: BodyObservation) -> Remainder | None:
        """Return what lay over the board in the picture ``before`` and is no man, if it lies there
        yet."""
        rest, recent = before._remainder, self._differences
        if rest is None or not rest.lasts(self._ground, *recent):
            return None
        still = alike(self._ground, rest.where, before.picture, self.picture)
        return rest if still else None

    def _judge(self, spot: str, there: Standing, shaded: Mask | None = None) -> None:
        bodies, token = self._bodies, self.table.get(spot)
        mine = bodies.body(token)
        surely = bodies.visible(spot, there, bodies.tallest)
        now = surely if surely.mean() >= SEEN else bodies.visible(spot, there, bodies.shortest)
        clear = bodies.within(self._clear, spot)
        clear = clear if shaded is None else clear & ~shaded
        surely, now = surely & clear, now & clear
        change, most = self._change(spot, both := surely & bodies.visible(spot, bodies.showed))
        usual = bodies.contrast(spot, token, both) if change < math.inf else 1.0
        amount, same = change / usual, max(0.0, 1.0 - most / usual / CAME)
        said = 0.0
        self.veiled.pop(spot, None)
        if now.mean() >= SEEN:
            nats = bodies.nats(spot, self._in_any_light(spot), now, self._still_bare)
            nats.setdefault(mine, 0.0)
            if spot in self._shining:
                nats[BARE] = max(nats[BARE], -DOUBT / 2)
            if not np.array_equal(now, surely):
                # What looks like a stranger before it may be his head, and then it tells nothing.
                before = bodies.silhouettes.before(spot, bodies.tallest)
                heads = {m.body for m in map(there.get, before) if isinstance(m, Stranger)}
                if (body := max(nats, key=nats.__getitem__)) in heads:
                    nats, said = self._unseen(spot, there, VEILED)
                    self.veiled[spot] = Stranger(body)
        else:
            nats, said = self._unseen(spot, there, VEILED if spot in self.under else HIDDEN)
            self.hidden.add(spot)
        self._stirred[spot], self._touched[spot] = said, 0.0
        if token is not None and amount < math.inf:
            self._stirred[spot] = min(1.0, max(0.0, amount / CAME - 1.0))
            self._touched[spot] = self._touch(spot, both)
        if not surely.all():
            self.partly.add(spot)
        self._same[spot] = same
        others = max((value for body, value in nats.items() if body != mine), default=-STAYS)
        behind = self._behind(spot, there) if others > nats[mine] - DOUBT else {}
        stays = {body: max(same, behind.get(body, 0.0)) for body in nats}
        self._nats[spot] = {
            body: (1 - stays[body]) * value - stays[body] * STAYS * (body != mine)
            for body, value in nats.items()
        }

    def _in_any_light(self, spot: str) -> list[Floats]:
        """Return all that ``spot`` may show, for an edge of the light may run through it."""
        bodies, even = self._bodies, self._bodies.points(self.even, spot)
        if self._open is None:
            return [even]
        brightest, likeliest, darkest = (bodies.points(p, spot) for p in self._open)
        bare = even + np.clip(bodies.points(bodies.bare, spot) - even, brightest, darkest)
        return [even, bare, even + likeliest] if (darkest > brightest).any() else [even]

    def _change(self, spot: str, seen: Mask) -> tuple[float, float]:
        """Return by how much the ``seen`` part of ``spot`` differs at least and at most from what
        it showed lately when the same stood there, in logarithms of light; infinity if too little
        is seen, or something else stood there."""
        offs = [worst(off) for off in self._offs(spot, seen)]
        least, most = (
            min((float(by(off, 0).mean()) for off in offs), default=math.inf)
            for by in (np.min, np.max)
        )
        return least, most

    def _offs(self, spot: str, seen: Mask) -> list[Floats]:
        """Return by how much the ``seen`` part of ``spot`` may differ, in any light, from each
        picture in which lately the same stood there (lights, m, 3); none if too little is seen."""
        if seen.mean() < SEEN:
            return []
        bodies, looks = self._bodies, self._in_any_light(spot)
        lately = (bodies.points(e, spot) for e in bodies.lately(spot, self.table.get(spot)))
        return [np.stack([look - then for look in looks])[:, seen] for then in lately]

    def _unseen(
        self, spot: str, there: Standing, least: float = HIDDEN
    ) -> tuple[dict[str, float], float]:
        """Return the log-likelihood of each body on a hidden ``spot``, with ``least`` nats against
        a change, and by how much he who is believed there seems to have gone, 0 to 1: by what is
        seen of him over those before him."""
        bodies, token = self._bodies, self.table.get(spot)
        changes, head = [], np.zeros(1, np.bool_)
        if token is not None:
            head = bodies.head(spot, self.table, there) & self._told
            lately = bodies.lately(spot, token) if head.any() else ()
            changes = [float(worst(self.even[head] - e[head]).mean()) for e in lately]
        stays = gone = 0.0
        if token is not None and changes and head.sum() >= HEAD:
            amount = min(changes) / (CAME * bodies.usual(bodies.body(token)))
            stays, gone = max(0.0, 1.0 - amount), min(1.0, max(0.0, amount - 1.0)) / 2
        mine, against = bodies.body(token), least + STAYS * stays
        return {body: -against * (body != mine) for body in (*bodies.kinds.bodies, mine)}, gone

    def _behind(self, spot: str, there: Standing) -> dict[str, float]:
        """Return how surely, 0 to 1, nobody of each other body came to ``spot`` or, for BARE, he
        who is believed there did not leave: of the board behind him, which his head would hide, is
        seen what was seen before."""
        bodies, token = self._bodies, self.table.get(spot)
        head = bodies.against_the_board(spot, self.table, there) & self._told
        lately = bodies.lately(spot, token)
        if head.sum() < HEAD or not lately:
            return {}
        change = min(float(worst(self.even[head] - e[head]).mean()) for e in lately)
        mine = bodies.body(token)
        others = (body for body in bodies.kinds.bodies if body != mine)
        usual = {body: bodies.usual(mine if body == BARE else body) for body in others}
        return {body: max(0.0, 1 - change / (CAME * most)) for body, most in usual.items()}

    def _left(self, spot: str) -> bool:
        """Tell whether ``spot`` was not understood when it was seen last, and shows the same."""
        if spot not in self._bodies.left:
            return False
        off = worst(self._bodies.points(self.even, spot) - self._bodies.left[spot])
        every = np.ones(len(off), np.bool_)
        return float(off.mean()) < CAME * self._bodies.contrast(spot, None, every)

    def _look_into_shadows(self, there: Standing) -> frozenset[str]:
        """Judge anew, from the light on, what may be the shadow of somebody who came, or the light
        after somebody who left. Return where somebody came or left."""
        bodies = self._bodies
        doubtful = [spot for spot in self._nats if self._margin(spot) < DOUBT]
        came: dict[str, str | Stranger | None] = {}
        left: dict[str, str | Stranger | None] = {}
        for spot in sorted(doubtful, key=bodies.from_the_light):
            if spot not in self.table:
                for sources, sign in ((came, -1), (left, 1)):
                    shaded = bodies.shaded(spot, sources)
                    if shaded.any() and 0 < sign * self._dimmed(spot, shaded) < DEEP:
                        self._excuse(spot, there, shaded)
                        self.shaded |= {spot}
            if self._margin(spot) < 0:
                now = self._stands(spot)
                came |= {spot: now} if now else {}
                left |= {spot: self.table[spot]} if spot in self.table else {}
        return frozenset(came.keys() | left.keys())

    def _look_into_touches(self, there: Standing, moved: frozenset[str]) -> None:
        """Judge anew, from the light on, who seems to have been touched beside those who ``moved``:
        by what is seen apart from them and, if that is enough, neither in their shadows nor in
        that of another who was touched. He who was missing and is there again was put back."""
        bodies = self._bodies
        sources: dict[str, str | Stranger | None] = dict.fromkeys(moved)
        gone = (s for s in moved & self.table.keys() if self._likeliest(s) != self._mine(s))
        self._touched |= dict.fromkeys(gone, 0.0)
        order = sorted(self.table.keys() - moved, key=bodies.from_the_light)
        for spot in order if moved else ():
            if spot in bodies.left:
                self._touched[spot] = 0.0
            elif self._touched[spot] > TAKEN:
                seen = bodies.visible(spot, there, bodies.tallest) & bodies.apart(spot, moved)
                seen = seen & bodies.visible(spot, bodies.showed)
                lit = seen & ~bodies.shaded(spot, sources)
                self._touched[spot] = self._touch(spot, lit if lit.mean() >= SEEN else seen)
            if self._touched[spot] > TAKEN:
                sources[spot] = self.table[spot]

    def _look_for_ends(self) -> None:
        """Judge anew men of the colour of one who came or left, and is not seen at the other end
        of his move: somebody must have been touched, and then it is not RARE."""
        left, came = self._left_and_came(self.changed)
        for spot, token in self.table.items():
            if self._bodies.body(token) in left ^ came:
                self._touched[spot] = likelier(self._touched[spot], RARE - 1)

    def _touch(self, spot: str, seen: Mask) -> float:
        """Return how probable it is that the man on ``spot`` was touched, by its ``seen`` part; 0
        if too little is seen."""
        changes = [float(unlikeness(off).min()) for off in self._offs(spot, seen)]
        if not changes:
            return 0.0
        return touched(min(changes) / self._usual[self._bodies.body(self.table[spot])])

    def _excuse(self, spot: str, there: Standing, shaded: Mask) -> None:
        """Judge a bare ``spot`` by what is not ``shaded``; where that is too little, a shadow is
        about as likely as a man."""
        if self._change(spot, ~shaded)[0] < math.inf:
            self._judge(spot, there, shaded)
        else:
            self._nats[spot][BARE] = max(self._nats[spot][BARE], -DOUBT / 2)

    def _dimmed(self, spot: str, shaded: Mask) -> float:
        """Return by how much light the ``shaded`` part of ``spot`` differs from its bare look, 0 if
        its colour does, too."""
        bodies = self._bodies
        off = bodies.points(self.even, spot) - bodies.points(bodies.bare, spot)
        mean = off[shaded].mean(0)
        light = float(mean.mean())
        return light if float(np.abs(mean - light).max()) < TINT else 0.0

    def _stands(self, spot: str) -> str | Stranger | None:
        """Return who stands on ``spot``, or may well stand there though it is believed bare."""
        token = self.table.get(spot)
        if self._margin(spot) >= (DOUBT if token is None else 0.0):
            return token or self.veiled.get(spot)
        nats = {b: v for b, v in self._nats[spot].items() if token is not None or b != BARE}
        body = max(nats, key=nats.__getitem__, default=BARE)
        return None if body == BARE else Stranger(body)

    def _mine(self, spot: str) -> str:
        return self._bodies.body(self.table.get(spot))

    def _likeliest(self, spot: str) -> str:
        return max(nats := self._nats[spot], key=nats.__getitem__)

    def _margin(self, spot: str) -> float:
        """Return by how many nats what is believed on ``spot`` is likelier than anything else. What
        is hidden keeps what is believed of it."""
        if spot in self.hidden or spot in self.veiled:
            return STAYS
        mine, nats = self._mine(spot), self._nats[spot]
        rest = max((v for body, v in nats.items() if body != mine), default=-STAYS)
        return nats[mine] - STIRS * self._stirred[spot] - rest

    def error(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` (None: nothing) explains the picture of ``spot``: 0 is a
        perfect fit, 1 none at all."""
        if not self._bodies.alike(token, self.table.get(spot)):
            return self.replaced(spot, token)
        nats = self._nats[spot].get(self._mine(spot), -MOST) - STIRS * self._stirred[spot]
        return min(1.0, -nats / MOST)

    def replaced(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` explains the picture of ``spot`` if it came there in place of
        its like: of those who seem to be touched it is one."""
        nats = self._nats[spot].get(body := self._bodies.body(token), -MOST)
        if body == self._mine(spot) != BARE:
            one = max((own := self._touched[spot]) / max(1.0, sum(self._touched.values())), MISSED)
            nats += math.log(one) - STIRS * self._stirred[spot] * (1 - own)
        return min(1.0, -nats / MOST)

    @staticmethod
    def nats(error: float) -> float:
        """Return the log-likelihood of a spot on which its token leaves ``error``: that is what it
        was made of."""
        return -MOST * error

    def other_ends(self, changed: frozenset[str], again: bool = False) -> frozenset[str]:
        """Return the spots that may be ends of further moves beside the ``changed`` ones: hidden
        ones, those that rather show another than is believed, and those of touched men. A man of
        the colour of one who came may have left these, or one of the colour of those who left may
        be there in place of one of his own side; or ``again`` in place of one who left himself."""
        left, came = self._left_and_came(changed)
        those = left | came if again else left ^ came
        ends = frozenset(
            spot
            for spot, token in self.table.items()
            if self._bodies.body(token) in those
            and spot not in changed | self.hidden
            and max(self._touched[spot], self._margin(spot) < DOUBT) > TAKEN
        )
        self._stirred |= {s: max(self._touched[s], self._stirred[s]) for s in ends}
        return ends.union(self._faint, self.hidden) - changed

    @property
    def _faint(self) -> frozenset[str]:
        """Return the spots that rather show another than is believed."""
        return frozenset(s for s in self._nats.keys() - self.hidden if self._margin(s) < 0)

    def _left_and_came(self, changed: Collection[str]) -> tuple[set[str], set[str]]:
        """Return the bodies that left ``changed`` or faint spots, and those that came to them."""
        left, came = set[str](), set[str]()
        for spot in self._faint.union(changed) - self.hidden:
            body, mine = self._likeliest(spot), self._mine(spot)
            if body != mine:
                (left if body == BARE else came).add(mine if body == BARE else body)
        return left, came

    def unsure(self) -> frozenset[str]:
        """Return the spots that may show another than is believed: hidden and doubtful ones, those
        whose man was touched, and those that have the colour of a man."""
        return frozenset(
            spot
            for spot in self._nats
            if spot in self.hidden
            or self._margin(spot) < DOUBT
            or self._touched[spot] > TAKEN
            or self._bodies.pale(spot, self.table.get(spot))
        )

    def surely(self) -> frozenset[str]:
        """Return the spots that plainly show another than is believed; where the light leaves
        something open, those that rather do."""
        least = SURELY if self._open is None else 0.0
        return frozenset(spot for spot in self.changed if -self._margin(spot) > least)

    def settle(self, table: Mapping[str, str]) -> bool:
        """Let the bodies take this picture, on which ``table`` stands, for their reference; tell
        whether they do. One in which something shows and was not explained may be the middle of
        anything: against it no man would be seen to have come or gone."""
        # A man who was nudged is known again; what darkens a bare spot may be a hand.
        doubtful = {*self.changed} - self.table.keys() - table.keys()
        against = doubtful | {s for s in self._nats if self.error(s, table.get(s)) > CLEAR / 2}
        even = self.even if self._open is None else self.even + self._open[1]
        unseen = against | self.under
        valid, partly = self._ground.valid, frozenset(self.partly)
        now = Settled(self.picture, even, dict(table), valid, unseen, partly)
        settled = not against or table != self.table
        if settled:
            self._bodies.settle(now)
        self._bodies.leave(now, against - self.under)
        return settled

    def learn(self, spot: str, token: Token) -> None:
        """Learn what ``token`` (None: nothing) looks like on ``spot``, if nothing hides it."""
        if spot not in self.partly:
            self._bodies.learn(spot, token, self.even)

    def told_apart(self, one: str, other: str) -> bool:
        """Tell whether two tokens can be told apart by their looks: two of one body cannot."""
        return self._bodies.body(one) != self._bodies.body(other)
