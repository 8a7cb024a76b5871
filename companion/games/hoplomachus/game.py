"""The game as the kernel knows it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.hoplomachus import (
    card_texts,
    drawing,
    entering,
    judge,
    moves,
    notation,
    play,
    props,
    reasons,
    rehearsal,
    saved,
    scorecards,
    sight,
)
from companion.games.hoplomachus.cards import TITLE, checked, deck_for
from companion.games.hoplomachus.setup import OPTIONS
from companion.games.hoplomachus.state import SEAT, HoplomachusState, begin
from companion.rules import (
    Action,
    Alone,
    Arrangements,
    BadInput,
    Blank,
    Board,
    ButtonWords,
    CardText,
    CardTexts,
    Claims,
    Conservation,
    DiceOnMat,
    Drawing,
    Effect,
    Entry,
    EntryForms,
    Game,
    Highlights,
    Look,
    Lying,
    Mark,
    Mat,
    MatReading,
    Names,
    Outcome,
    OwnCards,
    Pictures,
    Position,
    Problem,
    Prop,
    Props,
    Ruling,
    SavedStates,
    Scorecard,
    Setup,
    Situation,
    Text,
    loading,
    rule_book,
    say,
    setup_saved,
)
from companion.rules.own_hand import HandPlay


class Hoplomachus(
    Game[HoplomachusState],
    Arrangements[HoplomachusState],
    SavedStates[HoplomachusState],
    Claims[HoplomachusState],
    OwnCards,
    Names,
    Pictures,
    Highlights[HoplomachusState],
    DiceOnMat[HoplomachusState],
    Props[HoplomachusState],
    Situation[HoplomachusState],
    EntryForms[HoplomachusState],
    CardTexts[HoplomachusState],
    ButtonWords,
    Conservation[HoplomachusState],
    Alone[HoplomachusState],
):
    """Hoplomachus: Victorum for one player, after its published rules."""

    name = "hoplomachus"
    title = TITLE
    seats = (SEAT,)
    rules = rule_book(__package__)
    words = notation.WORDS
    marks = MappingProxyType(
        {"chip": Mark(say("chip")), "open": Mark(say("open")), "dice": Mark(say("dice"))}
    )
    options = OPTIONS

    def board(self, setup: Setup) -> Board:
        """Return the camps, the places of enemies and the zones of dice."""
        return scorecards.BOARD

    def start(self, setup: Setup) -> HoplomachusState:
        """Return the mountain, built and not yet entered."""
        return begin(setup)

    def arrange(
        self, setup: Setup, position: Position, to_move: str | None = None
    ) -> HoplomachusState:
        """Return a start with the cards of ``position`` lying open."""
        return saved.arranged(begin(setup), position, to_move)

    def to_move(self, state: HoplomachusState) -> str | None:
        """Return the player, None when the game is over."""
        return None if state.ending else SEAT

    def legal(self, state: HoplomachusState) -> Sequence[Action]:
        """Return every action of the rules, each outcome of a roll among them."""
        return moves.legal(state)

    def claims(self, state: HoplomachusState) -> Sequence[Action]:
        """Return what the text of a card may tell the player to do."""
        return moves.claims(state)

    def binds(self, state: HoplomachusState, claim: Action) -> tuple[str, ...]:
        """Return the one player, whose cards tell it."""
        return (SEAT,)

    def advance(self, state: HoplomachusState, action: Action) -> HoplomachusState:
        """Return the state after a legal or claimed ``action``."""
        return play.advance(state, action)

    def judge(self, state: HoplomachusState, action: Action) -> Ruling:
        """Rule on any action."""
        return judge.judge(state, action)

    def situation(self, state: HoplomachusState) -> tuple[Text, ...]:
        """Return what is awaited, who is faced, and what texts are to be carried out."""
        return scorecards.situation(state)

    def entries(self, state: HoplomachusState) -> tuple[Entry, ...]:
        """Return how dice, and the open cards of camps, are entered."""
        return entering.entries(state)

    def card_texts(self, state: HoplomachusState) -> tuple[CardText, ...]:
        """Return both sides of every card that may be read now."""
        return card_texts.card_texts(state)

    def props(self, state: HoplomachusState) -> tuple[Prop, ...]:
        """Return the dice as they should lie."""
        return props.props(state)

    def said(self, action: Action) -> str:
        """Return what ``action`` is called on a button and in the history."""
        return entering.said(action)

    def blanks(self) -> tuple[Blank, ...]:
        """Return what owners enter of each card."""
        return entering.blanks()

    def check_owned(self, data: Mapping[str, Any]) -> None:
        """Check a card file; raises BadInput for one that cannot be read."""
        checked(data)

    def lacking(self, options: Mapping[str, str]) -> str | None:
        """Return why the cards that are chosen do not suffice for a game."""
        try:
            deck_for(options)
        except BadInput as problem:
            return problem.sentence
        return None

    def hand_plays(self, known: HoplomachusState) -> Sequence[HandPlay]:
        """Return what the player may decide now; nothing where dice decide."""
        return rehearsal.plays(known)

    def at_once(self, known: HoplomachusState, play: HandPlay) -> float:
        """Return what ``play`` promises at first sight."""
        return rehearsal.at_once(known, play.action)

    def world(self, known: HoplomachusState, chance: random.Random) -> HoplomachusState:
        """Return the position with what lies beneath the open cards in any order."""
        return rehearsal.world(known, chance)

    def prospect(
        self,
        known: HoplomachusState,
        world: HoplomachusState,
        play: HandPlay,
        chance: random.Random,
    ) -> tuple[float, int]:
        """Return how the game ends after ``play`` if it goes on at first sight."""
        return rehearsal.prospect(world, play, chance)

    def by_chance(self, state: HoplomachusState, chance: random.Random) -> Action | None:
        """Return how the dice fall, or which ally comes."""
        return rehearsal.by_chance(state, chance)

    def why(self, state: HoplomachusState, action: Action) -> Text | None:
        """Return in hits, damage and dice what speaks for ``action``."""
        return reasons.why(state, action)

    def outcome(self, state: HoplomachusState) -> Outcome | None:
        """Return how the game ended; a loss has no winner."""
        return scorecards.outcome(state)

    def scorecards(self, state: HoplomachusState) -> tuple[Scorecard, ...]:
        """Return the player's stats, dice, items and influence."""
        return scorecards.scorecards(state)

    def expect(self, state: HoplomachusState) -> Position:
        """Return the cards that lie open."""
        return scorecards.expect(state)

    def effect(self, state: HoplomachusState, action: Action) -> Effect:
        """Return what ``action`` does to the open cards."""
        stands = any(action in found for found in moves.standing(state))
        return scorecards.effect(state, action, play.advance(state, action) if stands else None)

    def check(self, state: HoplomachusState) -> tuple[Problem, ...]:
        """Return what is wrong with the dice."""
        return scorecards.check(state)

    def look(self, token: str) -> Look:
        """Return the card's face; how a card is turned means nothing."""
        return Look(token)

    def spoken(self, token: str) -> str:
        """Return the name of a card, or of a die with what it shows."""
        return entering.spoken(token)

    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return a card of our own with its numbers, or a die."""
        return drawing.draw(token)

    def mat(self, setup: Setup) -> Mat:
        """Return the mat with the zones of dice, which a camera watches."""
        return sight.MAT

    def dice(self, state: HoplomachusState) -> Lying:
        """Return which dice should lie in which zone."""
        return sight.lying(state)

    def read_dice(self, state: HoplomachusState, lying: Lying, rest: Lying) -> MatReading:
        """Return what the dice on the mat tell."""
        return sight.told(state, lying, rest)

    def highlights(self, state: HoplomachusState) -> Mapping[str, tuple[str, ...]]:
        """Return where the ``chip`` is, camps ``open`` to it, zones of awaited ``dice``."""
        return scorecards.highlights(state)

    def format(self, action: Action) -> str:
        """Return the notation, such as ``move 2.2``."""
        return notation.written(action)

    def parse(self, setup: Setup, text: str) -> Action:
        """Read the notation of :meth:`format`."""
        return notation.read(text)

    def invariants(self, state: HoplomachusState) -> Mapping[str, bool]:
        """Return that there always are seventeen unit dice (HV-1.3)."""
        return {"there are seventeen unit dice": not self.check(state)}

    def dump(self, state: HoplomachusState) -> dict[str, Any]:
        """Return the whole state as JSON values."""
        return saved.dump(state)

    def load(self, data: Mapping[str, Any]) -> HoplomachusState:
        """Return the state that :meth:`dump` wrote.

        Raises:
            BadInput: a field is missing or wrong.
        """
        with loading(TITLE):
            return saved.load(setup_saved(self, data), data)


GAME = Hoplomachus()
