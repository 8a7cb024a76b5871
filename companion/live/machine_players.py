"""Machines at the table: they think when it is their turn, say what they mean to play, and wait for
a hand to do it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.live.analyst import Analyst
from companion.live.own_racks import OwnRacks
from companion.live.pointer import SECONDS, Pointer
from companion.live.second_look import SecondLook
from companion.live.thinking import ThinkingProcess
from companion.players.levels import ADVISER, LEVEL_NAMES
from companion.rules import (
    Action,
    Alone,
    BadInput,
    Board,
    Evaluation,
    Game,
    HandPlays,
    SavedStates,
    Text,
    accepted,
    say,
    straight_way,
)
from companion.rules.own_hand import HandPlay
from companion.table import Table
from companion.table.evening import Evening
from companion.table.history import StaleState
from companion.table.machines import ONLINE, give, machines_of
from companion.table.mirror import Elsewhere

if TYPE_CHECKING:
    from companion.live.online import OnlinePlayer
    from companion.simulation.tabletop import SimulatedTable

_log = logging.getLogger(__name__)

PAUSE = 0.25
"""Seconds at most between two looks at whose turn it is."""
HEARS = 0.05
"""Seconds at most between two looks whether what is thought about has passed."""
RESTS = 2.0
"""Seconds at most where it is nobody's turn who is a machine; whatever happens wakes it."""
TAKEN_BACK = 10.0
"""Seconds that a machine waits after something was taken back: people may take back more."""
SHOWN = 1.0
"""Seconds that what is meant is lit before a simulated hand does it."""
PATIENCE = 30.0
"""The seconds that an adviser has."""
ASKS = 60.0
"""Seconds after which people are asked to make the move."""


class Meant(NamedTuple):
    """What the player called ``name`` does on ``seat``: it thinks while ``action`` is None.
    ``since`` is when it began, or when it said so; a hand has ``done`` it. ``told`` is what people
    are to do where the action alone does not say it; then ``cards`` of its own may be for them."""

    seat: str
    name: str
    since: float
    action: Action | None = None
    done: bool = False
    fault: str = ""
    told: Text | str = ""
    cards: tuple[str, ...] = ()

    @property
    def thinks(self) -> bool:
        """Tell whether it has not come to an end."""
        return self.action is None and not self.fault


class MachinePlayers:
    """Plays the seats that machines have at the table of ``evening`` (``web.Machines``).

    ``hands`` gives the simulated table whose hands make the moves, None for a real one;
    ``by_phone`` tells whether moves are entered and not made, ``ready`` whether the camera sees the
    table as the game stands; ``changed`` is called when there is
    something new to tell. What they leave to chance follows from ``seed``, unless it is None.
    """

    def __init__(
        self,
        evening: Evening,
        hands: Callable[[], SimulatedTable | None],
        by_phone: Callable[[], bool],
        ready: Callable[[], bool],
        changed: Callable[[], None],
        clock: Callable[[], float],
        seed: str | None = None,
    ) -> None:
        self._evening, self._hands, self._by_phone = evening, hands, by_phone
        self._ready = ready
        self._changed, self._clock = changed, clock
        self._process, self._adviser = ThinkingProcess(seed), Analyst(stays=True, most=PATIENCE)
        self.online: OnlinePlayer | None = None
        """Who plays from a server, at a table that has a line to one."""
        self._analyst, self._second_look = Analyst(), SecondLook(evening)
        self.pointer = Pointer(clock)
        """What of advice is to be shown by the lights."""
        self._wake = threading.Event()
        self._racks = OwnRacks()
        # What machines mean after the actions and with the players of ``_about``, by seat.
        self._meant: Mapping[str, Meant] = {}
        self._ways: tuple[tuple[Action, ...], tuple[str, ...]] = (), ()
        self._about: Any = None
        self._undone: tuple[int, float] | None = None
        evening.subscribe(lambda event: self.wake())

    # -- what the pages ask ------------------------------------------------------------

    def told(self) -> Mapping[str, Any]:
        """Return ``levels`` (the names of those that may be chosen), ``advises`` (whether
        :meth:`advise` can), ``seats`` (a player's name for
        each seat that a machine plays), and of the seat that is to move: ``seat``, the ``action``
        that is meant (empty while it thinks), and ``words`` for people; ``seat`` is empty where a
        person is to move. ``offer`` is the ``seat`` that may take back what it did last, for the
        share of the result that it ``lost``; empty where none is made."""
        table = self._evening.table
        offer = self._second_look.offer(table)
        can = isinstance(table.game, Evaluation | HandPlays) and isinstance(table.game, SavedStates)
        seats, meant = machines_of(table), list(self._present(table).values())
        last = meant[-1] if meant else None
        words = [self._words(table, one) for one in meant]
        missing = self._missing(table, seats)
        words += [
            say("{seat} is played by a machine that has to be told {count} of its cards.",
                seat=say(seat), count=count)
            for seat, count in missing.items()
        ]  # fmt: skip
        if not self._set_up(table) and (first := self._awaited(table, seats)):
            words.append(say("{seat} begins once the table is set up.", seat=say(first)))
        if self.online is not None and self.online.words:
            words.append(self.online.words)
        return {
            "levels": list(LEVEL_NAMES) if can else [],
            "advises": isinstance(table.game, Evaluation | Alone),
            "seats": dict(seats),
            "seat": last.seat if last else "",
            "action": table.game.format(last.action) if last and last.action else "",
            "words": reduce(_then, words) if words else "",
            "missing": missing,
            "offer": offer._asdict() if offer else {},
        }

    def tell(self, seat: str, cards: Sequence[str]) -> None:
        """Take in the rack of ``seat``, or what it lacks, from left to right; raises as
        :meth:`companion.live.own_racks.OwnRacks.tell`."""
        self._racks.tell(self._evening.table, seat, cards)
        self._about = None
        self.wake()
        self._changed()

    def give(self, seats: Mapping[str, str], actor: str) -> None:
        """Let players play ``seats``; raises as :func:`companion.table.machines.give`."""
        give(self._evening.table, seats, actor)

    def advise(self, seconds: float | None = None) -> Sequence[Mapping[str, Any]] | None:
        """Return what a machine would do for the seat to move, the best idea first: ``action``,
        ``expected``, ``reason`` and ``line``, as :func:`companion.players.advice.as_json`; none
        when the game is over, or chance decides. None if that takes longer than ``seconds``: it
        goes on, and may be asked again.

        Raises:
            BadInput: no machine thinks ahead in this game.
            HardwareFault: it does not come to an end.
        """
        table = self._evening.table
        game, state = table.game, table.state
        if not (isinstance(game, Evaluation | Alone) and isinstance(game, SavedStates)):
            raise BadInput(say("no machine thinks ahead in {game} yet", game=game.title))
        if table.to_move is None:
            return []
        asked = {"game": game.name, "state": game.dump(state), "level": ADVISER}
        wait = PATIENCE if seconds is None else seconds
        answer = self._adviser.answer((game.name, state), asked, wait)
        ideas: Sequence[Mapping[str, Any]] | None = None if answer is None else answer["ideas"]
        return ideas

    def point(self, spots: Sequence[str], seconds: float | None = None) -> None:
        """Show ``spots`` by the lights; raises as :meth:`companion.live.pointer.Pointer.point`."""
        self.pointer.point(self._evening.table, spots, SECONDS if seconds is None else seconds)

    def analyse(
        self, game: Game[Any], start: Any, actions: Sequence[Action]
    ) -> Mapping[str, Any] | None:
        """Return what a game that was played was worth to whom; None while a machine looks at it;
        raises as :meth:`companion.live.analyst.Analyst.analyse`."""
        return self._analyst.analyse(game, start, actions)

    def meant(self, table: Table[Any]) -> tuple[str, ...]:
        """Return the spots of the actions that are meant at ``table``, each from its first to its
        last, and those that it passes on a straight way."""
        meant = self._present(table).values()
        actions = tuple(one.action for one in meant if one.action is not None)
        if actions and actions != self._ways[0]:
            board = table.game.board(table.setup)
            self._ways = actions, tuple(spot for one in actions for spot in _way(board, one))
        return self._ways[1] if actions else ()

    def _present(self, table: Table[Any]) -> Mapping[str, Meant]:
        """Return what is meant as ``table`` stands, by seat."""
        about = self._about
        return self._meant if about is not None and about[0] is table.line else {}

    def _missing(self, table: Table[Any], seats: Mapping[str, str]) -> dict[str, int]:
        """Return how many of its own cards each seat lacks that a machine plays."""
        if not isinstance(table.game, HandPlays) or table.to_move is None:
            return {}
        lacking = {seat: self._racks.missing(table, seat) for seat in seats}
        return {seat: count for seat, count in lacking.items() if count}

    def _words(self, table: Table[Any], meant: Meant) -> Text | str:
        who = say(meant.seat)
        if meant.fault or meant.told:
            return meant.fault or meant.told
        if meant.action is None and meant.name == ONLINE:
            return say("{seat} is awaited from the server.", seat=who)
        if meant.action is None:
            return say("{seat} is played by a machine, and thinks.", seat=who)
        made = table.game.format(meant.action)
        if self._clock() - meant.since > ASKS:
            return say("{seat} waits: make {action} on the table.", seat=who, action=made)
        return say("{seat} plays {action}.", seat=who, action=made)

    # -- the part ----------------------------------------------------------------------

    def step(self) -> bool:
        """Take one step, or wait a moment for something to do; return that there is more."""
        table = self._evening.table
        if self._second_look.step():
            self._changed()
        about = (table.line, dict(machines_of(table)), table.paused)
        thinking = next((one for one in self._meant.values() if one.thinks), None)
        if self._about is None or self._about[0] is not about[0] or self._about[1:] != about[1:]:
            if thinking is not None:
                # What it thinks about has passed.
                self._thinker(thinking.name).stop()
            self._about = about
            self._say({})
        elif thinking is not None:
            self._hear(table, thinking)
        elif (seat := self._awaited(table, about[1])) is not None:
            if self._settled(table) and self._set_up(table):
                self._think(table, seat, about[1][seat])
            else:
                self._wait(PAUSE)
        elif meant := [one for one in self._meant.values() if not (one.done or one.fault)]:
            self._act(table, meant[0])
        else:
            self._wait(RESTS)
        return True

    def _thinker(self, name: str) -> ThinkingProcess | OnlinePlayer:
        """Return where the player called ``name`` thinks."""
        return self.online if name == ONLINE and self.online is not None else self._process

    def _awaited(self, table: Table[Any], seats: Mapping[str, str]) -> str | None:
        """Return a seat whose machine has to decide something and has not thought about it."""
        if table.paused:
            return None
        game: Any = table.game
        if not isinstance(game, HandPlays):
            seat = table.to_move
            return seat if seat in seats and seat not in self._meant else None
        ready = (s for s in seats if s not in self._meant and not self._racks.missing(table, s))
        return next((s for s in ready if game.hand_plays(self._racks.known(table, s))), None)

    def wake(self) -> None:
        """Let :meth:`step` wait no longer."""
        self._wake.set()

    def close(self) -> None:
        """End the processes that think."""
        self._process.stop()
        self._adviser.stop()
        self._analyst.stop()
        self._second_look.close()

    def _settled(self, table: Table[Any]) -> bool:
        """Tell whether nothing was taken back just now."""
        last = next(table.events().newest("action", "undone"), None)
        if last is None or last.kind == "action":
            self._undone = None
            return True
        if self._undone is None or self._undone[0] != last.seq:
            self._undone = (last.seq, self._clock())
        return self._clock() - self._undone[1] >= TAKEN_BACK

    def _set_up(self, table: Table[Any]) -> bool:
        """Tell whether a first move may be told: made before the camera has seen the table as the
        game begins, it would be waited for as something that is not set up yet."""
        return table.line.length > 0 or self._ready() or self._by_phone()

    def _wait(self, seconds: float) -> None:
        self._wake.wait(PAUSE if self._second_look.waits else seconds)
        self._wake.clear()

    def _say(self, meant: Mapping[str, Meant]) -> None:
        changed, self._meant = meant != self._meant, meant
        if changed:
            self._changed()

    def _note(self, meant: Meant) -> None:
        self._say({**self._meant, meant.seat: meant})

    def _think(self, table: Table[Any], seat: str, name: str) -> None:
        game, now = table.game, self._clock()
        if not isinstance(game, SavedStates):
            fault = say("no machine thinks ahead in {game} yet", game=game.title)
            self._note(Meant(seat, name, now, fault=fault))
            return
        question = {"game": game.name, "state": game.dump(table.state), "player": name}
        if isinstance(game, HandPlays):
            rack = self._racks.known(table, seat).rack
            question |= {"seat": seat, "cards": rack.cards, "laid": dict(rack.laid),
                         "given": dict(rack.given)}  # fmt: skip
        self._thinker(name).ask(question)
        self._note(Meant(seat, name, now))

    def _hear(self, table: Table[Any], meant: Meant) -> None:
        answer = self._thinker(meant.name).answer(HEARS)
        if answer is None:
            return
        now = self._clock()
        if "action" not in answer:
            why = answer["fault"] or say("it has ended")
            fault = say(
                "The machine of {seat} cannot play: {why}. Make its moves yourselves, or choose "
                "another player under Seats.",
                seat=say(meant.seat),
                why=why,
            )
            _log.warning("%s", fault)
            self._note(meant._replace(since=now, fault=fault))
            return
        game, told = table.game, ""
        action, cards = game.parse(table.setup, answer["action"]), tuple(answer.get("cards", ()))
        if isinstance(game, HandPlays):
            play, known = HandPlay(action, cards), self._racks.known(table, meant.seat)
            told = game.told(known, play)
            self._racks.mean(table, meant.seat, play)
        self._note(meant._replace(since=now, action=action, told=told, cards=cards))

    def _act(self, table: Table[Any], meant: Meant) -> None:
        """Say what is spoken, enter what is entered, let a simulated hand make what is made; at a
        real table people do. Own cards are always laid by hand."""
        action = meant.action
        if action is None or self._clock() - meant.since < SHOWN:
            self._wait(PAUSE)
            return
        hands, seen = self._hands(), table.state_id
        laid = action.origin or action.target
        if hands is not None and laid:
            if not (self._ready() and lies(table, hands)):
                # Somebody is setting the table, or nobody would see what is done.
                self._wait(PAUSE)
                return
            make(table, action, hands)
        if not (laid or meant.cards) or (self._by_phone() and not meant.told):
            try:
                table.play(action, meant.seat, expected=seen)
            except (StaleState, Elsewhere):
                self._wait(PAUSE)  # somebody acted at the last moment
        elif hands is not None:
            self._note(meant._replace(since=self._clock(), done=True))
        else:
            self._wait(PAUSE)


def _then(first: Text | str, then: Text | str) -> Text:
    return say("{first} {then}", first=first, then=then)


def lies(table: Table[Any], hands: SimulatedTable) -> bool:
    """Tell whether what lies on the simulated table is what the game expects."""
    game, state = table.game, table.state
    lying = hands.position
    if hands.held or lying.keys() != game.expect(state).keys():
        return False
    return all(
        game.look(token).face in {game.look(t).face for t in accepted(game, state, spot) if t}
        for spot, token in lying.items()
    )


def make(table: Table[Any], action: Action, hands: SimulatedTable) -> None:
    """Do with simulated ``hands`` what ``action`` asks for, and all that follows from it."""
    wanted = table.game.expect(table.game.advance(table.state, action))
    if action.origin and action.target and action.origin in hands.position:
        hands.move(action.origin, action.target)
    for spot in [spot for spot in hands.position if spot not in wanted]:
        hands.remove(spot)
    for spot, token in wanted.items():
        lying = hands.position.get(spot)
        if lying is None:
            hands.put(spot, token)
        elif table.game.look(lying).face != table.game.look(token).face:
            hands.flip(spot, token)


def _way(board: Board, action: Action) -> Iterator[str]:
    """Yield the spots of ``action``, and those between two of them that lie on the straight way."""
    for before, spot in pairwise((None, *action.spots)):
        if before is not None and spot is not None:
            yield from straight_way(board, before, spot)
        if spot is not None:
            yield spot
