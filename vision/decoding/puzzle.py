"""Readings of a table that no story explains, and doubts about which of two alike tokens lies
where."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules import Board, Game, S, name_of, say
from vision.decoding.decoded import SURE, Decoded, Told
from vision.decoding.differences import nearby, unlike
from vision.decoding.reading import Reading
from vision.decoding.scene import Scene
from vision.decoding.story import Story, face_of, refused, with_changes
from vision.tokens.eye import Seen
from vision.tokens.observe import Token
from vision.watching.waiting import differing

OVER, WORSE = 0.045, 1.8
"""How a token that was turned over shows itself: its front leaves at least the error OVER, and
WORSE times the error that it left before. Of tokens that were merely touched, one in ten does; of
75 looks at knights that the rules want turned over, in 40 simulated evenings (November 2026), these
tell 44 of the 57 who had been, and none of the 18 who had not."""


def puzzled(
    game: Game[Any], name: str, seen: Seen, table: Mapping[str, str], changed: frozenset[str]
) -> Reading:
    """Return the reading of a picture in which no story explains the ``changed`` spots of the
    believed ``table``."""
    after = as_seen(seen, table, changed)
    # What only looks strange does not differ where something else was lifted.
    spots = tuple(sorted(unlike(seen, table, changed) or changed))
    lifted = spots[0] if len(spots) == 1 and spots[0] in table and spots[0] not in after else None
    message = differing(spots)
    if lifted is not None:
        piece = name_of(game, table[lifted])
        message = say("{piece} is missing from {spot}", piece=piece, spot=lifted)
    return Reading(name, True, after, differs=spots, lifted=lifted, message=message)


def as_seen(seen: Seen, table: Mapping[str, str], changed: Iterable[str]) -> dict[str, str]:
    """Return ``table`` with the likeliest of its own tokens on every ``changed`` spot."""
    some = list(changed)
    # Where all fit as badly, as where a board of sensors knows another, what was there stays.
    tokens = [*sorted({table[spot] for spot in some if spot in table}), None]
    likeliest = {spot: min(tokens, key=lambda t: seen.error(spot, t)) for spot in some}
    return with_changes(table, likeliest)


def on_its_like(
    game: Game[S], board: Board, decoded: Decoded[S], scene: Scene, state: S
) -> Decoded[S]:
    """Return ``decoded`` as unsure, where the one token that a move took off the board may instead
    lie on top of a token that looks the same, on a spot that somebody touched: the rules refuse
    that, and the picture looks alike."""
    best, table, touched = decoded.best, scene.table, scene.stirred
    move = best.story.single if best and best.story.gone else None
    if best is None or move is None or move.origin is None:
        return decoded
    here, face = Story(state, table), face_of(game, table[move.origin])
    far = touched & table.keys() - nearby(board, best.story.touched, touched)
    likes = sorted(spot for spot in far if face_of(game, table[spot]) == face)
    stories = [refused(game, here, move.origin, spot) for spot in likes]
    others = [Told(story, story.table, best.score, ()) for story in stories if story]
    return _held_against(decoded, best, others)


def in_place_of_its_like(game: Game[S], decoded: Decoded[S], scene: Scene, state: S) -> Decoded[S]:
    """Return ``decoded`` as less sure, where a token took the place of another against the rules
    that nobody can tell from it by looks, and may as well have taken that of one of its own kind
    on another spot that changed: somebody was put there, and one of the two is told of."""
    best, seen, table = decoded.best, scene.seen, scene.table
    move = best.story.single if best and best.story.illegal else None
    if best is None or move is None or move.origin is None:
        return decoded
    if move.target is None or move.target not in table:
        return decoded
    token, there = table[move.origin], table[move.target]
    face, nats = face_of(game, token), seen.nats
    others = {
        t for t in table.values() if face_of(game, t) != face and not seen.told_apart(token, t)
    }
    if there not in others:
        return decoded
    gain = nats(seen.error(move.target, there)) - nats(seen.error(move.target, token))
    here, rivals = Story(state, table), []
    for spot in sorted(scene.changed & table.keys() - {move.origin}):
        if face_of(game, table[spot]) == face and (story := refused(game, here, move.origin, spot)):
            # Who came anew looks as any other would that looks alike.
            came = nats(min(seen.error(spot, other) for other in others))
            score = best.score + gain + came - nats(seen.error(spot, table[spot]))
            rivals.append(Told(story, story.table, score, ()))
    return _held_against(decoded, best, rivals)


def _held_against(decoded: Decoded[S], best: Told[S], rivals: Sequence[Told[S]]) -> Decoded[S]:
    """Return ``decoded`` as less sure of its ``best`` story, which ``rivals`` may have been."""
    more = sum(math.exp(told.score - best.score) for told in rivals)
    likely = tuple(told for told in rivals if told.score > best.score + math.log(1 - SURE))
    others = (*likely, *decoded.others)
    return replace(decoded, p=decoded.p / (1 + more * decoded.p), others=others)


class Backs:
    """Tells tokens that were turned over, as the rules require, from those that still show their
    front, although their back was never seen and may hardly differ."""

    def __init__(self, face: Callable[[Token], Token]) -> None:
        """``face`` gives the face of a token."""
        self._face = face
        self._fitted: dict[tuple[str, Token], float] = {}

    def due(self, seen: Seen, now: Token, accepted: Iterable[Token]) -> Token:
        """Return the side, never seen so far, to which the token ``now`` has to be turned over, out
        of those ``accepted`` in its place; None if there is none."""
        other = (t for t in accepted if t and now and self._face(t) != self._face(now))
        return next((token for token in other if not seen.known(token)), None)

    def landed(self, seen: Seen, spot: str, token: Token) -> None:
        """Note how well ``token`` fits that has just come to ``spot``, to compare with later."""
        self._fitted[spot, self._face(token)] = seen.error(spot, token)

    def turned(
        self,
        seen: Seen,
        table: Mapping[str, str],
        spot: str,
        front: Token,
        were: Mapping[str, Iterable[str]],
        checked: frozenset[str],
    ) -> bool:
        """Tell whether ``spot``, where the ``front`` is believed and its other side is due, shows
        the other side.

        It does if the front fits much worse than before, or than another token does, while no token
        of those that ``were`` there before, nor of another ``checked`` spot, fits better.
        """
        error = seen.error(spot, front)
        if error < OVER or not self._worse(seen, table, spot, front):
            self.landed(seen, spot, front)
            return False
        elsewhere = checked - {spot}
        former = [t for t in were.get(spot, ()) if self._face(t) != self._face(front)]
        if any(seen.error(spot, token) < error for token in (None, *former)):
            return False
        return all(
            (here := seen.error(spot, token)) >= error
            or any(seen.error(other, token) < here for other in elsewhere)
            for token in {table[other] for other in elsewhere & table.keys()}
        )

    def _worse(self, seen: Seen, table: Mapping[str, str], spot: str, front: Token) -> bool:
        """Tell whether the ``front`` fits far worse than before, or than another token."""
        error, face = seen.error(spot, front), self._face(front)
        if error >= WORSE * self._fitted.get((spot, face), 0.0):
            return True
        others = {token for token in table.values() if self._face(token) != face}
        return any(seen.error(spot, token) < error for token in others)
