"""What may have happened that a picture does not plainly show: the other ends of moves, and moves
that nobody saw, for want of which others would seem against the rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from companion.rules import Action, Game, S, accepted
from vision.decoding.decode import LATEST
from vision.decoding.decoded import SURE, Told
from vision.decoding.differences import DOUBT, FEW, shown
from vision.decoding.prior import PRIOR
from vision.decoding.scene import Scene
from vision.decoding.story import face_of
from vision.tokens.eye import Seen
from vision.tokens.observe import CLEAR


def unseen(game: Game[S], state: S, actions: Sequence[Action], scene: Scene) -> frozenset[str]:
    """Return the spots that may have changed without its being seen, because a token has the colour
    of its spot: where tokens that left may have gone, if more left than came, or where tokens came
    from, if more came than left: whence the rules let them come, or where their like stands.
    ``actions`` led to ``state``; the last ones may be taken back."""
    seen, table, changed = scene.seen, scene.table, scene.changed
    own = {spot: seen.error(spot, table.get(spot)) for spot in changed}
    odd = {spot for spot in changed if own[spot] > DOUBT}
    gone = {spot for spot in changed if spot in table and seen.error(spot, None) < own[spot]}
    come = {spot for spot in odd - table.keys() if own[spot] > CLEAR}
    # Most moves are seen at both ends: who came is looked for only where one seems to lack.
    if gone and len(odd - gone) == len(gone) >= len(come):
        return frozenset()
    # Of more the light may have changed some.
    comers = {spot: shown(seen, table, spot) for spot in (odd if len(odd) <= FEW else ())}
    bare = {spot: seen.error(spot, None) for spot in comers}
    come |= {s for s, some in comers.items() if any(seen.error(s, t) < bare[s] for t in some)}
    gone -= come
    if len(other := odd - gone) >= len(gone) >= len(come):
        return frozenset()
    moves = [action for then in _spoken(game, state) for action in game.legal(then)]
    if len(other) < len(gone):
        back = [action.origin for action in actions[-LATEST:] if action.target in gone]
        some = [*back, *(action.target for action in moves if action.origin in gone)]
    else:
        back = [action.target for action in actions[-LATEST:] if action.origin in come]
        like = [s for s, token in table.items() if any(token in c for c in comers.values())]
        some = [*back, *like, *(action.origin for action in moves if action.target in come)]
    return frozenset(spot for spot in some if spot) - changed


def _spoken(game: Game[S], state: S) -> list[S]:
    """Return ``state`` and those that what may be said in it leads to."""
    return [state, *(game.advance(state, a) for a in game.legal(state) if a.target is None)]


def left_unseen(seen: Seen, table: Mapping[str, str]) -> frozenset[str]:
    """Return the spots of ``table`` that look so much more like bare ones than like their token
    that a move, unlikely as it is, is likelier."""
    return frozenset(
        spot
        for spot, token in table.items()
        if seen.nats(seen.error(spot, None)) - seen.nats(seen.error(spot, token)) > PRIOR.legal
    )


def landed_or_left(scene: Scene, where: frozenset[str]) -> frozenset[str]:
    """Return the spots of ``where`` on which a token that left a changed spot, or nothing, may lie
    for all that is seen."""
    seen, table = scene.seen, scene.table
    gone = {None, *(table.get(spot) for spot in scene.changed)}
    own = {spot: seen.nats(seen.error(spot, table.get(spot))) for spot in where}
    least = PRIOR.legal - PRIOR.in_hand
    return frozenset(
        spot
        for spot in where
        if any(seen.nats(seen.error(spot, t)) > own[spot] + least for t in gone - {table.get(spot)})
    )


def unnoticed(seen: Seen, table: Mapping[str, str], unsure: frozenset[str], move: Action) -> bool:
    """Tell whether ``move`` may have been made though nobody noticed: between two ``unsure`` spots,
    or where what is ``seen`` at both ends speaks so little against it that a refused move is not
    surely likelier than that and another."""
    origin, target = move.origin, move.target
    if {origin, target} <= unsure:
        return True
    if origin is None or target is None or origin not in table:
        return False
    ends = (origin, table[origin], None), (target, table.get(target), table[origin])
    nats = (seen.nats(seen.error(s, t)) - seen.nats(seen.error(s, own)) for s, own, t in ends)
    return sum(nats) - 2 * PRIOR.legal > math.log(1 - SURE) - PRIOR.refused


def overtaken(
    game: Game[S],
    past: Sequence[S],
    actions: Sequence[Action],
    best: Told[S],
    may: Callable[[Action], bool],
    changed: frozenset[str],
) -> bool:
    """Tell whether what the rules refuse in the ``best`` story after ``past``, to which the
    ``actions`` led, would be allowed after a move that nobody saw: one that ``may`` have been made
    for all that is seen, or from or to a spot that ``changed`` and that the story does not tell of;
    or before such a move, if that was taken back. Then that was likelier missed."""
    left, state = changed - best.story.touched, past[-1]
    done = list(zip(past, actions, strict=False))[-LATEST:]
    before = [then for then, action in done if {action.origin, action.target} & left]
    for step in best.story.steps:
        if step.refused:
            after = list(before)
            for then in _spoken(game, state):
                moves = [a for a in game.legal(then) if left & {a.origin, a.target} or may(a)]
                after += [game.advance(then, a) for a in moves]
            every = (last for then in after for last in _spoken(game, then))
            if any(game.judge(last, step.action).allowed for last in every):
                return True
        elif step.legal:
            state = game.advance(state, step.action)
    return False


def halfway(
    game: Game[S],
    past: Sequence[S],
    actions: Sequence[Action],
    best: Told[S],
    changed: frozenset[str],
) -> bool:
    """Tell whether one move by the rules, or the last of the ``actions`` that led through ``past``
    taken back, shows the same where anything ``changed`` as the ``best`` story of more moves than
    one, or of refused ones. Then that was likelier made, and what else it moves, such as a Queen
    who returns or what was captured, is yet to be put there, or a captor to be turned round."""
    if best.story.moves < 2 and not best.story.illegal:
        return False

    def shows(state: S, spots: frozenset[str], end: str | None = None) -> bool:
        there = game.expect(state)

        def may(spot: str) -> bool:
            token = best.table.get(spot)
            if end and spot != end and token is None and there.get(spot) != now.get(spot):
                return True
            faces = {face_of(game, other) for other in accepted(game, state, spot)}
            return face_of(game, token) in faces

        return all(may(spot) for spot in spots)

    now = game.expect(past[-1])
    moves = (a for a in game.legal(past[-1]) if a.target and changed.issuperset(a.ends))
    if any(shows(game.advance(past[-1], a), changed, a.target) for a in moves):
        return True
    undone = [then for then, action in zip(past, actions, strict=False) if action.target]
    for state in undone[-LATEST:] if best.story.illegal else ():
        then = game.expect(state)
        back = {s for s in changed - best.table.keys() if then.get(s) not in {None, now.get(s)}}
        if back and shows(state, changed - back):
            return True
    return False
