"""What lies on the changed spots of a still picture: an error for every token that may lie there.

The error is the mean square difference left after the best fit, in units of the contrast of a
typical face: 0 is perfect, 1 as bad as comparing with nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.rules import Look
from vision.board.raster import Floats
from vision.tokens.appearance import PLAINLY, Appearances
from vision.tokens.faces import JITTER, Face, FaceLikeness, Windows, coarse, fine, view
from vision.tokens.likelihood import log_likelihood
from vision.tokens.patches import Span

Token = str | None
Looks = Callable[[str], Look]

UNKNOWN = 0.22
"""Error counted for a face that was never seen: more than a known face leaves, less than a wrong
one."""
CLEAR = 0.30
"""Error beyond which a spot does not show the token."""
APART = 0.04
"""Error by which the other side of a token, if it was never seen, is preferred to a side that
clearly does not fit."""
PROVEN = 2
"""Pictures that must confirm a face learned after the set-up before it is certain."""


class Observation:
    """The errors of tokens on the spots of one picture, computed when they are asked for. Spots
    ``beyond`` the picture may hold whatever they are believed to."""

    def __init__(
        self,
        patches: Mapping[str, Floats],
        spans: Mapping[str, Span],
        appearances: Appearances,
        look: Looks,
        other_side: Callable[[str], str],
        beyond: Mapping[str, Token],
    ) -> None:
        self.patches, self._spans, self._beyond = patches, spans, beyond
        self._appearances, self._look, self._other_side = appearances, look, other_side
        self._errors: dict[tuple[str, Token], float] = {}
        self._views: dict[str, Windows] = {}
        self._fits: dict[tuple[str, str], Mapping[float, FaceLikeness]] = {}

    def error(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` (None: nothing) explains the picture of ``spot``.

        0 is a perfect fit; a face's own contrast is 1.
        """
        if spot in self._beyond:
            return out_of_sight(self._beyond[spot], token)
        key = spot, token
        if key not in self._errors:
            self._errors[key] = self._measure(spot, token)
        return self._errors[key]

    def replaced(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` explains ``spot`` if it came there in place of its like: both
        have one face."""
        return self.error(spot, token)

    def shows(self, spot: str, token: Token) -> bool:
        """Tell whether ``spot`` may well show ``token``: it fits, or though light and shadow
        changed it, it fits three times better than an empty spot."""
        error = self.error(spot, token)
        if error <= CLEAR or token is None:
            return error <= CLEAR
        return error < 0.8 and error < 0.33 * self.error(spot, None)

    def known(self, token: str) -> bool:
        """Tell whether the face of ``token`` was ever seen."""
        return self._look(token).face in self._appearances.faces

    nats = staticmethod(log_likelihood)

    def told_apart(self, one: str, other: str) -> bool:
        """Tell whether two tokens can be told apart: those of different faces can."""
        return self._look(one).face != self._look(other).face

    def forget(self, face: str) -> None:
        """Compute anew how ``face``, which has just been learned, fits."""
        self._fits = {key: fit for key, fit in self._fits.items() if key[1] != face}
        self._errors = {
            (spot, token): error
            for (spot, token), error in self._errors.items()
            if token is None or self._look(token).face != face
        }

    def likest(self, spot: str, picture: Floats) -> Floats:
        """Return the picture of ``spot``; where light leaves it open, what is likest to
        ``picture``."""
        span = self._spans.get(spot)
        return span.nearest(picture) if span else self.patches[spot]

    def fit(self, spot: str, face: str) -> float | None:
        """Return the error of ``face`` on ``spot`` either way round, if it was worked out."""
        found = self._fits.get((spot, face))
        return min(fit.error for fit in found.values()) if found else None

    def _measure(self, spot: str, token: Token) -> float:
        if token is None:
            return self._emptiness(spot)
        look, known = self._look(token), self._appearances
        if look.face not in known.faces:
            return self._strange(spot, token)
        fits = self._fit(spot, look.face)
        if look.turn is None:
            return min(fit.error for fit in fits.values())
        if look.face in known.late:
            error = min(fit.error for fit in fits.values())
            # It may have been learned from a spoilt picture, or when it was not yet turned over.
            doubted = known.late[look.face] < PROVEN and error > PLAINLY
            return min(error, self._strange(spot, token) + APART) if doubted else error
        turn = (look.turn - known.turns[look.face]) % 360.0
        return fits[min(fits, key=lambda t: abs((t - turn + 180) % 360 - 180))].error

    def _emptiness(self, spot: str) -> float:
        """Return the error of taking ``spot`` for bare."""
        return self._appearances.emptiness(spot, self.patches[spot], self._spans.get(spot))

    def _strange(self, spot: str, token: str) -> float:
        """Return the error of a token of which no face is known; where the face of its other side
        is, what is plainly not that may be this."""
        bare = self._emptiness(spot)
        error, other = UNKNOWN + max(0.0, CLEAR - bare), self._look(self._other_side(token)).face
        if other == self._look(token).face or other not in self._appearances.faces:
            return error
        front = min(fit.error for fit in self._fit(spot, other).values())
        return min(error, front - APART) if front > PLAINLY else error

    def _fit(self, spot: str, name: str) -> Mapping[float, FaceLikeness]:
        """Fit a face upright and upside down; the half that fits coarsely far worse is left so."""
        if (spot, name) not in self._fits:
            face, unit = self._appearances.faces[name], self._appearances.unit
            if spot not in self._views:
                self._views[spot] = view(self.patches[spot])
            patch, span = self.patches[spot], self._spans.get(spot)
            self._fits[spot, name] = fit_both(patch, self._views[spot], face, unit, span)
        return self._fits[spot, name]


def out_of_sight(believed: Token, token: Token) -> float:
    """Return the error of ``token`` on a spot that the picture does not show: it may well hold what
    it is ``believed`` to."""
    return 0.0 if token == believed else UNKNOWN


def fit_both(
    patch: Floats, seen: Windows, face: Face, unit: float, span: Span | None = None
) -> dict[float, FaceLikeness]:
    """Fit ``face`` to ``patch``, or to the likest in its ``span``, upright and upside down, errors
    in ``unit``."""
    rough = {turn: coarse(seen, *face.turned(turn), unit) for turn in (0.0, 180.0)}
    best = min(float(errors.min()) for errors, _ in rough.values())
    found = {}
    for turn, (errors, shifts) in rough.items():
        least = int(errors.argmin())
        x, y = (float(v) for v in shifts[least])
        angle = turn + JITTER[least]
        rough_fit = FaceLikeness(float(errors[least]), (x, y), angle)
        near = errors[least] <= 4 * best + 0.1
        found[turn] = fine(patch, face, (x, y), angle, unit, span) if near else rough_fit
    return found
