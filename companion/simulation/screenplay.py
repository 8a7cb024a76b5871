"""Games as scenes for the simulated table: from actions to what hands do, and to the truth."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic

from companion.rules import Action, Effect, Game, Position, S
from companion.simulation.recorded_game import RecordedScene
from companion.simulation.troubles import Troubles, random_event


@dataclass
class Screenplay(Generic[S]):
    """Writes a game's scenes one by one. ``lying`` is what lies on the board by now."""

    game: Game[S]
    state: S
    lying: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.lying = dict(self.game.expect(self.state))

    def play(self, action: Action) -> RecordedScene:
        """Return the scene of a legal action; spoken ones only tidy up what they change.

        Raises:
            IllegalAction: the rules refuse it; for those there is :meth:`cheat`.
        """
        effect = self.game.effect(self.state, action)
        after = self.game.apply(self.state, action)
        does = self._carry(action)
        does += self._tidy(self.game.expect(after))
        self.state = after
        return RecordedScene(tuple(does), (_event(action, effect, True),) if _moves(action) else ())

    def cheat(self, action: Action) -> tuple[RecordedScene, RecordedScene]:
        """Return the scenes of a move that the rules refuse, and of its take-back."""
        effect = self.game.effect(self.state, action)
        before = dict(self.lying)
        wrong = {
            spot: token for spot, token in {**before, **effect.changes}.items() if token is not None
        }
        does = self._carry(action)
        does += self._tidy(wrong)
        back = [f"move {action.target} {action.origin}"]
        self._follow(str(action.target), str(action.origin))
        back += self._tidy(before)
        event = _event(action, effect, False)
        undone = _undone(action, event)
        return RecordedScene(tuple(does), (event,)), RecordedScene(tuple(back), (undone,))

    def take_back(self, before: S, action: Action) -> RecordedScene:
        """Return the scene in which ``action``, the last one, is undone: it led from ``before``."""
        does: list[str] = []
        events: tuple[Mapping[str, Any], ...] = ()
        if action.origin and action.target:
            event = _event(action, self.game.effect(before, action), True)
            if action.target in self.lying:
                does = [f"move {action.target} {action.origin}"]
                self._follow(action.target, action.origin)
            events = (_undone(action, event),)
        does += self._tidy(self.game.expect(before))
        self.state = before
        return RecordedScene(tuple(does), events)

    def _carry(self, action: Action) -> list[str]:
        if action.verb == "place" or not (action.origin and action.target):
            return []
        self._follow(action.origin, action.target)
        return [f"move {action.origin} {action.target}"]

    def _follow(self, origin: str, target: str) -> None:
        self.lying[target] = self.lying.pop(origin)

    def _tidy(self, wanted: Position) -> list[str]:
        """Return what hands still do until ``wanted`` lies on the board."""
        does = [f"remove {spot}" for spot in self.lying if spot not in wanted]
        for spot, token in wanted.items():
            if spot not in self.lying:
                does.append(f"put {spot} {token}")
            elif self.lying[spot] != token:
                does.append(f"flip {spot} {token}")
        self.lying = dict(wanted)
        return does


def random_scenes(
    game: Game[S],
    state: S,
    chance: random.Random,
    count: int,
    *,
    cheats: float = 0.0,
    events: float = 0.0,
    troubles: Troubles | None = None,
) -> Iterator[RecordedScene]:
    """Yield the scenes of a random game from ``state``, at most ``count`` actions long.

    ``cheats`` is the chance that a turn begins with a refused move and its take-back, ``events``
    that something goes wrong in a scene, starting from ``troubles``.
    """
    screenplay, now = Screenplay(game, state), troubles or Troubles()
    yield RecordedScene(troubles=now)
    for _ in range(count):
        legal = game.legal(screenplay.state)
        if not legal:
            return
        scenes: list[RecordedScene] = []
        if chance.random() < cheats and (wrong := refused(game, screenplay.state, chance)):
            scenes += screenplay.cheat(wrong)
        scenes.append(screenplay.play(chance.choice(legal)))
        for scene in scenes:
            if chance.random() < events:
                now = random_event(now, chance)
                yield replace(scene, troubles=now)
            else:
                yield scene


def refused(game: Game[S], state: S, chance: random.Random) -> Action | None:
    """Return a move of the seat to move that the rules refuse, if a few tries find one."""
    seat, position = game.to_move(state), game.expect(state)
    spots = list(game.board(state.setup))
    for _ in range(30 if position else 0):
        action = Action("move", chance.choice(list(position)), chance.choice(spots))
        if action.origin == action.target or action in game.legal(state):
            continue
        effect = game.effect(state, action)
        if effect.seat == seat and not game.judge(state, action).allowed:
            return action
    return None


def _moves(action: Action) -> bool:
    return action.verb in ("move", "place")


def _undone(action: Action, event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the event of ``action``, told as ``event``, being taken back."""
    return {
        "seat": event["seat"],
        "piece": event["piece"],
        "from": action.target,
        "to": action.origin,
        "takeback": True,
    }


def _event(action: Action, effect: Effect, legal: bool) -> Mapping[str, Any]:
    captures = list(effect.captures)
    event: dict[str, Any] = {
        "seat": effect.seat,
        "piece": effect.piece,
        "from": action.origin,
        "to": action.target,
        "captures": captures if len(captures) > 1 else captures[0] if captures else None,
        "legal": legal,
    }
    if effect.becomes:
        event["becomes"] = effect.becomes
    if effect.returned:
        event["returned"] = list(effect.returned)
    if effect.scored is not None:
        event["scored"] = effect.scored
    return event
