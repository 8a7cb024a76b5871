"""A game that another table owns: what happens is decided there, and followed here event by event.

Nothing is committed here that the owner has not told, so that there are never two truths. What
somebody at this table does is asked of the owner, and stands once the owner has told of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games import find_game
from companion.journal import Draft, Event, Header, Journal
from companion.journal.copying import EventRow, GameRow
from companion.journal.entries import header_of, json_text, sound_event
from companion.rules import Action, BadInput, Game, HardwareFault, Outcome, Ruling, say
from companion.rules.answers import rules_of
from companion.rules.values import S
from companion.table.history import POSITION_KINDS, History, game_of, lines, setup_of, start_of
from companion.table.table import Table

MIRRORS, OF = "mirrors", "of"
"""The kind of event which says that another table owns this game; the field of an event's data that
tells its number and its digest at the owner's."""
SETTLED = ("offered", "accepted", "declined", "resigned", "rejoined", "paused", "continued", "held")
"""Kinds of events that change no position and concern everybody who plays."""
TOLD = (*POSITION_KINDS, *SETTLED, "refused", "resumed")
"""The kinds of events that other tables hear of; all others are a table's own."""


class OwnerRequest(NamedTuple):
    """What somebody at a table asks of the owner: ``do`` is ``play``, ``correct``, ``undo`` or one
    of SETTLED, with what belongs to it in ``data``; ``seat`` is for whom, empty for nobody's.
    ``seen`` is the number of the owner's last event that was known then."""

    do: str
    seat: str
    seen: int
    data: Mapping[str, Any]


class Elsewhere(BadInput):
    """The owner did not take what this table asked for; the position is what it was."""


def nobody(request: OwnerRequest) -> Ruling | None:
    """Refuse ``request``: the owner is not there."""
    raise HardwareFault(
        say("This game belongs to another table, to which there is no line; it waits.")
    )


class MirrorTable(Table[S]):
    """A game that another table owns. ``ask`` brings a request before the owner and returns its
    ruling, None where nothing was to be ruled on; it raises Elsewhere where the owner refuses,
    StaleState where something else came first, HardwareFault where no answer comes."""

    owned = False
    ask: Callable[[OwnerRequest], Ruling | None] = staticmethod(nobody)

    @classmethod
    def begin(
        cls,
        journal: Journal,
        first: EventRow,
        of: Sequence[Any],
        owner: Mapping[str, Any],
        now: Callable[[], float] | None = None,
        find: Callable[[str], Game[Any]] = find_game,
    ) -> MirrorTable[Any]:
        """Begin to follow the game of which ``first`` is the first event, ``of`` its number and
        digest at the ``owner``'s (``id``, ``epoch``).

        Raises:
            BadInput: this companion does not have the game, or cannot begin it so.
        """
        begun = first.begun
        if begun is None or first.kind != "started":
            raise BadInput("the owner's first event begins no game")
        event = _event(first, first.seq)
        game = find(begun.name)
        header = _header(begun, event.data.get("rules", 1))
        if header.rules != rules_of(game):
            raise BadInput(
                say("The tables play {game} by different versions of its rules.", game=game.title)
            )
        setup = setup_of(game, header)
        table = cls.create(journal, game, setup, header.position, header.to_move, now=now)
        table.note(MIRRORS, {**owner, OF: list(of)}, "referee")
        return table  # type: ignore[return-value]

    @property
    def owner(self) -> Mapping[str, Any]:
        """Return the owner's ``id`` and the ``epoch`` of its line of events."""
        found = next(self.events().newest(MIRRORS), None)
        return {} if found is None else found.data

    @property
    def place(self) -> tuple[int, str]:
        """Return the number and the digest of the last event of the owner's that was followed."""
        for event in self.events().newest(MIRRORS, *TOLD):
            match event.data.get(OF):
                case [int(seq), str(digest)]:
                    return seq, digest
        return 0, ""

    def follow(self, rows: Sequence[tuple[EventRow, Sequence[Any]]]) -> None:
        """Do what the owner tells: its events, each with its number and digest, in one commit.

        Raises:
            BadInput: an event cannot be followed; nothing was.
        """
        with self._acting():
            line = self.line
            steps: list[tuple[Draft, History[S]]] = []
            for row, of in rows:
                event = _event(row, self.state_id + 1 + len(steps))
                line = self._after(line, event)
                data = {**event.data, OF: list(of)}
                draft = Draft(event.actor, event.kind, event.action, event.ruling, data)
                steps.append((draft, line))
            if steps:
                self._commit(*steps)

    def _after(self, line: History[S], event: Event) -> History[S]:
        if event.kind not in TOLD:
            raise BadInput(f"the owner tells of {event.kind}, which is its own")
        if event.kind == "arranged":
            moved = {"position": event.data["position"], "to_move": event.data.get("turn")}
            return History(start_of(self.game, self.setup, self.header._replace(**moved)))
        return next(iter(lines(self.game, self.setup, line, (event,))))

    # -- what is asked of the owner ----------------------------------------------------

    def _request(self, do: str, actor: str, data: Mapping[str, Any], expected: int | None) -> Any:
        with self._guard:
            self.fresh(expected)
            seen = self.place[0]
        seat = actor if actor in self.setup.seats else ""
        return self.ask(OwnerRequest(do, seat, seen, data))

    def _play(
        self,
        actions: Sequence[Action],
        actor: str,
        undoing: int,
        evidence: Mapping[str, bytes] | None,
        expected: int | None,
    ) -> tuple[Ruling, ...]:
        texts = [self.game.format(action) for action in actions]
        if undoing:
            data = {"count": undoing, "actions": texts}
            return (self._request("correct", actor, data, expected),)
        return (self._request("play", actor, {"action": texts[0]}, expected),)

    def undo(self, count: int, actor: str, expected: int | None = None) -> None:
        """Ask the owner to take back; raises as :attr:`ask`, too."""
        self._request("undo", actor, {"count": count}, expected)

    def end(self, outcome: Outcome, by: str, actor: str, expected: int | None = None) -> None:
        """Ask the owner to end the game as the players want it; raises as :attr:`ask`, too."""
        if by == "abort":
            raise Elsewhere(say("The game is broken off by the host of the table that owns it."))
        do = "accepted" if by == "agreement" else "resigned"
        self._request(do, actor, {"seat": actor}, expected)

    def decide(self, why: str, actor: str, **what: Any) -> None:
        """Refuse: the owner's table decides."""
        raise Elsewhere(say("That is decided by the host of the table that owns the game."))

    def arrange(self, position: Mapping[str, str], actor: str, to_move: str | None = None) -> None:
        """Refuse: the owner's table is set up, and this one after it."""
        raise Elsewhere(say("The pieces are set up at the table that owns the game."))

    def note(self, kind: str, data: Mapping[str, Any], actor: str) -> None:
        """Commit what is this table's own; what concerns everybody is asked of the owner."""
        if kind in SETTLED:
            self._request(kind, actor, data, None)
        else:
            super().note(kind, data, actor)

    def tick(self) -> Ruling | None:
        """Do nothing: the owner's clock counts."""
        return None


def resumed(
    journal: Journal,
    game_id: int,
    now: Callable[[], float] | None = None,
    find: Callable[[str], Game[Any]] = find_game,
) -> Table[Any]:
    """Take up ``game_id`` of the journal, as the other table's that it is if one owns it; raises as
    :meth:`Table.resume`."""
    number, _ = game_of(journal, game_id)
    mirrored = any(game == number for game, _ in journal.of_kinds(MIRRORS))
    return (MirrorTable if mirrored else Table).resume(journal, number, now, find)


def _header(begun: GameRow, rules: Any) -> Header:
    """Return with what a game began, from its row.

    Raises:
        BadInput: no companion wrote it.
    """
    try:
        header = header_of((*begun[:5], json_text({"rules": rules})))
    except (TypeError, ValueError):
        raise BadInput("the owner tells of a game that no companion has begun") from None
    return header


def _event(row: EventRow, seq: int) -> Event:
    """Return what ``row`` tells, as event ``seq`` here.

    Raises:
        BadInput: no companion wrote it.
    """
    try:
        return sound_event((seq, row.at, row.actor, row.kind, row.action, row.ruling, row.data, ()))
    except (TypeError, ValueError):
        raise BadInput("the owner tells of an event that no companion has written") from None
