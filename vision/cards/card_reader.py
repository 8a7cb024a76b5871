"""The reader for tables of cards: every picture tells which card lies where, whatever was before.

It answers what :class:`Reader` answers. No set-up is waited for, and nothing is
compared with an earlier picture but to save work: cards are known by their faces.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from companion.rules import Action, BadInput, Board, Game, S, Setup, Text, Uncertain, name_of, say
from vision.board.calibrate import Camera, camera_from_table
from vision.cards.card_sight import CardPlace, CardSight, sure_tokens
from vision.cards.card_trace import CardNotes
from vision.cards.cards import SURE, KnownDeck
from vision.cards.evening_deck import EveningDeck
from vision.cards.hands_over import HandsOver
from vision.cards.printed_cards import printed
from vision.cards.stories import CardStory, SeenCards, Stories, ToldCards, by_spot
from vision.cards.teaching import Lesson
from vision.decoding.reading import ASKED, Reading, Step
from vision.decoding.trace import Trace
from vision.frames import Frame, Image, TableFile
from vision.taught import TaughtReader
from vision.watching.resized import Resized
from vision.watching.waiting import MOVES, REACHES, Gate, listed

BACKWARDS = 3
"""Number of the last cards that may have been taken back."""
DOUBTED, UNKNOWN = 8, 3
"""Looks after which somebody is asked about a place that cannot be empty (DOUBTED) and about a card
that is not known (UNKNOWN); by then no hand is in the way."""
AGREED, RECORDED = 4, 2
"""Pictures in a row in which cards must be gone before that is believed: live (AGREED), and in a
recording (RECORDED), which has fewer pictures."""


class CardReader(TaughtReader, Generic[S]):
    """Reads the frames of one table of cards in the order of time.

    A ``live`` reader waits until nothing moves; one that reads a recording takes every picture
    as it is. ``deck`` knows the cards; the printed ones of the game's own, if none is given.
    """

    kept_in = ".deck.npz"

    def __init__(
        self,
        game: Game[S],
        setup: Setup,
        table_file: TableFile,
        *,
        live: bool = False,
        deck: KnownDeck | None = None,
    ) -> None:
        self._game, self._resized, self._live = game, Resized(table_file), live
        self._board = game.board(setup)
        self._sight = CardSight(self._board, deck or printed(game, setup))
        self._evening, self._hands = EveningDeck(), HandsOver(self._board)
        self._notes = CardNotes(self._board)
        self._lesson = Lesson(self.deck, partial(name_of, game))
        self._camera: Camera | None = None
        self._gate, self._first = Gate(), True
        self._last: Reading | None = None
        self._state: S | None = None
        self._refused: dict[str, str] = {}
        self._unclear: dict[str, int] = {}
        self._gone: tuple[str, ...] = ()
        self._alike = 0
        self._stories = Stories(game, SURE)
        self._own = self._open = False
        self._ahead: frozenset[Action] = frozenset()

    @property
    def board(self) -> Board:
        """Return the board that is read."""
        return self._board

    @property
    def camera(self) -> Camera | None:
        """Return how the last picture shows the board; None before it was found."""
        return self._camera

    @property
    def deck(self) -> KnownDeck:
        """Return the cards that are known."""
        return self._sight.deck

    @property
    def lessons(self) -> int:
        """How many times a face was taught or recalled."""
        return self.deck.lessons

    def taught(self) -> Mapping[str, NDArray[Any]]:
        """Return the tones of every face that was taught."""
        return self.deck.taught

    def recall(self, taught: Mapping[str, NDArray[Any]]) -> None:
        """Know the faces that were taught on another evening."""
        self.deck.recall({face: np.asarray(tones, np.float32) for face, tones in taught.items()})

    def why(self, reading: Reading, closely: bool = False) -> Trace:
        """Return how ``reading``, that of the last picture, came about."""
        return self._notes.trace(reading)

    def read(self, frame: Frame, past: Sequence[S]) -> Reading:
        """Read one frame. ``past`` holds every state up to the current one, which comes last.

        Raises:
            BadInput: a recording's first picture does not show the board.
        """
        self._notes.begin()
        if frame.image is None:
            return Reading(frame.name, still=False, message=frame.trouble or say("no picture"))
        try:
            if self._resized.notices(frame.image, self._board, self._camera):
                self._begin_anew()
        except BadInput as error:
            return Reading(frame.name, still=False, message=error.sentence)
        calm = self._gate.calm(frame) or (self._first and not self._live)
        self._first = False
        if not calm:
            return Reading(frame.name, still=False, reason=MOVES)
        told = self._state is not None and past[-1] == self._state
        waits = any(looks <= DOUBTED for looks in self._unclear.values()) or bool(self._gone)
        waits = waits or (self._last is not None and not self._last.still)
        if not self._gate.due() and told and not waits and self._last is not None:
            return replace(self._last, frame=frame.name, steps=(), ahead=())
        try:
            self._find(frame.image)
        except BadInput as error:
            if not self._live:
                raise
            return Reading(frame.name, still=False, message=str(error))
        reading = self._tell(frame, frame.image, past)
        self._last, self._state = reading, past[-1]
        return reading

    def _begin_anew(self) -> None:
        """Look at every place again, wherever the board is now; cards and bare places look as
        they did."""
        self._camera = None
        self._hands.forget()
        self._gate.again()
        for spot in self._board:
            self._sight.forget(spot)

    def teach(self, image: Image, tokens: Mapping[str, str]) -> None:
        """Learn the cards that lie in ``image``: spot -> token.

        Raises:
            BadInput: the board is not found.
            Uncertain: no card can be made out on a spot, one is blurred, or two look alike. The
                others are learned.
        """
        self._find(image)
        assert self._camera is not None
        places = self._sight.look(image, self._camera, tokens)
        pictures = {s: place.picture for s, place in places.items() if place.picture is not None}
        words = self._lesson.learn(tokens, pictures)
        for spot in tokens:
            self._sight.forget(spot)
        if bare := [spot for spot in tokens if spot not in pictures]:
            words.insert(0, say("No card can be made out on {spots}.", spots=bare))
        if words:
            raise Uncertain(listed(words))

    def _find(self, image: Image) -> None:
        """Find the board; where markers are covered it is where it was."""
        if self._camera is None:
            self._camera = camera_from_table(self._board, self._resized.table_file, image)
        elif "markers" in self._resized.table_file:
            try:
                self._camera = camera_from_table(self._board, self._resized.table_file, image)
            except BadInput:
                return

    def _tell(self, frame: Frame, image: Image, past: Sequence[S]) -> Reading:
        assert self._camera is not None
        seen_now = self._sight.look(image, self._camera, self._board, frame.lit or ())
        if self._hands.seen(image, self._camera, seen_now, frame.lit or ()):
            return Reading(frame.name, still=False, reason=REACHES)
        places = self._evening.weighed(seen_now)
        self._learn(places, past[-1])
        self._notes.look(places, self._game.expect(past[-1]), frame.lit or ())
        seen = self._seen(places)
        told, taken = self._explain(seen, past)
        story = told.story
        self._notes.weighed(story.actions, story.left, taken, self._game.expect(story.state))
        position = self._position(places, told)
        if not self._agreed(story, taken):
            twice = say("cards seem to be gone; more pictures have to say the same")
            return Reading(frame.name, True, position, reason=twice)
        steps = [
            *taken,
            *self._steps(past[len(past) - 1 - _count(taken)], story.actions, self._ahead),
        ]
        ahead = self._told_ahead(told, seen, steps)
        lying = self._game.expect(story.state)
        laid = by_spot(self._game.legal(story.state))
        left = [spot for spot in story.left if seen.sure.get(spot) is not None]
        # What is played after a card that nobody knows cannot be judged before somebody tells it.
        in_doubt = [spot for spot in story.left if spot in seen.doubts and spot in laid]
        self._open = bool(in_doubt or (self._open and left and past[-1] == self._state))
        refused = () if taken or self._open else self._judged(story, left, seen.sure)
        missing = [s for s in story.left if s in seen.sure and seen.sure[s] is None]
        if self._gathering(story.state, missing):
            missing = []
        asks = () if steps or refused else self._asks(places, told)
        strange = tuple(
            spot for spot, place in places.items()
            if place.card is not None and spot in seen.doubts and self._doubted(spot, place)
            and spot not in lying and spot not in laid
        )  # fmt: skip
        differs = tuple(sorted({*missing, *self._refused, *strange}))
        return Reading(
            frame.name, True, position, (*steps, *refused), asks, ahead, differs,
            message=self._message(missing, asks, strange),
        )  # fmt: skip

    def _seen(self, places: Mapping[str, CardPlace]) -> SeenCards:
        """Return what the places show, those with a card that was refused left out. What has been
        hidden for so long that no hand can be in the way is a card in doubt."""
        self._unclear = {
            spot: self._unclear.get(spot, 0) + 1
            for spot, place in places.items()
            if not place.bare and place.token is None
        }
        shown = sure_tokens(places)
        self._refused = {s: t for s, t in self._refused.items() if shown.get(s, t) == t}
        sure = {spot: token for spot, token in shown.items() if spot not in self._refused}
        doubts = {
            spot: places[spot]
            for spot in self._unclear
            if spot not in self._refused
            and (places[spot].card is not None or self._doubted(spot, places[spot]))
        }
        return SeenCards(sure, doubts)

    def _agreed(self, story: CardStory[S], taken: Sequence[Step]) -> bool:
        """Tell whether what the picture says may be told: that cards are gone is told when some
        pictures say so one after another; one may have been spoilt on its way."""
        spoken = [action for action in story.actions if action.target is None]
        gone = tuple(map(str, (*(step.action for step in taken), *spoken)))
        self._alike = self._alike + 1 if gone == self._gone else 1
        self._gone = gone
        if self._alike < (AGREED if self._live else RECORDED):
            return not gone
        self._gone = ()
        return True

    def _gathering(self, state: S, missing: Sequence[str]) -> bool:
        """Tell whether the cards may be on their way to those who have won them."""
        legal = (action for action in self._game.legal(state) if action.target is None)
        changes = (self._game.effect(state, action).changes for action in legal)
        return any(set(missing) <= set(change) for change in changes)

    def _learn(self, places: Mapping[str, CardPlace], state: S) -> None:
        """Learn the face of a card that was told on a phone, and that is not known yet. Where
        cards of the printed deck lie, what is doubtful is spoilt or is no card of it."""
        known = self.deck.taught
        self._own = self._own or any(
            place.token is not None and place.token not in known for place in places.values()
        )
        if self._own:
            return
        expected = self._game.expect(state)
        for spot, place in places.items():
            token = expected.get(spot)
            if token is None or token in self._sight.deck.taught:
                continue
            if place.card is not None and not place.card.sure:
                assert place.picture is not None
                self._sight.deck.teach(token, place.picture)
                self._sight.forget(spot)

    def _position(self, places: Mapping[str, CardPlace], told: ToldCards[S]) -> dict[str, str]:
        """Return what lies where; what is in doubt lies as it is believed, or as the likeliest
        story of those that the doubt leaves says: a cup that resembles a card belongs to none."""
        believed = self._game.expect(told.story.state)
        likely = self._game.expect(told.rivals[0].state) if told.rivals else {}
        position = {}
        for spot, place in places.items():
            token = place.token
            if token is None and not place.bare:
                guess = place.likeliest if likely.get(spot) == place.likeliest else None
                token = believed.get(spot, guess)
            if token is not None:
                position[spot] = token
        return position

    # -- what happened -----------------------------------------------------------------

    def _explain(self, seen: SeenCards, past: Sequence[S]) -> tuple[ToldCards[S], tuple[Step, ...]]:
        """Return what is certain of what happened since the present state, or, if that leaves
        something unexplained and the other does not, since one before: then with the step that
        takes cards back."""
        here = self._stories.tell(past[-1], seen)
        if not here.story.left or here.rivals or any(s in seen.doubts for s in here.story.left):
            return here, ()
        for count in range(1, min(BACKWARDS, len(past) - 1) + 1):
            before = past[-1 - count]
            told = self._stories.tell(before, seen)
            changed = self._changed(before, past[-1])
            if told.story.actions and not told.story.left and changed:
                back = Action("move", changed[0], changed[0])
                return told, (Step(back, 1.0, None, count),)
        return here, ()

    def _changed(self, before: S, after: S) -> list[str]:
        was, now = self._game.expect(before), self._game.expect(after)
        return sorted(spot for spot in {*was, *now} if was.get(spot) != now.get(spot))

    # -- telling -----------------------------------------------------------------------

    def _told_ahead(
        self, told: ToldCards[S], seen: SeenCards, steps: Sequence[Step]
    ) -> tuple[Step, ...]:
        """Return what was played after a card in doubt, whatever that is; each is told once, also
        when the doubt is settled and it is among the ``steps``."""
        lying = {a for a in self._ahead if seen.speaks_for(str(a.target), a.detail)}
        before = lying - {step.action for step in steps}
        self._ahead = frozenset(before | told.whatever)
        if told.whatever <= before:
            return ()
        likeliest = next(one for one in told.rivals if told.whatever <= {*one.actions})
        begun = len(told.story.actions)
        quiet = {*likeliest.actions[begun:]} - told.whatever | before
        return self._steps(told.story.state, likeliest.actions[begun:], quiet)

    def _steps(
        self, state: S, actions: Sequence[Action], silent: Container[Action] = ()
    ) -> tuple[Step, ...]:
        steps = []
        for action in actions:
            ruling = self._game.judge(state, action)
            steps.append(Step(action, 1.0, ruling, silent=action in silent))
            state = self._game.advance(state, action)
        return tuple(steps)

    def _judged(
        self, story: CardStory[S], left: Sequence[str], shown: Mapping[str, str | None]
    ) -> tuple[Step, ...]:
        """Return the cards that lie where the rules do not allow them, each told once."""
        found = []
        for spot in left:
            token = shown[spot]
            assert token is not None
            action = Action("place", None, spot, token)
            ruling = self._game.judge(story.state, action)
            if not ruling.allowed:
                found.append(Step(action, 1.0, ruling))
                self._refused[spot] = token
        return tuple(found)

    def _asks(
        self, places: Mapping[str, CardPlace], told: ToldCards[S]
    ) -> tuple[tuple[Step, ...], ...]:
        """Return what a card that is not made out may be and what then was played after it, the
        likeliest and possible ones first; empty if there is no such card where one may be laid."""
        begun, state = len(told.story.actions), told.story.state
        found: dict[Action, tuple[Step, ...]] = {}
        for rival in told.rivals:
            action = rival.actions[begun]
            spot = str(action.target)
            if action in found or spot not in places or not self._doubted(spot, places[spot]):
                continue
            card = places[spot].card
            p = dict(card.faces).get(action.detail, 0.0) if card is not None else 0.0
            first = Step(action, round(p, 4), self._game.judge(state, action))
            after = self._game.advance(state, action)
            found[action] = first, *self._steps(after, rival.actions[begun + 1 :])
        spots = {action.target for action in found}
        if len(spots) == 1 and (card := places[str(spots.pop())].card) is not None:
            near = card.nearest
            order = sorted(found, key=lambda action: _order(action.detail, dict(card.faces), near))
            return tuple(found[action] for action in order[:ASKED])
        return tuple(found.values())[:ASKED]

    def _doubted(self, spot: str, place: CardPlace) -> bool:
        """Tell whether what lies on ``spot`` has been in doubt for so long that it is asked."""
        looks = self._unclear.get(spot, 0)
        if place.card is None:
            return looks > DOUBTED
        return looks >= (UNKNOWN if self._live else RECORDED)

    def _message(
        self, missing: Sequence[str], asks: Sequence[object], strange: Sequence[str]
    ) -> str | Text:
        if asks:
            return say("This card is not known for sure. Which is it?")
        if strange:
            return say("A card that is not known lies where none may be laid: {spots}.",
                       spots=strange)  # fmt: skip
        if missing:
            return say("Cards are missing from {spots}.", spots=missing)
        if self._refused:
            return say("Take back what the rules refused: {spots}.",
                       spots=sorted(self._refused))  # fmt: skip
        return ""


def _order(token: str, likely: Mapping[str, float], near: Sequence[str]) -> tuple[float, int]:
    """Return what puts the likeliest cards first, then those that look least unlike."""
    return -likely.get(token, 0.0), near.index(token) if token in near else len(near)


def _count(taken: Sequence[Step]) -> int:
    return sum(step.takeback or 0 for step in taken)
