"""What changed spots show, and how plainly, as far as it takes to believe or doubt a story."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from vision.decoding.differences import DOUBT, FITS, MAY_BE
from vision.decoding.scene import Scene
from vision.decoding.story import Story
from vision.tokens.observe import CLEAR, Token

BARER, SPOILT = 0.6, 0.45
"""Greatest error at which a spot on which a light or a shadow lies may count as bare (BARER), and
the part at which it may (SPOILT): of the error of what lay there, or for a token that came of a
bare spot's."""
ILL = 0.2
"""Error from which on a spot does not show a token that a refused move would have put there."""
SAME, UNSEEN = 0.01, 0.08
"""Errors by which a token that is not the expected one has to fit better: a face that is known, and
one that was never seen."""
DIM = 0.8
"""As SPOILT, where what came plainly left another spot: a neighbour may lean over this one."""
PLAIN = 0.6
"""What a refused move left on a spot has to explain it with at most this share of the error of what
lay there before, or of the bare spot."""
FAR = 5.0
"""Factor. A spot does not show a token if another one that is near explains it with an error so
many times smaller."""


class Showing:
    """What the spots that changed show of tokens that lay on one of those that were checked."""

    def __init__(self, scene: Scene, face: Callable[[Token], Token]) -> None:
        """``face`` tells what is seen of a token."""
        self._seen, self._belief, self._face = scene.seen, scene.table, face
        self._checked = scene.checked
        self._left: set[Token] = {None, *map(scene.table.get, scene.changed)}
        self.near: set[Token] = {None, *map(scene.table.get, scene.checked)}
        seen, near = scene.seen, self.near
        lie = [(spot, scene.table[spot]) for spot in scene.checked & scene.table.keys()]
        self._astray = [(spot, token) for spot, token in lie if seen.error(spot, token) > DOUBT]
        nats = cache(lambda spot, token: seen.nats(seen.error(spot, token)))
        self.nats: Callable[[str, Token], float] = nats
        """Gives the nats of a token on a spot."""
        self.most: Callable[[str], tuple[float, float]] = cache(
            lambda spot: (nats(spot, None), max(nats(spot, token) for token in near))
        )
        """Gives the nats of a bare spot, and of what explains the spot best."""

    def at_most(self, spot: str) -> float:
        """Return the nats that any story may give ``spot``: what is like nothing at hand may show
        what the game brings in."""
        return self._seen.nats(0.0) if self.like_nothing(spot) else self.most(spot)[1]

    def hardly_shows(self, spot: str, token: Token, error: float) -> bool:
        """Tell whether it is not plain to see that ``token`` came to ``spot``, or that it is bare;
        what came must fit far better than a bare spot, which must not fit itself."""
        if token is None:
            return error > CLEAR
        bare = self._seen.error(spot, None)
        return bare <= FITS or error > min(ILL, PLAIN * bare)

    def plainly(self, story: Story[Any], spot: str, token: Token, error: float) -> bool:
        """Tell whether ``spot`` shows ``token`` far better than what lay there before, or what lay
        there plainly came elsewhere, and nothing else fits far better. What stands where nothing
        was seen to change hardly came: that has to fit better by so much again."""
        own, face = self._seen.error(spot, before := self._belief.get(spot)), self._face
        least = 1.0 if before is not None and self._landed(story, before) else PLAIN
        if face(before) != face(token) and error > least * own:
            return False
        few = PLAIN * error - SAME
        return all(
            self._seen.error(spot, t) > (few if t in self._left else min(few, PLAIN**2 * error))
            for t in self.near.union(self._belief.values())
            if self.told_apart(token, t)
        )

    def _landed(self, story: Story[Any], token: str) -> bool:
        """Tell whether ``story`` brings ``token`` to a spot that plainly shows it: far better than
        anything else that lay where something changed."""
        there = (s for s in story.touched & self._checked if story.table.get(s) == token)
        most = {s: FAR * (self._seen.error(s, token) + SAME) for s in there}
        others = self._left - {token}
        return any(all(self._seen.error(s, t) > most[s] for t in others) for s in most)

    def _plain_elsewhere(self, story: Story[Any], spot: str) -> bool:
        """Tell whether the other end of the move by which ``story`` changes ``spot`` is plain: what
        left came to a spot that shows it, and neither nothing nor what lay there before; or what
        came left one that shows nothing."""
        error, moves = self._seen.error, [step.action for step in story.steps if step.legal]
        end: str | None = spot
        if story.table.get(spot) is None:
            for move in moves:
                if end not in {spot, move.origin} and move.target == end:
                    return False
                end = move.target if move.origin == end else end
        else:
            for move in moves[::-1]:
                end = move.origin if move.target == end else end
        if end is None or end == spot or end not in self._checked:
            return False
        before = self._belief.get(end)
        if end not in story.table:
            return error(end, None) < min(DOUBT, error(end, before))
        # A captor may not have been turned round yet.
        came = {self._belief.get(spot), story.table[end]} - {None}
        fits = min(error(end, token) for token in came)
        return fits < min(CLEAR, error(end, None), error(end, before))

    def seems_gone(self, spot: str, token: Token, error: float) -> bool:
        """Tell whether ``token`` seems to have left ``spot``, on which it would fit badly: the bare
        spot fits far better."""
        return token is not None and error > FAR * (self._seen.error(spot, None) + SAME)

    def vacated(self, spot: str | None) -> bool:
        """Tell whether it is plain that what was believed on ``spot`` is gone, and nothing came."""
        before = self._belief.get(spot or "")
        if spot not in self._checked or self._seen.error(spot, None) > FITS:
            return False
        return self.seems_gone(spot, before, self._seen.error(spot, before))

    def as_well(self, spot: str, token: Token) -> bool:
        """Tell whether ``spot`` shows ``token`` well, and as well as what is believed there."""
        error = self._seen.error(spot, token)
        return error <= min(FITS, self._seen.error(spot, self._belief.get(spot)))

    def like_nothing(self, spot: str) -> bool:
        """Tell whether ``spot`` looks neither bare nor like any token that is near."""
        return all(self._seen.error(spot, token) > CLEAR for token in self.near)

    def rather_stays(self, spot: str) -> bool:
        """Tell whether the token believed on ``spot``, badly as it may fit, fits better than the
        bare spot, and nothing at hand fits much better."""
        own = self._seen.error(spot, before := self._belief.get(spot))
        others = (self._seen.error(spot, token) for token in self.near - {before, None})
        return own < self._seen.error(spot, None) and all(own < MAY_BE * e for e in others)

    def nobody(self, story: Story[Any], spot: str) -> bool:
        """Tell whether ``spot`` shows nobody who may have come there: no token that is not seen
        where it stood. It shows nothing at all, or the token that the rules leave there may have
        been taken off, be in a hand that plays on, or lie under something."""
        error, own = partial(self._seen.error, spot), story.table.get(spot)
        if any(error(token) <= CLEAR for other, token in self._astray if other != spot):
            return False
        if own is None or story.illegal:
            return min(error(None), error(own)) > CLEAR
        return error(own) > CLEAR or self.seems_gone(spot, own, error(own))

    def shows(self, story: Story[Any], spot: str, token: Token, error: float) -> bool:
        """Tell whether ``spot`` may show ``token`` after ``story``. What only light and shadow
        excuse must fit better than what lay there before; of a bare spot by far. Where the other
        end of the move is plain less is enough: what a print looks like may not be known yet."""
        before, face = self._belief.get(spot), self._face
        others = (t for t in self.near if FAR * self._seen.error(spot, t) < error)
        if error > DOUBT and any(self.told_apart(token, other) for other in others):
            return False
        if error <= CLEAR or face(before) == face(token):
            return self._seen.shows(spot, token)
        own = self._seen.error(spot, before)
        plain = not story.illegal and self._plain_elsewhere(story, spot)
        if token is None:
            return error < (own if plain else min(BARER, SPOILT * own))
        return error < own and error < (DIM if plain else SPOILT) * self._seen.error(spot, None)

    def told_apart(self, one: Token, other: Token) -> bool:
        """Tell whether two tokens, or a token and none, can be told apart."""
        return one is None or other is None or self._seen.told_apart(one, other)
