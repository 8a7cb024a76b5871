"""The reader: one frame and the game so far in, what happened on the table out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Generic

from companion.rules import BadInput, Board, Game, S, Setup, say
from vision.board.calibrate import Camera
from vision.decoding.belief import Belief
from vision.decoding.dark import Dark, plainly
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded, Told
from vision.decoding.differences import DOUBT, FITS, Spoilt, hides, nearby, stirred, unlike
from vision.decoding.in_hand import InHand
from vision.decoding.missed import (
    halfway,
    landed_or_left,
    left_unseen,
    overtaken,
    unnoticed,
    unseen,
)
from vision.decoding.notes import Notes
from vision.decoding.open_doubt import OpenDoubt
from vision.decoding.opening import bearable, by_markers
from vision.decoding.orders import Ledger, Orders, one_after_another, revoked
from vision.decoding.puzzle import as_seen, in_place_of_its_like, on_its_like, puzzled
from vision.decoding.reading import Reading, with_probability
from vision.decoding.scene import Scene
from vision.decoding.setting_up import Known, SettingUp
from vision.decoding.story import Story
from vision.decoding.trace import Trace
from vision.frames import Frame, TableFile
from vision.tokens.album import Album
from vision.tokens.eye import Eye, Glimpse, Seen
from vision.tokens.observe import CLEAR
from vision.watching import waiting
from vision.watching.resized import Resized
from vision.watching.waiting import differing


class Reader(Generic[S]):
    """Reads the frames of one table in the order of time.

    A ``live`` reader waits for a complete set-up and says what is missing; one that reads a
    recording takes the first picture as it is. ``album`` holds faces known from before.
    """

    def __init__(
        self,
        game: Game[S],
        setup: Setup,
        table_file: TableFile,
        *,
        live: bool = False,
        album: Album | None = None,
    ) -> None:
        self._live = live
        self._game, self._resized = game, Resized(table_file)
        self._board: Board = game.board(setup)
        self._start = game.start(setup)
        # A game may prepare tables when it is first asked: now, not while a hand waits.
        game.legal(self._start)
        self._ledger: Ledger[S] = Ledger(game)
        self._orders: Orders[S] = Orders(game, self._ledger)
        self._notes: Notes[S] = Notes(self._board)
        self._doubt: OpenDoubt[S] = OpenDoubt(game, self.not_taken)
        self._begin_anew(Known(album), Belief(game, self._board))

    def _begin_anew(self, known: Known, belief: Belief[S]) -> None:
        """Know nothing of the pictures so far but what is ``known``."""
        self._dark, self._spoilt = Dark(self._board), Spoilt()
        self._belief, start = belief, self._start
        self._setting_up: SettingUp[S] = SettingUp(
            self._game, self._board, start, belief, self._dark, known, live=self._live
        )
        self._open: frozenset[str] = frozenset()
        self._unlike: frozenset[str] = frozenset()
        self._hidden: frozenset[str] = frozenset()
        self._said: tuple[str, ...] | None = None
        self._asked: tuple[S, tuple[Story[S], ...]] | None = None
        self._in_hand = InHand(self._game, self._live)

    @property
    def _eye(self) -> Eye:
        assert self._setting_up.eye is not None, "the table was seen set up"
        return self._setting_up.eye

    @property
    def board(self) -> Board:
        """Return the board that is read."""
        return self._board

    @property
    def camera(self) -> Camera | None:
        """Return how the last picture shows the board; None before the first."""
        return self._setting_up.camera

    @property
    def light(self) -> float:
        """Return how bright the lights under the board may be, 0 to 1, for this eye to see by."""
        return bearable(self._game, self._start)

    @property
    def faces(self) -> int:
        """Return how many faces are known; 0 before the game began, and for dice."""
        return self._eye.faces if self.begun else 0

    def album(self) -> Album | None:
        """Return the faces known by now, None where there are none."""
        return self._setting_up.album()

    def why(self, reading: Reading, closely: bool = False) -> Trace:
        """Return how ``reading``, that of the last picture, came about. ``closely`` looks at what
        changed though the picture was not read: no other picture may be read after that."""
        if closely and self.begun:
            self._notes.hold(self._eye, self._belief.table)
        return self._notes.trace(reading)

    def read(self, frame: Frame, past: Sequence[S]) -> Reading:
        """Read one frame. ``past`` holds every state up to the current one, which comes last.

        Raises:
            BadInput: in the first picture the board is not found.
        """
        return self._doubt.read(past, partial(self._read, frame))

    def _read(self, frame: Frame, past: Sequence[S]) -> Reading:
        self._notes.begin(self._belief.table)
        if frame.image is None:
            return Reading(frame.name, still=False, message=frame.trouble or "no picture")
        try:
            if self._resized.notices(frame.image, self._board, self.camera):
                self._begin_anew(self._setting_up.known, Belief(self._game, self._board))
        except BadInput as error:
            return Reading(frame.name, still=False, message=error.sentence)
        self._dark.begin(frame)
        self._in_hand.begin(frame)
        if not self.begun:
            reading = self._setting_up.read(frame, past, self._resized.table_file)
            self._open = self._setting_up.open
            return reading
        glance = self._eye.look(frame, self._belief.table)
        self._notes.mark(changed=glance.changed, over=glance.over)
        if glance.hand or glance.loose:
            self._dark.disturb()
        if glance.lost:
            file = self._resized.table_file
            camera = by_markers(frame.image, self._board, file, self._belief.table)
            glance = self._eye.seek(camera) if camera is not None else glance
        if glance.lost:
            return Reading(frame.name, still=False, message=waiting.MOVED)
        if glance.hand:
            reason = waiting.MOVES if glance.moving else waiting.REACHES
            return Reading(frame.name, still=False, reason=reason)
        if not glance.changed and (chosen := self._setting_up.looked_again(frame.name, past)):
            return chosen
        return self._read_still(frame.name, glance, past)

    # -- every later picture -----------------------------------------------------------

    def _read_still(self, name: str, glance: Glimpse, past: Sequence[S]) -> Reading:
        eye = self._eye
        checked = self._belief.doubtful(past[-1]).union(self._open, glance.changed, glance.over)
        # What lies wrongly may be put right though hardly anything changes there.
        checked |= self._belief.astray | self._belief.swapped
        checked -= self._hidden | glance.beyond
        light = self._dark.under_light(glance.changed)
        hands = stirred(glance) - light
        self._notes.mark(hidden=self._hidden, lit=light, touched=hands, open=self._open)
        if not (checked or self._hidden):
            return self._calm(name, glance, past)
        seen = self._notes.listen(eye.observe(checked | self._hidden))
        # What lies under a thing that rests there keeps what it had until the thing is moved: then
        # most of it changes, or can be seen, as it can if that was a shadow.
        before, plain = self._hidden, self._belief.plain(seen, self._hidden)
        new = before.intersection(glance.changed)
        gone = 2 * len(self._belief.plain(seen, before, CLEAR / 2) | new) > len(before)
        bared = self._hidden if gone else self._belief.seen_to_hold(seen, new)
        checked, self._hidden = checked | bared, self._hidden - bared - plain
        # What lies half under it looks like nothing once it is bare.
        self._hidden |= self._belief.unclear(seen, nearby(self._board, self._hidden, checked))
        table = self._belief.table
        lit = self._dark.strange(seen, table, checked - self._open)
        checked -= self._dark.cleared(lit)
        self._belief.adopt(eye, seen, past[-1], checked)
        stale, out = self._open.difference(glance.changed), before & self._hidden | glance.beyond
        opened, unlike = self._open, self._unlike
        scene = Scene(seen, table, frozenset(), checked, hands, opened, stale, unlike, out)
        if glance.loose and self._strange(scene, glance, past):
            if not glance.rests:
                reason = waiting.UNDER if glance.over else waiting.REACHES
                return Reading(name, still=False, reason=reason)
            near = nearby(self._board, glance.over, checked)
            near = near.intersection(glance.over) | self._belief.unclear(seen, near)
            self._hidden |= near - self._belief.plain(seen, near)
        elif bared and self._forbidden(scene, past, bared):
            self._hidden |= bared - plain
        checked -= self._hidden
        changed = self._belief.changed(seen, past[-1], checked, hands)
        changed = eye.completed(changed, checked - self._open)
        checked, out = checked | changed, self._hidden | glance.beyond
        scene = replace(scene, changed=changed, checked=checked, concealed=out)
        if not changed and (unnoticed := self._unnoticed(scene, glance, past)):
            scene = unnoticed
        if not scene.changed:
            self._open, self._said = frozenset(), None
            self._asked = None
            return self._calm(name, glance, past)
        return self._changed(name, glance, past, scene, lit)

    def _changed(
        self,
        name: str,
        glance: Glimpse,
        past: Sequence[S],
        scene: Scene,
        lit: frozenset[str],
    ) -> Reading:
        """Read a picture in which spots changed; ``lit`` are those that may do so by light."""
        decoded, scene = self._looked_into(scene, past)
        seen, changed = scene.seen, scene.changed
        if lit & changed and not plainly(seen, changed, decoded) and self._dark.ask(lit):
            return Reading(name, still=False, dark=True, reason=waiting.UNLIT)
        decoded, past, instead = self._orders.better(decoded, past, partial(self._decode, scene))
        strange = () if decoded.best else unlike(seen, self._belief.table, changed)
        ill = (s for s in strange if seen.error(s, self._belief.table.get(s)) > DOUBT)
        if self._spoilt.picture(frozenset(ill)):
            return Reading(name, still=False, reason=waiting.SPOILT)
        decoded = on_its_like(self._game, self._board, decoded, scene, past[-1])
        decoded = in_place_of_its_like(self._game, decoded, scene, past[-1])
        decoded = self._in_hand.unless_lifted(decoded, past[-1])
        if not glance.loose and self._refused_beside(glance, decoded):
            return self._all_the_same(name, glance)
        if self._reached_for(glance, decoded):
            return Reading(name, still=False, reason=waiting.REACHES)
        if reason := self._unsettled(glance, decoded):
            return Reading(name, still=False, dark=self._dark.again(), reason=reason)
        reading = self._tell(name, scene, decoded, past)
        self._unlike = self._eye.unsure().union(glance.changed)
        if decoded.sure and decoded.best is not None:
            self._orders.told(past, decoded.best.story, [t.story for t in decoded.twins])
        if not reading.asks:
            # What is asked about goes on looking new.
            self._eye.settle(self._belief.table)
        if again := revoked(self._game, reading.steps, past):
            return replace(reading, instead=one_after_another(instead, again[0]), steps=again[1])
        return replace(reading, instead=instead)

    def _looked_into(self, scene: Scene, past: Sequence[S]) -> tuple[Decoded[S], Scene]:
        """Explain what changed; where that is refused or fails, or the eye may have overlooked
        something, look further for what else may have. Return the explanation and what it was found
        with."""
        decoded = None if self._eye.overlooks else self._decode(scene, past)
        if decoded is None or not decoded.lawful:
            sought = self._sought(scene, past)
            if decoded is None or sought is not scene:
                decoded, scene = self._decode(sought, past), sought
        if decoded.refused and (more := self._missed(scene, past)):
            decoded, scene = self._decode(more, past), more
        for again in (False, True):
            # An eye takes the ends that it is asked for as touched: none are, where all is lawful.
            best = decoded.best
            if best and best.story.moves and not (best.story.illegal or best.story.back):
                break
            if not (ends := self._eye.other_ends(scene.changed, again) - scene.concealed):
                continue
            wider = replace(scene, changed=scene.changed | ends, checked=scene.checked | ends)
            further = self._decode(wider, past)
            if not further.left and (further.lawful if again else further.best):
                decoded, scene = further, wider
        best, done = decoded.best, self._ledger.actions(past)
        if best and (
            (decoded.refused and self._overtaken(best, scene, past))
            or halfway(self._game, past, done, best, scene.changed)
        ):
            decoded = replace(decoded, best=None, left=frozenset())
        return decoded, scene

    def _overtaken(self, best: Told[S], scene: Scene, past: Sequence[S]) -> bool:
        """Tell whether a move that nobody saw explains what the rules refuse in ``best``."""
        eye, every, done = self._eye, scene.seen, self._ledger.actions(past)
        if not eye.sees_all:
            every = eye.observe(self._board.spots)
        may = partial(unnoticed, every, self._belief.table, eye.unsure())
        found = overtaken(self._game, past, done, best, may, scene.changed)
        # What the eye learns from the picture it learns from the spots it looked at last.
        eye.observe(scene.checked)
        return found

    def _sought(self, scene: Scene, past: Sequence[S]) -> Scene:
        """Look where tokens may have gone that left, or stood that came, though it is not seen."""
        if self._eye.sees_all:
            return scene
        where = unseen(self._game, past[-1], self._ledger.actions(past), scene) - scene.concealed
        if not where:
            return scene
        checked = scene.checked | where
        scene = replace(scene, seen=self._notes.listen(self._eye.observe(checked)), checked=checked)
        return replace(scene, changed=scene.changed | landed_or_left(scene, where))

    def _missed(self, scene: Scene, past: Sequence[S]) -> Scene | None:
        """Look all over the table for what left unnoticed, such as pale tokens: for want of that
        the rules may refuse what was played next. None where there is nothing."""
        if self._eye.sees_all or not self._eye.overlooks:
            return None
        checked = scene.checked
        table = {s: t for s, t in self._belief.table.items() if s not in scene.concealed}
        every = self._notes.listen(self._eye.observe(checked | table.keys()))
        gone = left_unseen(every, table) - checked
        if not gone:
            self._eye.observe(checked)
            return None
        left = replace(scene, seen=every, changed=gone, checked=checked | gone)
        found = self._sought(left, past)
        return replace(found, changed=scene.changed | found.changed)

    def _unnoticed(self, scene: Scene, glance: Glimpse, past: Sequence[S]) -> Scene | None:
        """Look for what left unnoticed and explains a spot that looks ill, as one does to which
        a token came that stands nowhere else. None where nothing does."""
        table = self._belief.table
        some = scene.checked.intersection(glance.changed)
        if self._eye.sees_all:
            told = self._decode(wider := replace(scene, changed=some), past).best if some else None
            return wider if told and not told.story.illegal else None
        ill = frozenset(s for s in some if scene.seen.error(s, table.get(s)) > DOUBT)
        more = self._missed(replace(scene, changed=ill), past) if ill else None
        return more if more and self._decode(more, past).best else None

    def _strange(self, scene: Scene, glance: Glimpse, past: Sequence[S]) -> bool:
        """Tell whether something large that reaches in from nowhere hides what lies under it: the
        spots show neither what is believed nor what the rules explain."""
        seen = scene.seen
        changed = self._belief.changed(seen, past[-1], scene.checked, scene.stirred)
        over = scene.checked.intersection(glance.over) - changed
        plain = all(seen.error(s, scene.table.get(s)) <= CLEAR for s in over)
        if not changed or not plain:
            return not plain
        decoded = self._decode(replace(scene, changed=changed), past)
        if decoded.best is None or not decoded.clear:
            return True
        # Fingers at the edge may hold what moved last and seems to lie under it, not quite seen.
        table, story = decoded.best.table, decoded.best.story
        at = str(story.last.target) if story.last else ""
        held = glance.edge and at in glance.over and seen.error(at, table.get(at)) > FITS
        if not glance.rests and (held or story.gone or (story.illegal and glance.over)):
            return True
        return hides(seen, table, changed.intersection(glance.over))

    def _forbidden(self, scene: Scene, past: Sequence[S], bared: frozenset[str]) -> bool:
        """Tell whether a refused move would explain the spots ``bared``, from which a thing seems
        to have been taken: then it rather lies there yet."""
        changed = self._belief.changed(scene.seen, past[-1], scene.checked, scene.stirred)
        scene = replace(scene, changed=changed)
        best = self._decode(scene, past).best if changed & bared else None
        return best is not None and bool(best.story.illegal and best.story.touched & bared)

    # -- beside another eye ------------------------------------------------------------

    @property
    def begun(self) -> bool:
        """Tell whether the table was seen set up."""
        return self._setting_up.eye is not None

    @property
    def belief(self) -> Belief[S]:
        """Return what is believed to stand on the table."""
        return self._belief

    def sight(self, spots: frozenset[str]) -> Seen | None:
        """Return what the last picture shows of ``spots``; None where something hides one of them
        or nothing was seen yet."""
        if not self.begun or spots & self._hidden:
            return None
        return self._eye.observe(spots)

    def begin_anew(self) -> None:
        """Take the next still picture for the first one: too much happened since the last to hold
        it against that. Faces are known, and what is believed stays."""
        self._begin_anew(replace(self._setting_up.known, was_set_up=True), self._belief)

    def not_taken(self, before: Belief[S]) -> None:
        """Believe again what was believed ``before``, for what was told last was not taken; it is
        told again as long as it is seen."""
        there = self._belief.table
        every = {*before.table, *there}
        self._belief.go_back(before)
        self._open = frozenset(s for s in every if before.table.get(s) != there.get(s))

    def _decode(self, scene: Scene, past: Sequence[S]) -> Decoded[S]:
        belief, actions = self._belief, self._ledger.actions(past)
        asked = self._asked[1] if self._asked and self._asked[0] == past[-1] else ()
        decoder = Decoder(self._game, scene)
        decoded = decoder.decode(past, actions, belief.standing, belief.swapped, asked)
        return self._notes.searched(scene, decoded)

    def _calm(self, name: str, glance: Glimpse, past: Sequence[S]) -> Reading:
        """Return that nothing happened, and take the picture as the one to compare with, unless
        what is large there may be a hand."""
        if glance.rests or not glance.loose:
            self._eye.settle(self._belief.table)
        self._belief.agrees(past[-1])
        return self._all_the_same(name, glance)

    def _all_the_same(self, name: str, glance: Glimpse) -> Reading:
        """Return that nothing happened, and what cannot be seen, if anything cannot."""
        under = self._hidden.union(() if glance.loose else glance.over)
        hidden, swapped = (tuple(sorted(s)) for s in (under, self._belief.swapped))
        said = differing(swapped) if swapped else ""
        if hidden:
            said = say("something lies on {spots}; play goes on round it", spots=hidden)
        table, differs = dict(self._belief.table), hidden or swapped
        return Reading(name, True, table, differs=differs, message=said)

    def _refused_beside(self, glance: Glimpse, decoded: Decoded[S]) -> bool:
        """Tell whether what is told was refused beside a thing that lies there."""
        touched = decoded.best.story.touched if decoded.best and decoded.refused else ()
        return bool(nearby(self._board, glance.over, touched))

    def _reached_for(self, glance: Glimpse, decoded: Decoded[S]) -> bool:
        """Tell whether what lies over the board may be a hand on the men who are told of. What
        rests is none; beside it a move is hardly made against the rules."""
        if decoded.best is None:
            return False
        story, now, before = decoded.best.story, decoded.best.table, self._belief.table
        illegal = bool(story.illegal)
        moved = story.touched.union(s for s in {*now, *before} if now.get(s) != before.get(s))
        rest = self._eye.unexplained(moved, illegal)
        return rest is not None and (illegal or (rest.near and not glance.rests))

    def _unsettled(self, glance: Glimpse, decoded: Decoded[S]) -> str:
        """Return why the next picture has to say the same: fingers at the edge may hold what was
        moved, or a move be under way, or what is seen hardly fits. Nothing where the last one that
        showed a change did."""
        story = decoded.best.story if decoded.best else None
        before, self._said = self._said, story.key if story else ()
        if self._said == before:
            return ""
        held = glance.edge and story is not None and story.held(glance.near)
        last = story.last if story else None
        # What went out of the picture may as well be in a hand.
        unseen = last and last.origin and last.target in glance.beyond
        twice = glance.hasty or unseen or (self.begun and decoded.weak(self._eye.poor))
        return waiting.HELD if held else waiting.TWICE if twice else ""

    def _tell(self, name: str, scene: Scene, decoded: Decoded[S], past: Sequence[S]) -> Reading:
        best, seen, changed = decoded.best, scene.seen, scene.changed
        stories = [told.story for told in decoded.rivals if told.story.steps]
        if best is None or not (decoded.sure or stories):
            self._open = changed
            return puzzled(self._game, name, seen, self._belief.table, changed)
        if not (decoded.sure or decoded.settled):
            self._open, self._asked = frozenset(), (past[-1], decoded.doubted)
            asks = tuple(with_probability(story.steps, decoded.p) for story in stories)
            there = as_seen(seen, self._belief.table, changed)
            return Reading(name, True, there, asks=asks, message=say("which was it?"))
        before, self._asked = self._belief.kept(), None
        # Play went on beside it.
        under = self._belief.under(seen, decoded.left, self._hidden)
        self._open, self._hidden = decoded.left - under, self._hidden | under
        self._belief.take(self._eye, scene, best)
        if decoded.settled:
            ways = [with_probability(told.story.steps, decoded.p) for told in decoded.alike]
            self._doubt.arises(past, ways, decoded.alike_p, before)
            return Reading(name, True, dict(self._belief.table))
        steps = with_probability(best.story.steps, decoded.trust)
        spots = tuple(sorted(decoded.left | best.story.swapped))
        said = differing(spots) if spots else ""
        return Reading(name, True, dict(self._belief.table), steps, differs=spots, message=said)
