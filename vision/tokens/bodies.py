"""Men without faces: what each spot shows, a bare board or whose man.

Chessmen look different from every side and on every spot, and eight of them are the same. What a
camera does see is that a spot changed, that it is bare, and the colour of the man's body. The rules
know the rest.

Log-likelihoods are in nats.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from companion.rules import Board, Point
from vision.board.raster import Floats, worst
from vision.tokens.ground import DISC, Ground, bare_ground
from vision.tokens.kinds import BARE, ENOUGH, Distribution, Kinds, distribution_of, features
from vision.tokens.observe import Looks, Token
from vision.tokens.shadows import Shadows
from vision.tokens.silhouettes import Mask, Silhouettes

LEAST = 0.06
"""Change, in natural logarithms of light, that even a man of the colour of his spot makes."""
SEEN = 0.35
"""Share of a spot's points that must be seen for it to be judged."""
RECENT = 4
"""Pictures with which a new one is compared, for arms and shadows come and go."""
LAMP, PEAK, GLARE, BRIGHTEST = 0.12, 0.25, 0.18, 0.95
"""A light under a spot: the radius of its glare in pitches; by how much, in logarithms of light, it
rises (PEAK) over what is more than twice as far from the middle, and (GLARE) over all but a
twentieth of the board."""
PLAINLY, MOSTLY = 3.0, 0.8
"""Nats by which a man must be likelier than a bare spot to be plain to see; and the share of the
points round a light of which none is far brighter or darker than the others (MOSTLY)."""
LOW, CORE, HIGH, BROAD = 0.9, 0.6, 1.1, 1.15
"""Factors on height and breadth of a man within which he surely covers what is behind him (LOW,
CORE), and beyond which he surely does not (HIGH, BROAD)."""
USUAL = 1.0
"""Pitches: how high a man stands of whom the game does not say it."""
LOWER, TALLER = 0.75, 1.6
"""How many times as high as the game says the men of a set may be, at least and at most."""
CAME = 0.5
"""Share of the change that men make who come or go, from which on a bare point shows one; a spot
that changes less looks as before."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody who came to a spot: a man of this ``body``, whose kind and height are not known."""

    body: str


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A picture on which ``table`` stood: in its own light, and ``even`` in that of the first; so
    much of the raster was ``valid``. What its spots ``unsure`` showed was not understood; those
    ``partly`` seen tell not all they show."""

    picture: Floats
    even: Floats
    table: Mapping[str, str]
    valid: Mask
    unsure: Collection[str] = ()
    partly: Collection[str] = ()


Standing = Mapping[str, str | Stranger | None]


class Bodies:
    """What one board of men without faces looks like: its ``reference`` picture, in the light of
    the first, and its bare spots. ``table`` says what stands where in it, ``look`` which body a
    token has and how high it stands."""

    def __init__(
        self, board: Board, ground: Ground, look: Looks, reference: Floats, table: Mapping[str, str]
    ) -> None:
        self._board, self._ground, self._look = board, ground, look
        self._index = {name: i for i, name in enumerate(ground.names)}
        self.reference, self.kinds = reference, Kinds()
        self.showed = dict(table)
        """What stands where in the reference, whatever was believed since."""
        self.recent = deque([Settled(reference, reference, dict(table), ground.valid)], RECENT)
        """The last pictures that were settled: the latest one is the reference."""
        self.left: dict[str, Floats] = {}
        """What spots showed, as points of their discs, when they were seen last and not
        understood."""
        self.bare = bare_ground(board, ground, reference, table)
        self.silhouettes = Silhouettes(board, ground.camera, ground.places())
        self._outline = cache(partial(self.silhouettes.covers, points=ground.grid))
        self.shadows = Shadows(board.pitch)
        self._places = ground.places()
        self._stature, self._statures = 1.0, list[float]()
        self._heights = [self.tall(token) for token in table.values()] or [USUAL]
        guess = bare_ground(board, ground, reference, table, own=False)
        bare = self._index.keys() - table.keys()
        self._seen_bare = {spot for spot in bare if self.visible(spot, table).all()}
        shows: dict[tuple[str, str], list[float]] = {}
        for spot in ground.names:
            token = table.get(spot)
            off = self.points(reference - (guess if token is None else self.bare), spot)
            seen = self.visible(spot, table)
            if seen.mean() < SEEN:
                continue
            self.kinds.learn(self.body(token), self.shade(spot), features(off, ground.basis, seen))
            if token is not None:
                key = self.body(token), self.shade(spot)
                shows.setdefault(key, []).append(float(worst(off)[seen].mean()))
        self._shows = {key: float(np.median(amounts)) for key, amounts in shows.items()}

    @property
    def shortest(self) -> float:
        """Return how high the lowest men stand, in pitches."""
        return self._stature * min(self._heights)

    @property
    def tallest(self) -> float:
        """Return how high the highest men stand, in pitches."""
        return self._stature * max(self._heights)

    def visible(self, spot: str, table: Standing, stranger: float = 0.0) -> Mask:
        """Return which points of ``spot`` are in the picture and hidden by none of the men on
        ``table``; a stranger is taken to be ``stranger`` pitches high."""
        hidden = ~self.within(self._ground.valid, spot)
        for other in self.silhouettes.before(spot, self.tallest):
            if (there := table.get(other)) is not None:
                tall = stranger if isinstance(there, Stranger) else self.tall(there)
                hidden |= self.silhouettes.hidden(other, spot, tall)
        return ~hidden

    def head(self, spot: str, *tables: Standing) -> Mask:
        """Return where on the raster the man whom the first of ``tables`` has on ``spot`` is seen,
        beside all who stand nearer to the lens on any of them."""
        token = tables[0][spot]
        assert isinstance(token, str)
        shapes = self.silhouettes
        seen = self._outline(spot, LOW * self.tall(token), broad=CORE) & self._ground.valid
        for other in shapes.order[: shapes.order.index(spot)]:
            for there in {*(table.get(other) for table in tables)} - {None}:
                tall = self.tall(there) if isinstance(there, str) else self.tallest
                seen = seen & ~self._outline(other, HIGH * tall, broad=BROAD)
        return seen

    def against_the_board(self, spot: str, table: Standing, there: Standing) -> Mask:
        """Return where on the raster the head of the man on ``spot`` of ``table``, or of whoever
        came there, is seen against the bare board, whichever of two tables the others stand on."""
        token, pitch = table.get(spot), self._board.pitch
        tall = self.tall(token) if isinstance(token, str) else self.shortest
        seen = self._outline(spot, LOWER * tall, broad=CORE) & self._ground.valid
        off = np.linalg.norm(self._ground.grid - self._board[spot].centre, axis=-1)
        seen = seen & self._ground.on_board & np.asarray(off > DISC * pitch, np.bool_)
        for other in (table.keys() | there.keys()) - {spot}:
            for man in {table.get(other), there.get(other)} - {None}:
                high = self.tall(man) if isinstance(man, str) else self.tallest
                seen = seen & ~self._outline(other, HIGH * high, broad=BROAD)
        return seen

    def usual(self, body: str) -> float:
        """Return by how much men of this ``body`` differ at least from bare spots, in natural
        logarithms of light."""
        here = [v for (other, _), v in self._shows.items() if other == body]
        return max(LEAST, min(here, default=LEAST))

    def pale(self, spot: str, token: Token) -> bool:
        """Tell whether ``token``, or any man where that is None, may come to ``spot`` or leave it
        unseen: men of his side have its colour."""
        shade, mine = self.shade(spot), self.body(token)
        here = (v for (body, s), v in self._shows.items() if s == shade and mine in (body, BARE))
        return min(here, default=LEAST) < LEAST

    def tall(self, token: str) -> float:
        """Return how high ``token`` stands, in pitches, as far as is known of this set."""
        return self._stature * (self._look(token).height or USUAL)

    def body(self, token: Token) -> str:
        """Return the body of ``token``, BARE for nothing."""
        return BARE if token is None else self._look(token).body

    def alike(self, one: Token, other: Token) -> bool:
        """Tell whether two tokens have the same face."""
        if one is None or other is None:
            return one == other
        return self._look(one).face == self._look(other).face

    def from_the_light(self, spot: str) -> float:
        """Return how far along the shadows ``spot`` lies."""
        return float(np.array(self._board[spot].centre) @ self.shadows.way)

    def shade(self, spot: str) -> str:
        """Return the colour of the bare ``spot``."""
        return self._board[spot].shade

    def points(self, picture: Floats, spot: str) -> Floats:
        """Return the points (m, …) of ``spot`` in ``picture``."""
        return self._ground.disc(picture, self._index[spot])

    def within(self, mask: Mask, spot: str) -> Mask:
        """Return which points (m,) of ``spot`` are within a ``mask`` of the raster."""
        return self._ground.within(mask, self._index[spot])

    def contrast(self, spot: str, token: Token, seen: Mask) -> float:
        """Return by how much the ``seen`` part of ``spot``, on which ``token`` is believed, changes
        if a man comes or goes, in natural logarithms of light."""
        if token is None:
            here = [v for (_, shade), v in self._shows.items() if shade == self.shade(spot)]
            return max(LEAST, min(here, default=LEAST))
        off = worst(self.points(self.reference, spot) - self.points(self.bare, spot))
        return max(LEAST, float(off[seen].mean()))

    def shown(self, spot: str, token: str) -> float:
        """Return how much of a man is seen on ``spot`` in the reference: 1, the most, if it differs
        from a bare one as much as the side of ``token`` makes spots of this shade."""
        off = worst(self.points(self.reference, spot) - self.points(self.bare, spot))
        usual = self._shows.get((self.body(token), self.shade(spot)), LEAST)
        return min(1.0, float(off.mean()) / max(usual, LEAST))

    def missing(self, table: Mapping[str, str]) -> bool:
        """Tell whether some spot of ``table`` looks bare in the reference, as far as it is seen."""
        seen = {spot: self.visible(spot, table) for spot in table}
        looks = {s: [self.points(self.reference, s)] for s, v in seen.items() if v.mean() >= SEEN}
        some = (self.nats(spot, look, seen[spot], {}) for spot, look in looks.items())
        return any(nats[BARE] == 0.0 for nats in some if BARE in nats)

    def still_bare(self, even: Floats, table: Standing) -> dict[str, Distribution]:
        """Return by how much bare spots of each shade that were seen so before usually differ from
        that in a picture: far less than from what is guessed of the others, by those like them."""
        there: dict[str, list[Floats]] = {}
        for spot in self._seen_bare - table.keys():
            if (seen := self.visible(spot, table)).all():
                off = self.points(even, spot) - self.points(self.bare, spot)
                found = features(off, self._ground.basis, seen)
                there.setdefault(self.shade(spot), []).append(found)
        return {
            shade: distribution_of(some) for shade, some in there.items() if len(some) >= ENOUGH
        }

    def nats(
        self, spot: str, looks: Collection[Floats], seen: Mask, bare: Mapping[str, Distribution]
    ) -> dict[str, float]:
        """Return the log-likelihood of each body on ``spot``, 0 for the likeliest unless something
        unknown is likelier, by its ``seen`` points; it may show any of the ``looks``. ``bare`` is
        how spots of each shade differ from what they showed when they were bare before."""
        own = self.points(self.bare, spot)
        found = [features(look - own, self._ground.basis, seen) for look in looks]
        known = bare.get(self.shade(spot)) if spot in self._seen_bare else None
        nats = self.kinds.nats(self.shade(spot), found, known)
        share = float(seen.mean())
        return {body: share * value for body, value in nats.items()}

    def shining(self, spots: Iterable[str], picture: Floats, even: Floats) -> frozenset[str]:
        """Return those of ``spots`` under which a light seems to shine, so that nobody stands
        there: a small glare in the middle, brighter than nearly all of the board and than a man who
        stood there was."""
        away = np.hypot(*self._ground.basis[:, 1:].T)
        board = np.quantile(picture[self._ground.on_board], BRIGHTEST, axis=0)
        found = set()
        for spot in spots:
            rise, past = (self.points(even - p, spot) for p in (self.bare, self.reference))
            peak = rise[away < LAMP].mean(0) - rise[away > 2 * LAMP].mean(0)
            glare = self.points(picture, spot)[away < LAMP].max(0) - board
            new = spot not in self.showed or past[away < LAMP].mean(0).max() > LEAST
            shines = new and peak.max() > PEAK and glare.max() > GLARE
            if shines and not self._past(spot, even, away):
                found.add(spot)
        return frozenset(found)

    def _past(self, spot: str, even: Floats, away: Floats) -> bool:
        """Tell whether a light shines past somebody who plainly stands on ``spot``: alone it would
        be as bright all round. ``away`` is how far the points of a spot are from its middle."""
        shows = self.points(even, spot)
        nats = self.nats(spot, [shows], np.ones(len(shows), np.bool_), {})
        men = max((value for body, value in nats.items() if body != BARE), default=-PLAINLY)
        ring = (shows - self.points(self.bare, spot))[away > 2 * LAMP]
        uneven = np.quantile(worst(ring - np.median(ring, 0)), MOSTLY)
        alone = uneven < self.contrast(spot, None, np.ones(len(shows), np.bool_))
        return bool(not alone and men >= nats.get(BARE, 0.0) + PLAINLY)

    def lay_bare(self, spot: str, even: Floats) -> None:
        """Let ``even`` show the bare ``spot``."""
        index = self._index[spot]
        self._ground.put(even, index, self._ground.square(self.bare, index))

    def shaded(self, spot: str, sources: Standing) -> Mask:
        """Return on which points of ``spot`` the shadows of the men ``sources`` may fall."""
        covered = np.zeros(len(self._ground.basis), np.bool_)
        points = self._places[self._index[spot]]
        for other, there in sources.items():
            tall = self.tallest if not isinstance(there, str) else self.tall(there)
            covered |= self.shadows.covers(self._board[other].centre, tall, points)
        return covered

    def apart(self, spot: str, others: Iterable[str]) -> Mask:
        """Return which points of ``spot`` lie a pitch and more from the feet of men on ``others``,
        where neither their shadows nor their bodies change much."""
        points = self._places[self._index[spot]]
        feet = [self._board[other].centre for other in others]
        off = [np.linalg.norm(points - foot, axis=-1) for foot in feet]
        return np.asarray(np.min(off, axis=0) >= self._board.pitch, np.bool_)

    def men_on(self, spots: Iterable[str]) -> Mask:
        """Return where on the raster men on ``spots`` are seen."""
        there = np.zeros(self._ground.valid.shape, np.bool_)
        for spot in spots:
            there |= self._outline(spot, self.tallest)
        return there

    def shadows_on(self, spots: Iterable[str]) -> Mask:
        """Return where on the raster the shadows of men on ``spots`` may fall."""
        grid = self._ground.grid.reshape(-1, 2)
        there = np.zeros(len(grid), np.bool_)
        for spot in spots:
            there |= self.shadows.covers(self._board[spot].centre, self.tallest, grid)
        return there.reshape(self._ground.valid.shape)

    def settle(self, now: Settled) -> None:
        """Take a still picture as the new reference. What was not understood keeps what it showed
        before; bare spots and shadows are learned where they are seen."""
        table, before, difference = now.table, self.showed, now.even - self.reference
        if before != table:
            self._learn_shadows(difference, before, now)
            self._learn_stature(difference, before, table)
        reference = now.even.copy()
        for spot in now.unsure:
            square = self._ground.square(self.reference, self._index[spot])
            self._ground.put(reference, self._index[spot], square)
        kept = {spot: before[spot] for spot in before.keys() & set(now.unsure)}
        self.showed = {s: t for s, t in table.items() if s not in now.unsure} | kept
        self.reference = reference
        self.recent.append(now)
        self._lay_bare(now, difference, before)

    def _lay_bare(self, now: Settled, difference: Floats, before: Mapping[str, str]) -> None:
        """Learn what bare spots show where they are seen. The others go with the light round them:
        what is taken out of a picture is never all that changed, and over an evening that adds
        up."""
        open_ = self._index.keys() - now.table.keys() - {*now.unsure}
        clear = {s for s in open_.difference(now.partly) if self.visible(s, now.table).all()}
        for spot in clear:
            square = self._ground.square(now.even, self._index[spot])
            self._ground.put(self.bare, self._index[spot], square)
        self._seen_bare |= clear
        steady = np.array([self._index[spot] for spot in sorted(clear - before.keys())])
        if len(steady) < self._ground.basis.shape[1]:
            return
        changes = [np.median(self._ground.disc(difference, index), 0) for index in steady]
        light = self._ground.sloping(steady, np.array(changes))
        for spot in self._index.keys() - clear:
            index = self._index[spot]
            square = self._ground.square(self.bare, index) + light[index]
            self._ground.put(self.bare, index, square)

    def look_round(self, picture: Floats, shows: Mask) -> None:
        """Take it that the table beside the board was as ``picture`` has it where it ``shows``
        that: the board was moved on it since the reference."""
        valid = self._ground.on_board | shows
        self.recent.append(replace(self.recent[-1], picture=picture, valid=valid))

    def recall(self, before: Settled) -> None:
        """Take ``before``, of another light, for a picture from before the reference."""
        even = self.reference + self._ground.difference(before.picture, self.reference)
        self.recent.appendleft(replace(before, even=even))

    def lately(self, spot: str, token: Token) -> list[Floats]:
        """Return the last pictures, in the light of the first, in which ``token`` was seen on
        ``spot``: a man since he came there last, for he may have stood otherwise before."""
        found = [self.reference] if self.showed.get(spot) == token else []
        for then in reversed(self.recent):
            if then.table.get(spot) == token:
                found += [then.even] if spot not in then.unsure else []
            elif token is not None:
                break
        return found

    def leave(self, now: Settled, spots: Collection[str]) -> None:
        """Remember what ``spots`` of a still picture show, which were not understood."""
        self.left = {spot: self.points(now.even, spot) for spot in spots}

    def _learn_shadows(self, difference: Floats, before: Standing, now: Settled) -> None:
        table = now.table

        def men(here: Standing, there: Standing) -> list[tuple[Point, float]]:
            some = {s: t for s, t in here.items() if isinstance(t, str) and s not in there}
            return [(self._board[s].centre, self.tall(t)) for s, t in some.items()]

        points, darker = [], []
        for spot, index in self._index.items():
            if not (spot in table or spot in before or spot in now.unsure):
                seen = self.visible(spot, table) & self.visible(spot, before)
                points.append(self._places[index][seen])
                darker.append(-self.points(difference, spot)[seen].mean(1))
        if points:
            came, left = men(table, before), men(before, table)
            self.shadows.learn(came, left, np.concatenate(points), np.concatenate(darker))

    def _learn_stature(
        self, difference: Floats, before: Standing, table: Mapping[str, str]
    ) -> None:
        """Learn by the men who came how high those of this set are."""
        most, grid = TALLER * max(self._heights), self._ground.grid
        still = [spot for spot in table if before.get(spot) == table[spot]]
        clear = self._ground.valid & self._ground.on_board
        for spot in {*still} | {s for s in before if before[s] != table.get(s)}:
            clear = clear & ~self._outline(spot, most)
        for spot in table.keys() - before.keys():
            seen = clear & ~self.shadows_on([spot])
            for other in table.keys() - before.keys() - {spot}:
                seen = seen & ~self._outline(other, most)
            usual = self._look(table[spot]).height or USUAL
            limit = CAME * self.usual(self.body(table[spot]))
            changed = worst(difference[seen]) > limit
            high = self.silhouettes.height(spot, grid[seen], changed, TALLER * usual)
            if high is not None:
                self._statures.append(high / usual)
        # Before print of his own colour a man seems to end too soon; one may be told too high. A
        # lower set is taken for a usual one: it is the safer side.
        if len(self._statures) > 1:
            self._stature = max(1.0, sorted(self._statures)[-2])

    def learn(self, spot: str, token: Token, even: Floats) -> None:
        """Learn what ``token`` (None: nothing) looks like on ``spot``, of which nothing is hidden,
        in the picture ``even``."""
        off = self.points(even, spot) - self.points(self.bare, spot)
        found = features(off, self._ground.basis, np.ones(len(off), np.bool_))
        self.kinds.learn(self.body(token), self.shade(spot), found)
