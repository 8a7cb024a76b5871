"""The reader of a board that feels where tokens lie: what was lifted and put down in between tells
most, the rules the rest, and where they leave two readings it asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Generic

from companion.rules import Board, Game, S, Setup, accepted, quoted, say, tokens_of
from vision.board.calibrate import Camera
from vision.decoding.belief import Belief
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded, Told
from vision.decoding.differences import FITS
from vision.decoding.notes import Notes
from vision.decoding.orders import Ledger
from vision.decoding.puzzle import puzzled
from vision.decoding.reading import Reading, Step, with_probability
from vision.decoding.scene import Scene
from vision.decoding.setting_up import begun_with, lacking
from vision.decoding.story import Story, face_of, refused, with_changes
from vision.decoding.trace import Trace
from vision.frames import Frame, Sensed, TableFile
from vision.sensing.felt import Felt, FeltAndSeen
from vision.tokens.eye import Seen
from vision.watching import waiting
from vision.watching.waiting import differing

SETTLED = 0.7
"""Seconds for which nothing changes before a move is taken as made: hands slide pieces and
rest them on the way."""
IN_HAND = 5.0
"""Seconds for which a token that may have left the board by the rules may as well be in a hand."""
RIVAL = 3.0
"""Nats by which another outcome of the same moves may be less likely and is asked about."""


class SensorReader(Generic[S]):
    """Reads the frames of one board of sensors in the order of time; see
    :class:`vision.decoding.reader.Reader` for ``live``.

    The field ``sensors`` of ``table_file`` lists the spots in the order in which the board numbers
    them; a board that names its spots needs none. ``sight`` returns what a camera over the same
    board sees of some spots, None where it cannot tell now.
    """

    camera: Camera | None = None
    """There is no camera."""
    light = 1.0
    """How bright lights may be: sensors do not mind."""
    faces = 0
    """How many faces were learned."""

    def __init__(
        self,
        game: Game[S],
        setup: Setup,
        table_file: TableFile,
        *,
        live: bool = False,
        sight: Callable[[frozenset[str]], Seen | None] = lambda spots: None,
    ) -> None:
        self._game, self._live, self._sight = game, live, sight
        self._tokens = frozenset(tokens_of(game, setup))
        self.board: Board = game.board(setup)
        order = table_file.get("sensors")
        self._order: Sequence[str] = order if isinstance(order, list) else ()
        self._ledger: Ledger[S] = Ledger(game)
        self._notes: Notes[S] = Notes(self.board)
        self._belief: Belief[S] = Belief(game, self.board)
        self._begun = False
        self._felt: tuple[frozenset[str], Mapping[str, str] | None] = frozenset(), None
        self._lifted: frozenset[str] = frozenset()
        self._since = self._calm = 0.0

    @property
    def begun(self) -> bool:
        """Tell whether the table was felt set up."""
        return self._begun

    def album(self) -> None:
        """Return that no faces are known."""

    def why(self, reading: Reading, closely: bool = False) -> Trace:
        """Return how ``reading``, that of the last frame, came about."""
        return self._notes.trace(reading)

    def named(self, sensed: Sensed) -> Sensed:
        """Return what was ``sensed`` with the names of spots; a number without a name stays."""

        def names(spots: Collection[str | int]) -> dict[str | int, str | int]:
            return {spot: spot if (name := self._name(spot)) is None else name for spot in spots}

        tokens, of = sensed.tokens, names(sensed.tokens or ())
        return Sensed(
            frozenset(names(sensed.occupied).values()),
            frozenset(names(sensed.left).values()),
            None if tokens is None else {of[spot]: token for spot, token in tokens.items()},
        )

    def read(self, frame: Frame, past: Sequence[S], belief: Belief[S] | None = None) -> Reading:
        """Read one frame. ``past`` holds every state up to the current one, which comes last.
        ``belief`` is what is believed to stand on the table where another eye looks at it, too."""
        self._belief = belief or self._belief
        self._notes.begin(self._belief.table)
        if frame.sensed is None:
            trouble = frame.trouble or say("the board of sensors says nothing")
            return Reading(frame.name, still=False, message=trouble)
        told = {*frame.sensed.occupied, *frame.sensed.left, *(frame.sensed.tokens or ())}
        strange = sorted((spot for spot in told if self._name(spot) is None), key=str)
        if strange:
            words = say(
                "the board of sensors tells of {spot}, which this board has not; see its wiring",
                spot=quoted(str(strange[0])),
            )
            return Reading(frame.name, still=False, message=words)
        if not self._settled(frame, frame.sensed):
            return Reading(frame.name, still=False, reason=waiting.MOVES)
        if not self._begun:
            return self._begin(frame.name, self._feel(), past[-1])
        self._follow(self._feel(), past[-1])
        return self._read(frame.name, self._feel(), past)

    # -- what is felt ------------------------------------------------------------------

    def lifted(self, known: Sensed) -> frozenset[str]:
        """Return the spots from which something was lifted since all fitted, with what was sensed
        now, by the ``known`` names of spots."""
        occupied, left = (frozenset(map(str, spots)) for spots in (known.occupied, known.left))
        return self._lifted | left | (self._felt[0] - occupied)

    def _name(self, spot: str | int) -> str | None:
        """Return the name of a spot that may be told by its number; None where there is none."""
        if isinstance(spot, int):
            return self._order[spot] if 0 <= spot < len(self._order) else None
        return spot if spot in self.board else None

    def _settled(self, frame: Frame, sensed: Sensed) -> bool:
        """Take in what was ``sensed``; tell whether it has not changed for a while."""
        known = self.named(sensed)
        self._lifted = self.lifted(known)
        tokens = None if known.tokens is None else {str(s): t for s, t in known.tokens.items()}
        before, self._felt = self._felt, (frozenset(map(str, known.occupied)), tokens)
        if self._felt != before or known.left:
            self._since = frame.at
        self._calm = frame.at - self._since
        return self._calm >= SETTLED

    def _feel(self) -> Felt:
        """Return what the spots show, by what is believed now of those that nobody lifted."""
        (occupied, tokens), table = self._felt, self._belief.table
        if tokens is not None:
            return Felt(self._game, occupied, tokens, True)
        stay = {spot: table[spot] for spot in table.keys() - self._lifted}
        return Felt(self._game, occupied, stay, False)

    # -- the beginning -----------------------------------------------------------------

    def _begin(self, name: str, felt: Felt, state: S) -> Reading:
        """Begin as soon as the table is set up; a recording begins with what there is."""
        expected = dict(self._game.expect(state))
        wrong = {s for s in self.board if not felt.shows(s, expected.get(s))}
        table = {spot: token for spot, token in expected.items() if spot not in wrong}
        if wrong and self._live:
            faults = {spot: "empty" if felt.shows(spot, None) else "wrong" for spot in wrong}
            return lacking(self._game, name, expected, faults, live=True)
        self._begun, self._lifted = True, frozenset()
        self._belief.begin(table, state)
        return begun_with(self._game, name, table, expected, wrong)

    # -- every later frame -------------------------------------------------------------

    def _read(self, name: str, felt: Felt, past: Sequence[S]) -> Reading:
        state, table = past[-1], self._belief.table
        changed = frozenset(s for s in self.board if not felt.shows(s, table.get(s)))
        lifted = self._lifted & table.keys() - changed
        self._notes.mark(changed=changed, touched=lifted)
        if not changed:
            self._belief.agrees(state)
            self._lifted = frozenset()
            return Reading(name, True, dict(table))
        known, unmoved = self._together(felt, changed | lifted)
        if unmoved:
            said = say("the board of sensors feels a change that the camera does not see")
            return Reading(name, True, dict(table), differs=unmoved, message=said)
        decoded = self._decode(self._notes.listen(known), changed | lifted, lifted, past)
        best = decoded.best
        bare = not lifted and all(felt.shows(spot, None) for spot in changed)
        if best is None or (bare and self._calm < IN_HAND):
            reading = puzzled(self._game, name, felt, table, changed)
            on_likes = self._on_its_like(state, changed, lifted) if reading.lifted else ()
            return (
                replace(reading, asks=on_likes, message=say("which was it?"))
                if on_likes
                else reading
            )
        rivals = self._rivals(best, decoded)
        if rivals or not decoded.sure:
            told = (best, *rivals, *(() if rivals else decoded.others))
            asks = tuple(with_probability(one.story.steps, 1 / len(told)) for one in told)
            return Reading(name, True, dict(table), asks=asks, message=say("which was it?"))
        self._belief.take(felt, Scene(known, table, changed, changed), best)
        self._follow(felt, best.story.state)
        self._lifted = frozenset()
        steps = with_probability(best.story.steps, decoded.trust)
        swapped = tuple(sorted(best.story.swapped))
        words = differing(swapped) if swapped else ""
        return Reading(name, True, dict(self._belief.table), steps, differs=swapped, message=words)

    def _together(
        self, felt: Felt, spots: frozenset[str]
    ) -> tuple[Felt | FeltAndSeen, tuple[str, ...]]:
        """Return what is felt together with what the camera sees of ``spots``, and those from which
        something is felt to have gone that plainly lies there yet."""
        seen, table = self._sight(spots), self._belief.table
        if seen is None:
            return felt, ()
        gone = [(s, table[s]) for s in sorted(spots & table.keys()) if felt.shows(s, None)]
        stay = [s for s, t in gone if seen.error(s, t) <= FITS and not seen.shows(s, None)]
        tokens = self._tokens | set(table.values())
        return FeltAndSeen(felt, seen, spots, tokens), tuple(stay)

    def _decode(
        self, felt: Seen, spots: frozenset[str], lifted: frozenset[str], past: Sequence[S]
    ) -> Decoded[S]:
        """Return what explains the ``spots``: some changed, and from others something was
        ``lifted`` though something lies there now."""
        belief = self._belief
        scene = Scene(felt, belief.table, spots, frozenset(self.board), lifted)
        actions = self._ledger.actions(past)
        decoded = Decoder(self._game, scene).decode(past, actions, belief.standing, belief.swapped)
        return self._notes.searched(scene, decoded)

    def _rivals(self, best: Told[S], decoded: Decoded[S]) -> tuple[Told[S], ...]:
        """Return other outcomes of the moves of ``best`` that feel alike, such as what a piece
        became: nothing but a person can tell."""
        mine = self._faces(best.story.state)
        return tuple(
            told
            for told in decoded.twins
            if told.score > best.score - RIVAL and self._faces(told.story.state) != mine
        )

    def _on_its_like(
        self, state: S, changed: frozenset[str], lifted: frozenset[str]
    ) -> tuple[tuple[Step, ...], ...]:
        """Return the refused moves by which the one token that is gone took one that looks the same
        off the board: that feels as if it were in a hand."""
        here, [origin] = Story(state, self._belief.table), changed
        face = face_of(self._game, here.table[origin])
        likes = [s for s in sorted(lifted) if face_of(self._game, here.table[s]) == face]
        found = (refused(self._game, here, origin, spot) for spot in likes)
        return tuple(with_probability(one.steps, 0.5) for one in found if one is not None)

    def _faces(self, state: S) -> Mapping[str, str | None]:
        return {s: face_of(self._game, t) for s, t in self._game.expect(state).items()}

    def _follow(self, felt: Felt, state: S) -> None:
        """Take over what ``state`` expects where that feels the same: tokens turned over, what was
        decided on a phone and put right by hand."""
        expected, belief = self._game.expect(state), self._belief
        standing = {spot for move in belief.standing for spot, _ in move.before}
        spots = {*expected, *belief.table} - standing
        lags = {s for s in spots if belief.table.get(s) != expected.get(s)}
        turned = {s for s in lags if belief.table.get(s) in accepted(self._game, state, s)}
        others = lags - turned if belief.doubtful(state) else set()
        # What was told elsewhere is carried out once all of it feels so.
        done = others if all(felt.shows(s, expected.get(s)) for s in others) else set()
        belief.table = with_changes(belief.table, {s: expected.get(s) for s in turned | done})
        if done:
            belief.agrees(state)
            self._lifted -= done
