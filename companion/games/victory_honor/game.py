"""The game as the kernel knows it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.victory_honor import (
    audit,
    judge,
    machine_play,
    notation,
    props,
    saved,
    scorecards,
    sight,
)
from companion.games.victory_honor import drawing as art
from companion.games.victory_honor.cards import CARDS, deck, spoken
from companion.games.victory_honor.geometry import BOARD, DEALT, PASS, REDEAL, SEATS, TITLE, WORDS
from companion.games.victory_honor.play import accounted, advance, begin
from companion.games.victory_honor.setup import OPTIONS
from companion.games.victory_honor.state import (
    Beginning,
    VictoryHonorState,
    claims,
    first_leader,
    legal,
)
from companion.games.victory_honor.worlds import World
from companion.rules import (
    Action,
    Arrangements,
    BadInput,
    Board,
    ButtonWords,
    Claims,
    Conservation,
    Drawing,
    Effect,
    Field,
    Game,
    HandPlays,
    HiddenHands,
    Highlights,
    Look,
    Mark,
    Names,
    OneLineNotation,
    Outcome,
    OwnFields,
    Pictures,
    Position,
    Problem,
    Prop,
    Props,
    Ruling,
    SavedStates,
    Scorecard,
    SeatRules,
    Setup,
    Situation,
    Supply,
    Teams,
    Text,
    TwoSides,
    loading,
    rule_book,
    say,
    setup_saved,
)
from companion.rules.hidden import BACK, Breach
from companion.rules.own_hand import HandPlay, Rack


class VictoryHonor(
    Game[VictoryHonorState],
    SeatRules,
    Arrangements[VictoryHonorState],
    OneLineNotation[VictoryHonorState],
    SavedStates[VictoryHonorState],
    Claims[VictoryHonorState],
    Teams,
    Names,
    Pictures,
    TwoSides,
    Supply,
    Highlights[VictoryHonorState],
    HiddenHands[VictoryHonorState],
    HandPlays[VictoryHonorState],
    Situation[VictoryHonorState],
    OwnFields[VictoryHonorState],
    Props[VictoryHonorState],
    ButtonWords,
    Conservation[VictoryHonorState],
):
    """Victory & Honor for four, after its published rules."""

    name = "victory_honor"
    title = TITLE
    seats = SEATS
    rules = rule_book(__package__)
    words = WORDS
    ends_turn = ("pass",)
    marks = MappingProxyType(
        {
            "open": Mark(say("open")),
            "winning": Mark(say("winning")),
            "bombarded": Mark(say("bombarded")),
        }
    )
    options = OPTIONS

    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return all four seats clockwise; the first one named leads the first round (VH-3.2).

        Raises:
            BadInput: not all four, or not clockwise.
        """
        chosen = tuple(seats or SEATS)
        first = SEATS.index(chosen[0])
        clockwise = (*SEATS[first:], *SEATS[:first])
        if chosen != clockwise:
            raise BadInput(
                say(
                    "{game} is for four, named clockwise from the one who leads, such as {seats}",
                    game=TITLE,
                    seats=clockwise,
                )
            )
        return chosen

    def board(self, setup: Setup) -> Board:
        """Return the four battle boards and the places of the reserves."""
        return BOARD

    def start(self, setup: Setup) -> VictoryHonorState:
        """Return the first round, dealt and passed unseen."""
        return begin(setup, Beginning(1, first_leader(setup)))

    def arrange(
        self, setup: Setup, position: Position, to_move: str | None = None
    ) -> VictoryHonorState:
        """Return a phase with the cards of ``position``, listed in the order of play."""
        return saved.arranged(setup, position, to_move)

    def rearranged(
        self, state: VictoryHonorState, position: Position, to_move: str | None = None
    ) -> VictoryHonorState:
        """Return the round going on with ``position`` on the boards, as the table decided."""
        return saved.rearranged(state, position, to_move)

    def read_position(self, setup: Setup, text: str) -> VictoryHonorState:
        """Return a round with hands known from a seed: ``deal 7`` or ``hands 7``."""
        return saved.one_line(setup, text)

    def to_move(self, state: VictoryHonorState) -> str | None:
        """Return the seat to play, or to turn up a card, or to show his reserve."""
        return None if state.mover < 0 else SEATS[state.mover]

    def legal(self, state: VictoryHonorState) -> Sequence[Action]:
        """Return what is legal in some world that fits what was seen."""
        return legal(state)

    def claims(self, state: VictoryHonorState) -> Sequence[Action]:
        """Return a scout's orders, a new deal, the pass."""
        return claims(state)

    def binds(self, state: VictoryHonorState, claim: Action) -> tuple[str, ...]:
        """Return whose scout names a position, all for a new deal; that cards were dealt or passed
        anybody may say."""
        if claim == REDEAL:
            return state.setup.seats
        return () if claim in (DEALT, PASS) else (SEATS[state.phase.scouting],)

    def sides(self, setup: Setup) -> tuple[tuple[str, ...], ...]:
        """Return the teams: who sits opposite each other, where partners play (VH-2.2)."""
        if setup["partners"] == "no":
            return tuple((seat,) for seat in setup.seats)
        return (setup.seats[0::2], setup.seats[1::2])

    def advance(self, state: VictoryHonorState, action: Action) -> VictoryHonorState:
        """Return the state after a legal or claimed ``action``."""
        return advance(state, action)

    def judge(self, state: VictoryHonorState, action: Action) -> Ruling:
        """Rule on any action; a card play is judged as far as the hands are known."""
        return judge.judge(state, action)

    def breaches(self, state: VictoryHonorState) -> tuple[Breach, ...]:
        """Return the plays of this round that are proved to have broken a rule."""
        return audit.breaches(state)

    def unknown(self, state: VictoryHonorState) -> Mapping[str, tuple[str, ...]]:
        """Return the cards that may lie on each spot with a hidden one."""
        return sight.unknown(state)

    def own_hands(self, setup: Setup, chance: random.Random) -> machine_play.DealtHands:
        """Return a game whose seats are all played on their own cards."""
        return machine_play.DealtHands(setup, chance)

    def hand_plays(self, known: machine_play.Known) -> Sequence[HandPlay]:
        """Return what may be passed, named or laid; ways to pass only the most promising."""
        return machine_play.plays(known)

    def rack_after(self, known: machine_play.Known, play: HandPlay) -> Rack:
        """Return the seat's own cards after ``play``."""
        return machine_play.rack_after(known, play)

    def deal_of(self, state: VictoryHonorState) -> int:
        """Return how many actions the game had before this deal."""
        return state.beginning.ply

    def hand_size(self, state: VictoryHonorState, seat: str) -> int:
        """Return how many cards ``seat`` holds."""
        return state.in_hand(SEATS.index(seat))

    def rack_now(self, state: VictoryHonorState, seat: str, rack: Rack) -> Rack:
        """Return what is left in ``state`` of a rack that was told since the deal."""
        return machine_play.rack_now(state, rack)

    def told(self, known: machine_play.Known, play: HandPlay) -> Text:
        """Return what people are to do for a seat that a machine plays."""
        return machine_play.told(known, play)

    def at_once(self, known: machine_play.Known, play: HandPlay) -> float:
        """Return what ``play`` promises in its battle as it lies, in points."""
        return machine_play.at_once(known, play)

    def world(self, known: machine_play.Known, chance: random.Random) -> World:
        """Return a world that fits all that the seat has seen."""
        return machine_play.world_of(known, chance)

    def prospect(
        self, known: machine_play.Known, world: World, play: HandPlay, chance: random.Random
    ) -> tuple[float, int]:
        """Return how a round comes off that is played out in ``world`` after ``play``."""
        return machine_play.prospect(known, world, play, chance)

    def situation(self, state: VictoryHonorState) -> tuple[Text, ...]:
        """Return whose turn it is, what is open, what trump is, who is ahead and why."""
        return scorecards.situation(state)

    def own_fields(self, state: VictoryHonorState, seat: str) -> tuple[Field, ...]:
        """Return a seat's spoils and points, where they are hidden from the others."""
        return scorecards.own_fields(state, seat)

    def props(self, state: VictoryHonorState) -> tuple[Prop, ...]:
        """Return the hands from behind, and how each battle goes."""
        return props.props(state)

    def said(self, action: Action) -> str:
        """Return what the button of ``action`` says."""
        return scorecards.said(action)

    def outcome(self, state: VictoryHonorState) -> Outcome | None:
        """Return how the game ended; who ties shares the win."""
        return scorecards.outcome(state)

    def scorecards(self, state: VictoryHonorState) -> tuple[Scorecard, ...]:
        """Return spoils, reserve and points of each seat, and of its team."""
        return scorecards.scorecards(state)

    def expect(self, state: VictoryHonorState) -> Position:
        """Return the cards on the table."""
        return sight.expect(state)

    def effect(self, state: VictoryHonorState, action: Action) -> Effect:
        """Return what ``action`` does to the table."""
        return sight.effect(state, action)

    def check(self, state: VictoryHonorState) -> tuple[Problem, ...]:
        """Return why the cards cannot lie as they do."""
        return sight.check(state)

    def look(self, token: str) -> Look:
        """Return the card's face and the number of its code; how it is turned means nothing."""
        return sight.look(token)

    def turned_over(self, token: str) -> str:
        """Return the back of every card; which card a back is, nobody knows."""
        return BACK

    def tokens(self, setup: Setup) -> tuple[str, ...]:
        """Return the forty cards."""
        return deck(setup["second_colour"]).tokens[:CARDS]

    def spoken(self, token: str) -> str:
        """Return ``red 7``, or that a card lies face down."""
        return spoken(token)

    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return the card of our own deck."""
        names = deck(setup["second_colour"])
        return art.draw(names.colours, names.card(token))

    def highlights(self, state: VictoryHonorState) -> Mapping[str, tuple[str, ...]]:
        """Return ``open``, ``winning`` and ``bombarded`` spots."""
        return scorecards.highlights(state)

    def format(self, action: Action) -> str:
        """Return the notation, such as ``south.L=red7``."""
        return notation.written(action)

    def parse(self, setup: Setup, text: str) -> Action:
        """Read the notation of :meth:`format`."""
        return notation.read(deck(setup["second_colour"]), text)

    def invariants(self, state: VictoryHonorState) -> Mapping[str, bool]:
        """Return that no card is ever lost."""
        return {
            "there are forty cards: in hands, on the boards, in spoils, lost, shown as reserves": (
                accounted(state) == CARDS
            )
        }

    def dump(self, state: VictoryHonorState) -> dict[str, Any]:
        """Return the whole state as JSON values."""
        return saved.dump(state)

    def load(self, data: Mapping[str, Any]) -> VictoryHonorState:
        """Return the state that :meth:`dump` wrote.

        Raises:
            BadInput: a field is missing or wrong.
        """
        with loading(TITLE):
            return saved.load(setup_saved(self, data), data)


GAME = VictoryHonor()
