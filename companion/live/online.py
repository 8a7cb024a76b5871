"""A game on a server, played at the real board: what is moved here is sent there, what the opponent
moves there is lit here until a hand has made it.

What was sent and what has come is not remembered: the moves on the board and those on the server
are compared, so that a line that is cut, a restart, or an answer that came twice changes nothing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from companion.live.lichess import RESTS, Busy, Lichess, Refused, ServerGameBegun, ServerStanding
from companion.rules import (
    BadInput,
    Game,
    HardwareFault,
    Outcome,
    Text,
    UciNotation,
    say,
    shown_on_clock,
)
from companion.table import Table
from companion.table.agreement import abort, offer_draw, resign, standing
from companion.table.evening import Evening
from companion.table.history import StaleState
from companion.table.machines import ONLINE, give

_log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds at most between two looks at what has to be sent."""
SOON, LATE = 1.0, 60.0
"""Seconds after which a line that was cut is tried again: first, and at most."""
AGAIN = 10.0
"""Seconds that the server has to tell of a move that was sent, before it is sent again."""
UNDECIDED = ("aborted", "noStart", "unknownFinish")
SEATS = ("white", "black")


class OnlinePlayer:
    """The opponent on the server: thinks as a machine's process does (see
    :class:`companion.live.thinking.ThinkingProcess`), somewhere else. ``wait`` lets seconds pass,
    ``changed`` is called when there is something to tell."""

    def __init__(
        self,
        evening: Evening,
        server: Lichess,
        clock: Callable[[], float],
        wait: Callable[[float], object],
        changed: Callable[[], None],
    ) -> None:
        self._evening, self._server = evening, server
        self._clock, self._wait, self._changed = clock, wait, changed
        self._wake, self._news = threading.Event(), threading.Event()
        self._game: ServerGameBegun | None = None
        self._standing: ServerStanding | None = None
        self._there = game_there(evening)
        self._followed = ServerLine(self._there)
        self._pause = SOON
        self._rests = -RESTS
        self._sent: tuple[Any, float] = (None, 0.0)
        self._refused: Any = None
        self._said: set[Any] = set()
        self.trouble: Text | str = ""
        """What people have to know, empty while all is well."""
        evening.subscribe(lambda event: self._wake.set())

    # -- as one who thinks -------------------------------------------------------------

    def ask(self, question: Mapping[str, Any]) -> None:
        """Do nothing: the opponent sees the board."""

    def stop(self) -> None:
        """Do nothing: who waits for the opponent asks again."""

    def answer(self, seconds: float) -> Mapping[str, Any] | None:
        """Return the opponent's move as ``action``, None if it does not come within ``seconds``."""
        self._news.wait(seconds)
        self._news.clear()
        table, told = self._evening.table, self._standing
        if told is None or not self._plays(table):
            return None
        made = made_at(table)
        if len(told.moves) <= len(made) or told.moves[: len(made)] != made:
            return None
        text = told.moves[len(made)]
        assert isinstance(table.game, UciNotation)
        action = table.game.uci_action(table.state, text)
        return None if action is None else {"action": table.game.format(action)}

    @property
    def words(self) -> Text | str:
        """What is to be told of the game on the server: a trouble, else its clocks."""
        told = self._standing
        if self.trouble or told is None or told.clocks is None:
            return self.trouble
        white, black = map(shown_on_clock, told.clocks)
        return say("On the server: white {white}, black {black}.", white=white, black=black)

    # -- the line ----------------------------------------------------------------------

    def hear(self) -> bool:
        """Hear what the server tells until the line is cut, or a game begins or ends; wait a
        while where it was cut. Return that there is more to hear."""
        try:
            if self._game is None:
                self._hear_of_games()
            else:
                self._hear_of(self._game)
            self._pause = SOON
        except HardwareFault as fault:
            self._tell(fault.sentence)
            self._wait(RESTS if isinstance(fault, Busy) else self._pause)
            self._pause = min(2 * self._pause, LATE)
        return True

    def _hear_of_games(self) -> None:
        for begun in self._server.events():
            self._pause = SOON
            self._tell("")
            if begun is not None:
                self._game, self._standing = begun, None
                self._followed = ServerLine(self._there)
                return

    def _hear_of(self, game: ServerGameBegun) -> None:
        for told in self._server.game(game.game):
            if self._game is not game:
                return
            if told is not None:
                self._followed.follow(told.moves)
                self._pause = SOON
                self._standing = told
                self._news.set()
                self._wake.set()
                self._changed()
                if told.over:
                    break
        else:
            raise HardwareFault("the server has ended the line")
        # What is left to do is the table's; nothing more comes of this game.
        while self._game is game and not self._wait(PAUSE):
            pass

    def close(self) -> None:
        """End all lines."""
        self._server.close()
        self._wake.set()
        self._news.set()

    # -- the table ---------------------------------------------------------------------

    def step(self) -> bool:
        """Do what the table or the server is behind with; return that there is more to do."""
        self._wake.wait(PAUSE)
        self._wake.clear()
        game, told = self._game, self._standing
        if game is None or told is None or self._clock() - self._rests < RESTS:
            return True
        try:
            table = self._table_of(game, told)
            if table is not None:
                self._level(table, game, told)
        except StaleState:
            self._wake.set()
        except Busy as fault:
            self._rests = self._clock()
            self._tell(str(fault))
        except (HardwareFault, BadInput) as fault:
            self._tell(fault.sentence)
        return True

    def _plays(self, table: Table[Any]) -> bool:
        bound = next(table.events().newest(ONLINE), None)
        return (
            self._game is not None
            and bound is not None
            and (bound.data.get("game") == self._game.game)
        )

    def _table_of(self, game: ServerGameBegun, told: ServerStanding) -> Table[Any] | None:
        """Return the table at which ``game`` is played; a new one begins where nobody is in the
        midst of another game."""
        table = self._evening.table
        if self._plays(table):
            return table
        if told.over:
            self._game = None
            return None
        if table.actions and table.outcome is None:
            self._tell(say("An online game waits: end this one, or stop it without result."))
            return None
        table = self._evening.begin(self._there.name, None, {})
        table.note(ONLINE, {"game": game.game, "seat": game.colour}, "host")
        give(table, {other(game.colour): ONLINE}, "host")
        self._said.clear()
        return table

    def _level(self, table: Table[Any], game: ServerGameBegun, told: ServerStanding) -> None:
        """Bring table and server to the same."""
        made = made_at(table)
        both = min(len(made), len(told.moves))
        if made[:both] != told.moves[:both]:
            self._tell(say("The game on the server is another: put back what was moved last."))
        elif table.outcome is not None:
            self._end_there(table, game, told, made)
        elif told.over:
            self._end_here(table, told, made)
        elif len(made) > len(told.moves):
            self._send(game, made, len(told.moves))
        else:
            own = len(told.moves) > len(made) and SEATS[len(made) % 2] == game.colour
            moved = told.moves[len(made)] if own else ""
            words = say("Your move {move} was made elsewhere: make it here.", move=moved)
            self._tell(words if own else "")
            self._settle(table, game, told)

    def _send(self, game: ServerGameBegun, made: tuple[str, ...], ply: int) -> None:
        """Send the move of ``ply`` unless that was just done, or the server has refused it."""
        what = (game.game, made[: ply + 1])
        if SEATS[ply % 2] != game.colour:
            self._tell(say("That was the opponent's turn: put back what was moved last."))
            return
        if what == self._refused or (
            what == self._sent[0] and self._clock() - self._sent[1] < AGAIN
        ):
            return
        self._sent = what, self._clock()
        try:
            self._server.post(f"/api/board/game/{game.game}/move/{made[ply]}")
            self._tell("")
        except Refused as why:
            self._refused = what
            self._tell(
                say("The server refuses {move}: {why}. Put it back.", move=made[ply], why=str(why))
            )
        except HardwareFault:
            # Whether it arrived, the server tells: it is compared, and sent again if not.
            self._sent = what, self._clock() - AGAIN + SOON
            raise

    def _settle(self, table: Table[Any], game: ServerGameBegun, told: ServerStanding) -> None:
        """Carry draw offers and answers to them from one side to the other."""
        offer, foe = standing(table), other(game.colour)
        if offer is not None and offer.seat == game.colour and game.colour not in told.draws:
            last = next(table.events().newest("offered")).seq
            self._once(("offer", last), f"/api/board/game/{game.game}/draw/yes")
        if foe in told.draws and offer is None and self._new(("draw", len(told.moves))):
            offer_draw(table, foe)
        declined = next(table.events().newest("declined"), None)
        if foe in told.draws and declined is not None and not declined.data.get("own"):
            self._once(("declined", declined.seq), f"/api/board/game/{game.game}/draw/no")

    def _end_there(
        self, table: Table[Any], game: ServerGameBegun, told: ServerStanding, made: tuple[str, ...]
    ) -> None:
        """Tell the server how the game ended here; a mate it knows once it has the move."""
        if told.over:
            self._game = None
            self._tell("")
            return
        if len(made) > len(told.moves):
            self._send(game, made, len(told.moves))
            return
        outcome = table.outcome
        assert outcome is not None
        word = "resign"
        if table.ended_by == "abort" and len(made) < 2:
            word = "abort"
        elif not outcome.winners and table.ended_by != "abort":
            word = "draw/yes"
        self._once(("end", table.state_id), f"/api/board/game/{game.game}/{word}")

    def _end_here(self, table: Table[Any], told: ServerStanding, made: tuple[str, ...]) -> None:
        """End the game here as it ended on the server, once its last moves have been made."""
        if told.status in UNDECIDED:
            abort(table, "host", table.state_id)
        elif len(made) < len(told.moves):
            self._tell("")  # the last move is lit, and made first
        elif told.status == "resign" and told.winner:
            resign(table, other(told.winner), table.state_id)
        else:
            winners = (told.winner,) if told.winner else ()
            reason = say("the server says how the game ended: {status}", status=told.status)
            table.end(Outcome(winners, "", reason), "agreement", "host", table.state_id)

    # -- inside ------------------------------------------------------------------------

    def _new(self, what: Any) -> bool:
        new = what not in self._said
        self._said.add(what)
        return new

    def _once(self, what: Any, path: str) -> None:
        """Ask the server for something that it is asked but once."""
        if what in self._said:
            return
        try:
            self._server.post(path)
        except Refused as why:
            self._tell(say("The server refuses that: {why}", why=str(why)))
        self._said.add(what)

    def _tell(self, words: Text | str) -> None:
        if words != self.trouble:
            if words:
                _log.warning("online: %s", words)
            self.trouble = words
            self._changed()


def other(colour: str) -> str:
    """Return the other colour."""
    return SEATS[1 - SEATS.index(colour)]


def game_there(evening: Evening) -> Game[Any]:
    """Return the game that is played on the server: the one whose moves are written as UCI
    does."""
    return next(game for game in evening.games() if isinstance(game, UciNotation))


def made_at(table: Table[Any]) -> tuple[str, ...]:
    """Return the moves that were made at ``table``, as the server writes them."""
    moves = (action for action in table.actions if action.verb == "move")
    return tuple(f"{one.origin}{one.target}{(one.detail or '').lower()}" for one in moves)


class ServerLine:
    """The moves that the server told, as far as they were played through: what the rules refuse is
    not believed, whoever says it."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._moves: tuple[str, ...] = ()
        self._states: list[Any] = [self._game.start(self._game.setup())]

    def follow(self, moves: tuple[str, ...]) -> None:
        """Play ``moves`` from the start; what was played before is not played again.

        Raises:
            HardwareFault: one of them is not legal.
        """
        same = next(
            (n for n, (a, b) in enumerate(zip(moves, self._moves, strict=False)) if a != b),
            min(len(moves), len(self._moves)),
        )
        states = self._states[: same + 1]
        for text in moves[same:]:
            assert isinstance(self._game, UciNotation)
            action = self._game.uci_action(states[-1], text)
            if action is None:
                raise HardwareFault(
                    say(
                        "The server says {move}, which is not allowed; it is asked again.",
                        move=text,
                    )
                )
            states.append(self._game.advance(states[-1], action))
        self._moves, self._states = moves, states
