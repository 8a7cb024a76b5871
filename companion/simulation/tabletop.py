"""The physical table of the simulation: what lies where. It knows nothing of legality."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from companion.rules import BadInput, Board, Game, Position, Setup, name_of, say, unknown_spot


@dataclass(frozen=True, slots=True)
class LyingPiece:
    """A token as it lies: off the spot's middle by ``dx``, ``dy`` mm, turned by ``turn`` degrees
    clockwise from how the game draws it; ``edge``: it stands on its edge."""

    token: str
    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0
    edge: bool = False


@dataclass(frozen=True, slots=True)
class Gesture:
    """What a hand just did: from ``origin`` to ``target`` (None = from or to beside the board)
    with ``piece``, and what lay on the table ``before`` and ``after``."""

    origin: str | None
    target: str | None
    piece: LyingPiece | None
    before: Mapping[str, LyingPiece]
    after: Mapping[str, LyingPiece]


class SimulatedTable:
    """A table on which a hand may do anything.

    Every operation may be called from any thread, takes effect at once and is one gesture that
    a :class:`SimulatedCamera` shows. ``tidy`` 1 puts tokens exactly down; less
    puts them a little off the middle and askew, drawn from ``seed``. ``beside`` lies off the board.
    """

    def __init__(
        self,
        game: Game[Any],
        setup: Setup,
        position: Position,
        *,
        seed: int = 0,
        tidy: float = 0.7,
        beside: Iterable[str] = (),
    ) -> None:
        self.game = game
        self.setup = setup
        self.board: Board = game.board(setup)
        self._lock = threading.RLock()
        self._chance = random.Random(seed)
        self._untidy = 1.0 - tidy
        self._off: list[str] = list(beside)
        self._held: LyingPiece | None = None
        self._gestures: list[Gesture] = []
        self.on_gesture: Callable[[], None] = lambda: None
        """Called whenever a hand did something; it may not block."""
        self._pieces: Mapping[str, LyingPiece] = MappingProxyType(
            {self.board[spot].name: self._down(token) for spot, token in position.items()}
        )

    # -- looking ---------------------------------------------------------------------

    @property
    def pieces(self) -> Mapping[str, LyingPiece]:
        """Return what lies where now; the mapping never changes afterwards."""
        return self._pieces

    @property
    def position(self) -> dict[str, str]:
        """Return spot -> token."""
        return {spot: piece.token for spot, piece in self._pieces.items()}

    @property
    def off(self) -> tuple[str, ...]:
        """Return the tokens off the board, the one put there last at the end."""
        with self._lock:
            return tuple(self._off)

    @property
    def held(self) -> str | None:
        """Return the token in the hand after :meth:`lift`."""
        return self._held.token if self._held else None

    # -- what a hand can do ----------------------------------------------------------

    def move(self, origin: str, target: str) -> None:
        """Carry the token on ``origin`` to ``target``; what stood there goes off the board.

        Raises:
            BadInput: nothing lies on ``origin``, or a spot does not exist.
        """

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            piece = self._down(self._take(pieces, origin).token, pieces_turn(origin))
            self._clear(pieces, target)
            pieces[target] = piece
            return piece

        def pieces_turn(spot: str) -> float:
            return 180.0 * round(self._pieces[spot].turn / 180.0)

        self._do(origin, target, act)

    def lift(self, spot: str) -> None:
        """Take the token on ``spot`` into the hand, away from the board.

        Raises:
            BadInput: nothing lies there, or the hand is full.
        """

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            if self._held:
                raise BadInput(
                    say(
                        "the hand already holds {piece}; put it down first",
                        piece=name_of(self.game, self._held.token),
                    )
                )
            self._held = self._take(pieces, spot)
            return self._held

        self._do(spot, None, act)

    def drop(self, spot: str) -> None:
        """Put the token in the hand on ``spot``; what stood there goes off the board.

        Raises:
            BadInput: the hand is empty, or there is no such spot.
        """

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            if not self._held:
                raise BadInput(say("the hand is empty; lift a token first"))
            self._clear(pieces, spot)
            piece, self._held = self._held, None
            pieces[spot] = self._down(piece.token, 180.0 * round(piece.turn / 180.0))
            return pieces[spot]

        self._do(None, spot, act)

    def remove(self, spot: str) -> None:
        """Take the token on ``spot`` off the board.

        Raises:
            BadInput: nothing lies there.
        """

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            piece = self._take(pieces, spot)
            self._off.append(piece.token)
            return piece

        self._do(spot, None, act)

    def put(self, spot: str, token: str) -> None:
        """Put ``token`` on ``spot``: from off the board where it lies there, else a new one."""

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            self._clear(pieces, spot)
            if token in self._off:
                self._off.remove(token)
            pieces[spot] = self._down(token)
            return pieces[spot]

        self._do(None, spot, act)

    def turn(self, spot: str) -> None:
        """Turn the token on ``spot`` round by 180 degrees where it lies."""

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            piece = self._take(pieces, spot)
            pieces[spot] = replace(piece, turn=(piece.turn + 180.0) % 360.0)
            return pieces[spot]

        self._do(spot, spot, act)

    def stand(self, spot: str) -> None:
        """Stand the token on ``spot`` on its edge, or lay it down again."""

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            piece = self._take(pieces, spot)
            pieces[spot] = replace(piece, edge=not piece.edge)
            return pieces[spot]

        self._do(spot, spot, act)

    def flip(self, spot: str, token: str) -> None:
        """Turn the token on ``spot`` over: its other side is ``token``."""

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            pieces[spot] = replace(self._take(pieces, spot), token=token)
            return pieces[spot]

        self._do(spot, spot, act)

    def nudge(self, spot: str, dx: float, dy: float, degrees: float = 0.0) -> None:
        """Push the token on ``spot`` by ``dx``, ``dy`` millimetres and turn it a little."""

        def act(pieces: dict[str, LyingPiece]) -> LyingPiece:
            piece = self._take(pieces, spot)
            pieces[spot] = replace(
                piece, dx=piece.dx + dx, dy=piece.dy + dy, turn=piece.turn + degrees
            )
            return pieces[spot]

        self._do(spot, spot, act)

    def lay(self, position: Position) -> None:
        """Let ``position`` lie on the table at once, without a hand; what lay there otherwise is
        beside it."""
        with self._lock:
            kept = self._pieces
            lain = Counter([*self._off, *self.position.values()])
            self._off = list((lain - Counter(position.values())).elements())
            self._pieces = MappingProxyType(
                {
                    self.board[spot].name: kept[spot]
                    if spot in kept and kept[spot].token == token
                    else self._down(token)
                    for spot, token in position.items()
                }
            )
            self._gestures.append(Gesture(None, None, None, kept, self._pieces))
            self.on_gesture()

    # -- for the camera --------------------------------------------------------------

    @property
    def stirred(self) -> bool:
        """Whether hands did something that no camera has looked at yet."""
        return bool(self._gestures)

    def gestures(self) -> tuple[Gesture, ...]:
        """Return what hands did since the last call, in order, and forget it."""
        with self._lock:
            done, self._gestures = tuple(self._gestures), []
            return done

    # -- inside ----------------------------------------------------------------------

    def _do(
        self,
        origin: str | None,
        target: str | None,
        act: Callable[[dict[str, LyingPiece]], LyingPiece],
    ) -> None:
        with self._lock:
            for spot in (origin, target):
                if spot is not None and spot not in self.board:
                    raise unknown_spot(spot)
            before = self._pieces
            pieces = dict(before)
            piece = act(pieces)
            self._pieces = MappingProxyType(pieces)
            self._gestures.append(Gesture(origin, target, piece, before, self._pieces))
            self.on_gesture()

    def _take(self, pieces: dict[str, LyingPiece], spot: str) -> LyingPiece:
        if spot not in pieces:
            raise BadInput(say("nothing lies on {spot}", spot=spot))
        return pieces.pop(spot)

    def _clear(self, pieces: dict[str, LyingPiece], spot: str) -> None:
        if spot in pieces:
            self._off.append(pieces.pop(spot).token)

    def _down(self, token: str, turn: float = 0.0) -> LyingPiece:
        reach = 0.22 * self.board.pitch * self._untidy
        dx, dy = self._chance.uniform(-reach, reach), self._chance.uniform(-reach, reach)
        return LyingPiece(token, dx, dy, turn + self._chance.uniform(-20.0, 20.0) * self._untidy)
