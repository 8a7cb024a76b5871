"""Which spots of a picture speak for a move, and which only look different because of a shadow or a
light.

Errors are those of ``vision.tokens.observe``: 0 is a perfect fit, 1 as much as a typical face's
contrast.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

from companion.rules import Board
from vision.tokens.eye import Glimpse, Seen
from vision.tokens.observe import CLEAR, Token

FITS = 0.06
"""Error below which a spot shows its token, and no other needs to be tried."""
DOUBT = 0.12
"""Error from which on a spot's token may be another one that looks alike. A story that leaves less
everywhere fits well."""
ALIKE, ALIKE_BY = 0.015, 0.85
"""Between ALIKE and FITS a token that fits may still be another one that looks almost the same, if
that one leaves less than ALIKE_BY of its error."""
MAY_BE = 2.0
"""Factor on the error of the token believed on a spot, within which another one may lie there."""
BESIDE = 1.6
"""Pitches round the spots that something lies on, or a light shines under, within which it may lean
over other spots, or change what they look like."""


FEW = 6
"""Spots. Up to FEW that look different at once were touched by hands; more, and it was the light.
If more than FEW are
unexplained at once, the picture is taken as spoilt until a second one shows the same."""


class Spoilt:
    """Tells pictures that were damaged in transmission from tables in disorder: disorder stays the
    same in the next picture."""

    def __init__(self) -> None:
        self._before: frozenset[str] = frozenset()

    def picture(self, unexplained: frozenset[str]) -> bool:
        """Tell whether the picture with these ``unexplained`` spots is not to be believed."""
        before, self._before = self._before, unexplained
        return len(unexplained) > FEW and 2 * len(unexplained & before) < len(unexplained)


def nearby(board: Board, over: Iterable[str], spots: Iterable[str]) -> frozenset[str]:
    """Return those of ``spots`` that something lying ``over`` other spots may also cover."""
    middles = [board[spot].centre for spot in over]
    return frozenset(
        spot
        for spot in spots
        if any(math.dist(board[spot].centre, middle) < BESIDE * board.pitch for middle in middles)
    )


def stirred(glance: Glimpse) -> frozenset[str]:
    """Return the spots that somebody touched, as far as ``glance`` alone tells."""
    return frozenset(glance.changed if len(glance.changed) <= FEW else ()) - glance.faint


def hides(seen: Seen, table: Mapping[str, str], under: Collection[str]) -> bool:
    """Tell whether what lies over the spots ``under`` hides what ``table`` has there. A face that
    was never seen fits no better than a hand does, so it is enough that most of the others show
    what they should."""
    ill = {spot for spot in under if seen.error(spot, table.get(spot)) > CLEAR / 2}
    known = any((token := table.get(spot)) is None or seen.known(token) for spot in ill)
    return known or 2 * len(ill) > len(under)


def moved_spots(
    seen: Seen,
    table: Mapping[str, str],
    own: Mapping[str, float],
    were: Mapping[str, Iterable[str]],
    touched: frozenset[str] = frozenset(),
) -> frozenset[str]:
    """Return the spots that do not show the token believed there, or may not.

    ``table`` is what is believed to lie there, ``own`` the error of that on each spot that was
    looked at, ``were`` the tokens that a spot held before, for captures may be taken back.
    ``touched`` spots look different from the picture before.
    """
    unsure = [spot for spot, error in own.items() if error > FITS]
    left = {
        spot
        for spot in unsure
        if table.get(spot) is not None and seen.error(spot, None) < own[spot]
    }
    unsure += _replaced(seen, table, own, left, touched)
    going = {s for s in unsure if s in left or own[s] > DOUBT}.union(touched)
    comers = {table.get(spot) for spot in going}
    come = set()
    for spot in set(unsure) - left:
        mine = table.get(spot)
        rivals = {None, *comers} - {mine}
        if own[spot] > DOUBT:
            rivals |= {*were.get(spot, ())} - {mine}
        other = min((seen.error(spot, token) for token in rivals), default=1.0)
        if other < own[spot] or own[spot] > CLEAR:
            come.add(spot)
    if not (left or come):
        return frozenset()
    # Where something surely moved, what looks a little wrong may be a part of it: what moved may
    # have come there, or gone.
    little = (spot for spot in unsure if spot not in left | come and FITS < own[spot] <= DOUBT)
    return frozenset(unsure) - {s for s in little if stays(seen, table, s, {None, *comers})}


def shown(seen: Seen, table: Mapping[str, str], spot: str) -> frozenset[str]:
    """Return the tokens of ``table`` that ``spot`` clearly shows."""
    return frozenset(token for token in table.values() if seen.error(spot, token) <= FITS)


def unlike(seen: Seen, table: Mapping[str, str], changed: frozenset[str]) -> frozenset[str]:
    """Return the ``changed`` spots without those that only look strange, as under a shadow."""
    tokens = {None, *(table.get(spot) for spot in changed)}
    return frozenset(spot for spot in changed if not stays(seen, table, spot, tokens))


def stays(seen: Seen, table: Mapping[str, str], spot: str, others: Iterable[Token]) -> bool:
    """Tell whether what is believed on ``spot``, strange as it looks, fits far better than any of
    the ``others``."""
    own = seen.error(spot, mine := table.get(spot))
    return all(seen.error(spot, token) > MAY_BE * own for token in others if token != mine)


def _replaced(
    seen: Seen,
    table: Mapping[str, str],
    own: Mapping[str, float],
    left: Iterable[str],
    touched: frozenset[str],
) -> list[str]:
    """Return the spots that seem to show their token, yet show one that ``left`` another spot
    better, or as well if they were ``touched``: two tokens that look almost alike."""
    gone = {table[spot] for spot in left if own[spot] > DOUBT}
    return [
        spot
        for spot, error in own.items()
        if ALIKE < error <= FITS
        and any(
            seen.error(spot, token) < (CLEAR / 2 if spot in touched else ALIKE_BY * error)
            for token in gone - {table.get(spot)}
        )
    ]
