"""What the reader asks of an eye: whatever tokens look like, it answers the same questions."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from vision.board.calibrate import Camera
from vision.frames import Frame
from vision.tokens.album import Album
from vision.tokens.arms import Remainder
from vision.tokens.likelihood import log_likelihood
from vision.tokens.observe import CLEAR, Token


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One picture compared with what was settled before: the spots that look different, whether a
    ``hand`` is in view, whether the board is ``lost``.

    ``hasty``: the next picture follows at once, so this one may show the middle of a move and two
    have to agree. ``loose``: something large is in view that does not reach in from the edge and
    lies ``over`` these spots; it is no hand if they show what the rules expect, or if it ``rests``.
    ``edge``: something new and small touches the edge of the picture ``near`` these spots: perhaps
    fingers that hold what left the board. ``moving``: a film shows something that moves, which is
    taken for a hand. ``faint``: those of the ``changed`` spots that a shadow may have changed.
    Where anything changed, spots ``beyond`` the picture are out of sight.
    """

    changed: tuple[str, ...] = ()
    hand: bool = False
    lost: bool = False
    hasty: bool = False
    loose: bool = False
    over: tuple[str, ...] = ()
    rests: bool = False
    edge: bool = False
    near: tuple[str, ...] = ()
    moving: bool = False
    faint: frozenset[str] = frozenset()
    beyond: frozenset[str] = frozenset()


class Seen(Protocol):
    """What the spots of one still picture show. Who says no more shows what leaves little error,
    and knows every face."""

    def error(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` (None: nothing) explains ``spot``: 0 perfectly right, 1
        plainly wrong."""

    def replaced(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` explains ``spot`` if it came there in place of its like."""
        return self.error(spot, token)

    @property
    def nats(self) -> Callable[[float], float]:
        """Return what gives the log-likelihood, in nats, of a spot on which its token leaves some
        error; see `vision.tokens.likelihood`."""
        return log_likelihood

    def shows(self, spot: str, token: Token) -> bool:
        """Tell whether ``spot`` may show ``token``: no plain contradiction."""
        return self.error(spot, token) <= CLEAR

    def known(self, token: str) -> bool:
        """Tell whether the face of ``token`` was ever seen."""
        return True

    def told_apart(self, one: str, other: str) -> bool:
        """Tell whether two tokens of different faces can be told apart by their looks."""


class Learner(Protocol):
    """Learns what tokens look like from the picture looked at last."""

    def learn(self, spot: str, token: str) -> None:
        """Learn that what stands on ``spot`` is ``token``."""

    def bare(self, spot: str) -> None:
        """Learn that ``spot`` is empty."""


class Eye(Learner, Protocol):
    """Looks at one table, picture after picture; opened on the first picture.

    :meth:`observe`, :meth:`settle`, :meth:`learn` and :meth:`bare` are about the picture looked at
    last, as is all that an eye may know besides, of which most know nothing. ``faults`` says of
    each wrong spot of the set-up whether it is ``empty``, shows a ``wrong`` token, or one that is
    ``turned``. An eye that ``sees_all`` judges the whole board in every picture: a closer look at
    other spots tells nothing more, and what it makes of a first picture is all there is. One that
    ``overlooks`` nothing may misread a token, but hardly misses that one came or left; others may
    miss one of the colour of its spot.
    """

    faults: Mapping[str, str]
    sees_all: bool = False
    overlooks: bool = True

    @property
    def camera(self) -> Camera:
        """Return where the board lies in the last picture."""

    def look(self, frame: Frame, table: Mapping[str, str]) -> Glimpse:
        """Compare a picture with the settled one; ``table`` is what is believed to stand."""

    def seek(self, camera: Camera) -> Glimpse:
        """Look at the last picture again, through ``camera``: where the board lies now."""

    def observe(self, spots: Iterable[str]) -> Seen:
        """Look closely at ``spots``."""

    def settle(self, table: Mapping[str, str]) -> None:
        """Take the last picture, on which ``table`` stands, as the one to compare with."""

    @property
    def faces(self) -> int:
        """Return how many faces are known."""
        return 0

    def album(self, game: str) -> Album | None:
        """Return the faces, to be kept for the next ``game``; None where there are none."""
        return None

    def strangers(self) -> frozenset[str]:
        """Return the spots that should be bare and did not look so in the first picture, provided
        that tokens were missing elsewhere."""
        return frozenset()

    def completed(self, changed: frozenset[str], spots: frozenset[str]) -> frozenset[str]:
        """Return ``changed`` spots with what else changed, as it seems: if there are none, those
        of ``spots`` that plainly show another than is believed."""
        return changed

    def other_ends(self, changed: frozenset[str], again: bool = False) -> frozenset[str]:
        """Return the spots that may be the other ends of moves seen at the ``changed`` ones; with
        those where one who left was followed ``again`` by one who looks like him."""
        return frozenset()

    def unsure(self) -> frozenset[str]:
        """Return the spots that may show another than is believed, though they need not."""
        return frozenset()

    @property
    def poor(self) -> float:
        """Return the nats that speak against a true story at most: if more do, a hand may lie over
        what it tells of."""
        return math.inf

    def unexplained(self, moved: Collection[str], refused: bool) -> Remainder | None:
        """Return what lies over the board besides the tokens that came to the spots ``moved``, or
        left them, if anything does; the rules may have ``refused`` their move."""
        return None


class WeighingEye(Eye, ABC):
    """An eye that tells what speaks against each token on each spot: by it a set-up is read that
    the players chose. ``nats`` is that for the first picture: spot -> token (None: no token) ->
    nats."""

    nats: Mapping[str, Mapping[Token, float]]

    @abstractmethod
    def weigh(self, spots: Iterable[str]) -> Mapping[str, Mapping[Token, float]]:
        """Return how many nats speak against each token, and against none, on ``spots`` of the
        picture looked at last."""
