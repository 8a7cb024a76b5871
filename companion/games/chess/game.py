"""Chess by the Laws of FIDE, for the companion's table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.chess import ends, evaluation, saved
from companion.games.chess.drawing import draw
from companion.games.chess.fen import from_fen, rights_at_home, to_fen
from companion.games.chess.geometry import (
    FORWARD,
    INDEX,
    KING,
    LAST_RANK,
    LETTERS,
    MEN,
    PAWN,
    POINTS,
    PROMOTIONS,
    ROOK,
    SEATS,
    SPOTS,
    TITLE,
    TOKENS,
    USUAL,
    Castle,
    castles,
)
from companion.games.chess.judge import castle_tried, judge, rook_goes_along
from companion.games.chess.moves import in_check, moves
from companion.games.chess.pgn import castles_usually, write_pgn
from companion.games.chess.pgn_reader import PgnGame, called, is_pgn, of_each, read_pgn
from companion.games.chess.play import after_move
from companion.games.chess.problems import problems
from companion.games.chess.state import ChessState, first_position, first_squares, new_state
from companion.games.chess.words import WORDS, spoken
from companion.rules import (
    Action,
    ActionRemark,
    Armies,
    Arrangements,
    BadInput,
    Board,
    Claims,
    Clocks,
    Conservation,
    Drawing,
    Effect,
    Evaluation,
    Field,
    Game,
    Highlights,
    Imports,
    Limits,
    Look,
    Mark,
    Names,
    OneLineNotation,
    Option,
    Outcome,
    Pictures,
    Position,
    Problem,
    Record,
    Ruling,
    SavedStates,
    Scorecard,
    SeatRules,
    Settlements,
    Setup,
    TimeControlOption,
    TimedExports,
    Tolerance,
    UciNotation,
    check_names,
    option_words,
    read_control,
    result,
    rule_book,
    say,
    unknown_token,
    worded,
)
from companion.rules.geometry import square_board

SIDE_MM = 50.0
LONGEST = 24 * 60
"""Minutes of a phase at most."""
HEIGHTS = {"P": 0.85, "R": 0.95, "N": 1.1, "B": 1.25, "Q": 1.45, "K": 1.65}
"""How high the men of a usual set stand, in squares."""
SHADES = ("#b58863", "#f0d9b5")
BOARD = square_board(8, 8, SIDE_MM, SHADES)


_CALLED = option_words(
    say("draws"),
    say("claimed"),
    say("automatic"),
    say("minutes"),
    say("increment"),
    say("position"),
)


def _alike(one: ChessState, other: ChessState) -> bool:
    """Tell whether two states differ at most in their counters."""
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("squares", "side", "castling", "en_passant", "homes")
    )


_UCI = re.compile(r"([a-h][1-8])([a-h][1-8])([qrbn]?)")


class Chess(
    Game[ChessState],
    SeatRules,
    Arrangements[ChessState],
    OneLineNotation[ChessState],
    SavedStates[ChessState],
    Claims[ChessState],
    Settlements[ChessState],
    Clocks,
    Armies,
    Names,
    Pictures,
    Tolerance[ChessState],
    Highlights[ChessState],
    TimedExports[ChessState],
    Imports,
    Conservation[ChessState],
    Evaluation[ChessState],
    UciNotation[ChessState],
):
    """Chess: a turn is one action; castling and promotion too."""

    name = "chess"
    title = TITLE
    seats = SEATS
    rules = rule_book(__package__)
    words = WORDS
    marks = MappingProxyType({"check": Mark(say("check"))})
    notations = ("pgn",)
    options = worded(
        _CALLED,
        (
            Option(
                "draws",
                "claimed",
                ("claimed", "automatic"),
                "CH-9.6",
                say(
                    "claimed: a third repetition or 50 quiet moves must be claimed, the fifth and "
                    "75 end the game; automatic: the third and 50 end it at once"
                ),
            ),
            TimeControlOption(
                "minutes",
                "0",
                (),
                "CH-6.9",
                say(
                    "minutes each side has, also as 3+2, 5 d3 or 40/90+30,30+30; 0 plays without a "
                    "clock"
                ),
                most=LONGEST,
                house_rule=False,
            ),
            Option(
                "position",
                str(USUAL),
                (),
                "CH-960.2",
                say("the first position by its number in Chess960; 518 is the usual one"),
                most=959,
                house_rule=False,
            ),
            Option(
                "increment",
                "0",
                (),
                "CH-6.9",
                say("seconds added for every move where the minutes name none"),
                most=3600,
                house_rule=False,
            ),
        ),
    )

    def seating(self, seats: Sequence[str] | None, options: Mapping[str, str]) -> tuple[str, ...]:
        """Return white and black: White begins (CH-1.2)."""
        if seats is not None and len(seats) != 2:
            raise BadInput(say("chess is played by two, White and Black"))
        return SEATS

    def board(self, setup: Setup) -> Board:
        """Return the 8 x 8 board; a1 is dark and to White's left (CH-2.1)."""
        return BOARD

    def start(self, setup: Setup) -> ChessState:
        """Return the initial position (CH-2.3)."""
        return new_state(setup, first_squares(first_position(setup)), castling=15)

    def arrange(self, setup: Setup, position: Position, to_move: str | None = None) -> ChessState:
        """Return a state with ``position``; who stands at home may still castle."""
        check_names(self.title, (INDEX, MEN, SEATS), position, to_move)
        squares = bytearray(64)
        for spot, token in position.items():
            squares[INDEX[spot]] = MEN[token]
        men = bytes(squares)
        rights = rights_at_home(men, first_position(setup))
        return new_state(setup, men, SEATS.index(to_move or "white"), rights)

    def read_position(self, setup: Setup, text: str) -> ChessState:
        """Return the state that a FEN describes."""
        return from_fen(setup, text)

    def to_move(self, state: ChessState) -> str | None:
        """Return the seat to move, None when the game is over."""
        return None if ends.outcome(state) else SEATS[state.side]

    def legal(self, state: ChessState) -> Sequence[Action]:
        """Return every legal move; empty when the game is over."""
        return [] if ends.board_end(state) else moves(state)

    def limits(self, setup: Setup) -> Limits:
        """Return the time control: phases of each side's time, increments or delays (CH-6)."""
        usual = float(setup["increment"])
        phases = read_control(setup["minutes"], LONGEST) or ()
        return Limits(
            phases=tuple(
                phase if phase.increment or phase.delay else phase._replace(increment=usual)
                for phase in phases
            )
        )

    def claims(self, state: ChessState) -> Sequence[Action]:
        """Return draws to be claimed or agreed, resignations, and flags if there is a clock."""
        return () if ends.outcome(state) else tuple(ends.claims(state))

    def binds(self, state: ChessState, claim: Action) -> tuple[str, ...]:
        """Return both for a draw by agreement, who resigns, and who claims in his turn."""
        if claim == ends.AGREE:
            return SEATS
        return (SEATS[state.side],) if claim.verb == "claim" else (str(claim.detail),)

    def resignation(self, state: ChessState, seat: str) -> Action | None:
        """Return the word by which ``seat`` resigns."""
        return None if ends.outcome(state) else ends.RESIGN[SEATS.index(seat)]

    def agreement(self, state: ChessState) -> Action | None:
        """Return the agreement on a draw, which is possible once both have moved (CH-5.2.3)."""
        return ends.AGREE if state.plies >= 2 and not ends.outcome(state) else None

    def advance(self, state: ChessState, action: Action) -> ChessState:
        """Return the state after a legal move or announcement."""
        if action.verb == "move":
            return after_move(state, action)
        return state._replace(claimed=ends.claims(state)[action])

    def judge(self, state: ChessState, action: Action) -> Ruling:
        """Rule on any conceivable action."""
        return judge(state, action)

    def outcome(self, state: ChessState) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""
        return ends.outcome(state)

    def scorecards(self, state: ChessState) -> tuple[Scorecard, ...]:
        """Return the men each side has taken with their customary worth, and the result."""
        return tuple(self._scorecard(state, side) for side in (0, 1))

    def _scorecard(self, state: ChessState, side: int) -> Scorecard:
        taken = [man for man in state.captured if man >> 3 != side]
        taken.sort(key=lambda man: -POINTS[man & 7])
        worth = str(sum(POINTS[man & 7] for man in taken))
        fields = [Field(say("Captured"), tuple(TOKENS[man] for man in taken), worth)]
        status = ""
        if over := ends.outcome(state):
            points = "½" if not over.winners else "1" if SEATS[side] in over.winners else "0"
            status = result(over, SEATS[side])
            fields.append(Field(say("Result"), value=points))
        elif side == state.side and in_check(state):
            status = say("in check")
        return Scorecard(SEATS[side], tuple(fields), None, status)

    def expect(self, state: ChessState) -> Position:
        """Return what stands on the board."""
        men = enumerate(state.squares)
        return MappingProxyType({SPOTS[square]: TOKENS[man] for square, man in men if man})

    def accepts(self, state: ChessState, spot: str) -> tuple[str | None, ...]:
        """Return what may stand on ``spot``: also the pawn that was not yet exchanged."""
        square = INDEX[spot]
        man = state.squares[square]
        if state.lately >> square & 1:
            return TOKENS[man], TOKENS[PAWN + (man & 8)]
        return (TOKENS[man] or None,)

    def effect(self, state: ChessState, action: Action) -> Effect:
        """Return what a hand does to the table: also the rook of a castling, the pawn taken in
        passing, the piece for a pawn."""
        if action.verb != "move":
            return Effect(action.detail if action.detail in SEATS else SEATS[state.side], None)
        if action.origin not in INDEX or action.target not in INDEX:
            return Effect(None, None)
        origin, target = INDEX[action.origin], INDEX[action.target]
        man, taken = state.squares[origin], state.squares[target]
        if not man or origin == target:
            return Effect(None, TOKENS[man] or None)
        side, becomes = man >> 3, None
        changes: dict[str, str | None] = {SPOTS[origin]: None}
        castle = castle_tried(state, origin, target)
        if castle and rook_goes_along(state, castle):
            return _castled(castle, man)
        if man & 7 == PAWN and target // 8 == LAST_RANK[side] and action.detail in PROMOTIONS:
            becomes = TOKENS[LETTERS.index(action.detail) + 8 * side]
        if man & 7 == PAWN and target == state.en_passant and target % 8 != origin % 8:
            victim = target - 8 * FORWARD[side]
            taken = state.squares[victim]
            changes[SPOTS[victim]] = None
        changes[SPOTS[target]] = becomes or TOKENS[man]
        captures = (TOKENS[taken],) if taken else ()
        return Effect(SEATS[side], TOKENS[man], captures, MappingProxyType(changes), becomes)

    def check(self, state: ChessState) -> tuple[Problem, ...]:
        """Return why the position cannot be."""
        return problems(state)

    def look(self, token: str) -> Look:
        """Return the face of a man; how far it is turned means nothing.

        Raises:
            BadInput: ``token`` is no chessman.
        """
        if token not in MEN:
            raise unknown_token(token, TITLE)
        side, _, kind = token.partition(" ")
        return Look(token, body=side, height=HEIGHTS[kind])

    def owner(self, token: str) -> str | None:
        """Return the side whose man it is."""
        return token.partition(" ")[0]

    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return a flat picture of a man, upright for White."""
        return draw(token)

    def spoken(self, token: str) -> str:
        """Return ``white knight``."""
        return spoken(token)

    def highlights(self, state: ChessState) -> Mapping[str, tuple[str, ...]]:
        """Return the king in check."""
        return {"check": (SPOTS[state.kings[state.side]],)} if in_check(state) else {}

    def parse(self, setup: Setup, text: str) -> Action:
        """Read a move or a word; the piece of a promotion may be written small."""
        action = super().parse(setup, text)
        if action.verb == "move" and action.detail:
            return Action("move", action.origin, action.target, action.detail.upper(), action.via)
        return action

    def read_notation(self, text: str) -> Sequence[Record]:
        """Return the games of a PGN."""
        if not is_pgn(text):
            return []
        read = read_pgn(text, lambda number: self.setup(None, {"position": str(number)}))
        return of_each(read, self._recorded)

    def _recorded(self, read: PgnGame) -> Record:
        options = {} if read.position == USUAL else {"position": str(read.position)}
        setup, start = self.setup(None, options), read.start
        actions = tuple(self.format(action) for action in read.actions)
        record = Record(self.name, setup.seats, options, actions, called=called(read.tags))
        if _alike(start, self.start(setup)):
            return record
        position, to_move = dict(self.expect(start)), SEATS[start.side]
        if not _alike(start, self.arrange(setup, position, to_move)):
            raise BadInput(
                say(
                    "the PGN begins in mid-game with a pawn to be taken in passing, or other "
                    "castling rights than men at home have: that is not kept here"
                )
            )
        return record._replace(position=position, to_move=to_move)

    def notate(
        self, notation: str, start: ChessState, actions: Sequence[Action], tags: Mapping[str, str]
    ) -> str:
        """Return the game as PGN."""
        return self.notate_timed(notation, start, actions, tags, ())

    def notate_timed(
        self,
        notation: str,
        start: ChessState,
        actions: Sequence[Action],
        tags: Mapping[str, str],
        remarks: Sequence[ActionRemark],
    ) -> str:
        """Return the game as PGN, with what the clocks showed and a machine expected."""
        told = {"Date": tags.get("date", "????.??.??").replace("-", ".")}
        told |= {seat.capitalize(): tags[seat] for seat in self.seats if tags.get(seat)}
        told |= {"TimeControl": tags["control"]} if tags.get("control") else {}
        if winner := tags.get("winner"):
            told["Result"] = {"white": "1-0", "black": "0-1"}.get(winner, "1/2-1/2")
        return write_pgn(start, actions, told, remarks)

    def invariants(self, state: ChessState) -> Mapping[str, bool]:
        """Return that no man and no king is ever lost."""
        return {
            "there are 32 men on the board and captured": (
                64 - state.squares.count(0) + len(state.captured) == 32
            ),
            "each side has one king": all(state.squares.count(KING + side) == 1 for side in (0, 8)),
        }

    def evaluate(self, state: ChessState) -> tuple[float, ...]:
        """Return how well each seat stands."""
        return evaluation.evaluate(state)

    def decides(self, state: ChessState) -> int:
        """Return the number of the seat whose decision is awaited."""
        return state.side

    def lively(self, state: ChessState) -> Sequence[Action]:
        """Return the actions by which much is won or lost."""
        return evaluation.lively(state)

    def position_key(self, state: ChessState) -> bytes:
        """Return men, side and rights, and how often the position has stood."""
        return evaluation.position_key(state)

    def uci_position(self, state: ChessState) -> str:
        """Return the position as a FEN."""
        return f"fen {to_fen(state)}"

    def uci_action(self, state: ChessState, text: str) -> Action | None:
        """Read ``e2e4`` or ``e7e8q``; castling also as the king's way onto its rook."""
        match = _UCI.fullmatch(text)
        if match is None:
            return None
        action = Action("move", match[1], match[2], match[3].upper())
        onto = (INDEX[match[1]], INDEX[match[2]])
        for castle in castles(state.homes).four:
            if castle.bit & state.castling and (castle.king, castle.rook) == onto:
                action = castle.action
        return action if action in self.legal(state) else None

    def uci_options(self, state: ChessState) -> Mapping[str, str]:
        """Return that Chess960 is played, where a king castles from another square."""
        return {} if castles_usually(state) else {"UCI_Chess960": "true"}

    def dump(self, state: ChessState) -> dict[str, Any]:
        """Return the whole state as JSON values."""
        return saved.dump(state)

    def load(self, data: Mapping[str, Any]) -> ChessState:
        """Return the state that :meth:`dump` wrote."""
        return saved.load(self, data)


def _castled(castle: Castle, moved: int) -> Effect:
    """Return what a castling does that is told by the way of the man ``moved``; what stays where it
    is is no change."""
    king, rook = (TOKENS[man + 8 * castle.side] for man in (KING, ROOK))
    stand: dict[str, str | None] = {SPOTS[castle.king]: king, SPOTS[castle.rook]: rook}
    after: dict[str, str | None] = dict.fromkeys(stand)
    after |= {SPOTS[castle.to]: king, SPOTS[castle.to_rook]: rook}
    changes = {spot: token for spot, token in after.items() if stand.get(spot) != token}
    return Effect(SEATS[castle.side], TOKENS[moved], (), MappingProxyType(changes))


GAME = Chess()
