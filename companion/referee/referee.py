"""The referee: rules on any action in any position, and lists the actions of a whole game that were
not allowed. Also writes records of games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple

from companion.games import find_game, games
from companion.journal import Event, Header, Journal
from companion.rules import (
    Action,
    BadInput,
    Game,
    Outcome,
    Record,
    Ruling,
    S,
    Setup,
    breaches_of,
    read_foreign,
    read_record,
    write_record,
)
from companion.rules.unknown import ODD
from companion.runtime.files import MOST_TEXT, open_file, read_bytes
from companion.table import Table
from companion.table.history import (
    RULED,
    History,
    decided,
    game_of,
    opened,
    replayed,
    setup_of,
    start_of,
)

FindGame = Callable[[str], Game[Any]]
_SQLITE = b"SQLite format 3\0"


class Verdict(NamedTuple):
    """A ruling with the rule as the players read it. ``seat`` was to move, None after the end."""

    action: str
    seat: str | None
    ruling: Ruling
    title: str
    text: str

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as flat JSON values."""
        return {
            "action": self.action,
            "seat": self.seat,
            **self.ruling._asdict(),
            "spots": list(self.ruling.spots),
            "title": self.title,
            "text": self.text,
        }


class Irregularity(NamedTuple):
    """An action of a game that was not allowed; ``where`` is ``line 7`` of a record or ``event 12``
    of a journal."""

    where: str
    verdict: Verdict


class Audit(NamedTuple):
    """What the referee found in a whole game: the number of actions ``played`` that were allowed,
    and as ``findings`` those that were not.

    The last findings are actions that were allowed when they were played, until hidden things were
    shown that prove them wrong. ``spoilt`` are photographs of a journal that are not those that
    were taken, such as ``event 12, after``. ``called`` tells who played, where another program
    wrote the game.
    """

    game: str
    seats: tuple[str, ...]
    played: int
    findings: tuple[Irregularity, ...]
    outcome: Outcome | None
    spoilt: tuple[str, ...] = ()
    called: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the audit as JSON values."""
        outcome = self.outcome
        return {
            "game": self.game,
            "called": self.called,
            "seats": list(self.seats),
            "played": self.played,
            "findings": [{"where": f.where, **f.verdict.as_json()} for f in self.findings],
            "spoilt": list(self.spoilt),
            "outcome": outcome
            and {
                "winners": list(outcome.winners),
                "rule": outcome.rule,
                "reason": outcome.reason,
            },
        }


class _Step(NamedTuple):
    """One line of a record or event of a journal, as the audit replays it."""

    where: str
    kind: str
    action: str | None = None
    undone: int = 0
    ruling: Ruling | None = None
    event: Event | None = None


class _Replay(Generic[S]):
    """A game played again, however much of it does not stand."""

    def __init__(self, game: Game[S], setup: Setup, start: S) -> None:
        self._game, self._setup = game, setup
        # One state for each action that is not taken back; an action that did not stand
        # repeats the state before it, so that a take-back finds its place.
        self._past, self._stood, self._where = [start], [True], [""]
        self.findings: list[Irregularity] = []

    @property
    def state(self) -> S:
        return self._past[-1]

    @property
    def played(self) -> int:
        return sum(self._stood) - 1

    def take(self, step: _Step) -> None:
        """Follow ``step``; an action that does not stand becomes a finding."""
        if step.kind in ("undone", "corrected"):
            keep = max(1, len(self._past) - step.undone)
            del self._past[keep:], self._stood[keep:], self._where[keep:]
        elif step.event is not None and step.kind == "ruled":
            self._past.append(decided(self._game, self._setup, self.state, step.event))
            self._stood.append(True)
            self._where.append(step.where)
        elif step.action is not None and step.kind in ("action", "refused"):
            self._rule(step, step.action)

    def _rule(self, step: _Step, text: str) -> None:
        try:
            action = self._game.parse(self._setup, text)
        except BadInput as error:
            raise BadInput(f"{step.where}: {error}") from error
        ruling = step.ruling or self._game.judge(self.state, action)
        if not ruling.allowed:
            self.findings.append(
                Irregularity(step.where, verdict(self._game, self.state, action, ruling))
            )
        if step.kind == "action":
            after = self._game.advance(self.state, action) if ruling.allowed else self.state
            self._past.append(after)
            self._stood.append(ruling.allowed)
            self._where.append(step.where)

    def breaches(self) -> Iterator[Irregularity]:
        """Yield the actions that stood and are proved to have broken a rule by what was shown
        after them, in the order of play."""
        standing = [at for at, stood in enumerate(self._stood) if stood]
        found = {b.ply: b for state in self._past for b in breaches_of(self._game, state)}
        for ply, breach in sorted(found.items()):
            at = standing[ply + 1]
            before = self._past[at - 1]
            yield Irregularity(
                self._where[at], verdict(self._game, before, breach.action, breach.ruling)
            )


def verdict(game: Game[S], state: S, action: Action, ruling: Ruling | None = None) -> Verdict:
    """Return the ruling on ``action`` in ``state`` with the text of its rule."""
    ruling = ruling or game.judge(state, action)
    rule = game.rules.get(ruling.rule)
    title, text = (rule.title, rule.text) if rule else ("", "")
    return Verdict(game.format(action), game.to_move(state), ruling, title, text)


def why(table: Table[S], action: Action, at_seq: int | None = None) -> Verdict:
    """Return what the rules say of ``action`` now, or as the table stood after event ``at_seq``.

    Raises:
        BadInput: the table's game has no event that early.
    """
    state = table.state if at_seq is None else table.line_at(at_seq).state
    return verdict(table.game, state, action)


def what_if(game: Game[S], state: S, actions: Iterable[Action]) -> Iterator[tuple[Verdict, S]]:
    """Yield a verdict on each action in turn and the state after it. A refused one is not played:
    the next is judged in the same position."""
    for action in actions:
        found = verdict(game, state, action)
        if found.ruling.allowed:
            state = game.advance(state, action)
        yield found, state


def audit(path: str | Path, find: FindGame = find_game) -> Audit:
    """Replay the record or journal in the file ``path``; of several games the last.

    Raises:
        BadInput: as :func:`audits`.
    """
    return audits(path, find)[-1]


def audits(path: str | Path, find: FindGame = find_game) -> list[Audit]:
    """Replay the record in the file ``path``, all games that another program wrote there, or the
    last one of the journal.

    Raises:
        BadInput: the file cannot be read, or something in it is no action of the game.
    """
    try:
        with open_file(Path(path)) as file:
            is_journal = file.read(len(_SQLITE)) == _SQLITE
        if is_journal:
            with Journal.read(path) as journal:
                return [audit_journal(journal, None, find)]
        data = read_bytes(Path(path), MOST_TEXT)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    return [audit_record(one, find) for one in _written(data, str(path))]


def _written(data: bytes, path: str) -> Sequence[Record]:
    """Return the games that a text tells: as a companion writes them, else as other programs do,
    of which the older ones write a letter a byte.

    Raises:
        BadInput: none, or something in them is wrong.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text, fault = data.decode("latin-1"), BadInput(f"{path} is neither a record nor a journal")
    else:
        try:
            return [read_record(text)]
        except BadInput as error:
            fault = error
    found = read_foreign(text, map(find_game, games()))
    if not found:
        raise fault
    return found


def audit_record(record: Record, find: FindGame = find_game) -> Audit:
    """Replay ``record`` and list the actions that are not allowed; those are not played.

    Raises:
        BadInput: unknown game, seat or option, or a line that is no action of the game.
    """
    header = Header(
        record.game, record.seats, record.options, record.position, record.to_move, record.rules
    )
    numbers = record.lines or range(1, len(record.actions) + 1)
    lines = zip(numbers, record.actions, strict=True)
    found = _audit(header, [_Step(f"line {n}", "action", text) for n, text in lines], find)
    return found._replace(called=record.called)


def audit_journal(
    journal: Journal, game_id: int | None = None, find: FindGame = find_game
) -> Audit:
    """Replay game ``game_id`` of ``journal``, its last game for None, and list the actions that are
    not allowed.

    Refused actions are listed with the ruling that the players were given; accepted ones are judged
    again by the present rules.

    Raises:
        BadInput: the journal holds no such game.
    """
    game_id, header = game_of(journal, game_id)
    events = journal.events(game_id)
    found = _audit(opened(header, events), [_step(event) for event in events], find)
    spoilt = (f"event {seq}, {moment}" for seq, moment in journal.spoilt(game_id))
    return found._replace(spoilt=tuple(spoilt))


def _step(event: Event) -> _Step:
    count = int(event.data.get("count", 0)) if event.kind in ("undone", "corrected") else 0
    told = event.ruling if event.kind == "refused" else None
    return _Step(f"event {event.seq}", event.kind, event.action, count, told, event)


def _audit(header: Header, steps: Sequence[_Step], find: FindGame) -> Audit:
    game = find(header.name)
    setup = setup_of(game, header)
    replay = _Replay(game, setup, start_of(game, setup, header))
    for step in steps:
        try:
            replay.take(step)
        except BadInput:
            raise
        except ODD as error:
            raise BadInput(
                f"{step.where} cannot be followed: it is not as a companion writes it"
            ) from error
    outcome = game.outcome(replay.state)
    findings = (*replay.findings, *replay.breaches())
    return Audit(game.name, setup.seats, replay.played, findings, outcome)


def export_record(
    journal: Journal,
    game_id: int | None = None,
    find: FindGame = find_game,
    told: Sequence[str] = (),
) -> str:
    """Return the record of game ``game_id`` of ``journal``, of its last game for None: the actions
    that stand, without those taken back, and beside each what is ``told`` of it. After a decision
    of the table the record begins from the position decided on, and earlier actions are told in
    remarks.

    Raises:
        BadInput: the journal holds no such game, or an action in it no longer stands.
    """
    game_id, header = game_of(journal, game_id)
    game = find(header.name)
    setup = setup_of(game, header)
    events = journal.events(game_id)
    header = opened(header, events)
    line = replayed(game, setup, History(start_of(game, setup, header)), events)
    if RULED not in line.actions:
        return write_record(game, setup, line.actions, header.position, header.to_move, told)
    last = len(line.actions) - line.actions[::-1].index(RULED)
    state, before = line.past[last], line.actions[:last]
    position = dict(game.expect(state))
    text = write_record(
        game, setup, line.actions[last:], position, game.to_move(state), told[last:]
    )
    remarks = [f"# {game.format(action)}" for action in before]
    return "\n".join(["# Before a decision of the table:", *remarks, text])
