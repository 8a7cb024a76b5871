"""Past games: their results, who played them, and statistics of the players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.journal import Event, Header, Journal
from companion.table.people import KINDS, People, follow

ENDED, GOES_ON = "ended", ("reopened", "undone", "corrected", "ruled")
"""The kind of event that ends a game, and those after which one that was over is not. There may be
very many of them, and only the last one of a game tells something of its result."""


@dataclass
class PastGame:
    """A game of the journal. ``players``: seat -> name; ``outcome`` is the data of its end, None
    while it goes on; ``begun`` and ``over`` in seconds since 1970."""

    number: int
    header: Header
    begun: float
    players: dict[str, str] = field(default_factory=dict)
    over: float | None = None
    outcome: Mapping[str, Any] | None = None
    actions: int = 0

    @property
    def aborted(self) -> bool:
        """Tell whether the players broke the game off."""
        return self.outcome is not None and self.outcome.get("by") == "abort"


@dataclass
class PlayerStanding:
    """The results of one player: games, wins and so on; ``games`` counts them by the games'
    names."""

    name: str
    played: int = 0
    won: int = 0
    drawn: int = 0
    games: dict[str, int] = field(default_factory=dict)


def past_games(journal: Journal) -> Sequence[PastGame]:
    """Return all games of ``journal``, the newest first."""
    headers, lengths = journal.games(), journal.lengths()
    games: dict[int, PastGame] = {}
    people = People()
    told = [*journal.of_kinds(*KINDS, ENDED), *journal.last_of_kinds(*GOES_ON)]
    for number, event in sorted(told, key=lambda one: one[1].seq):
        header = headers[number]
        follow(people, event, header)
        game = games.get(number)
        if game is None:
            game = PastGame(number, header, event.at, actions=lengths.get(number, 0))
            games[number] = game
        _follow(game, event, people)
    return [games[number] for number in sorted(games, reverse=True)]


def _follow(game: PastGame, event: Event, people: People) -> None:
    if event.kind == ENDED:
        game.over, game.outcome = event.at, dict(event.data)
    elif event.kind in GOES_ON:
        game.over = game.outcome = None
    if game.outcome is None or event.kind == ENDED:
        # Who sits there when it ends has played it.
        names = {seat: people.name_of(seat) for seat in game.header.seats}
        game.players = {seat: name for seat, name in names.items() if name}


def standings(games: Iterable[PastGame]) -> Sequence[PlayerStanding]:
    """Return the results of every named player in the finished games, the most wins first.

    Names that differ only in capitals belong to the same player.
    """
    found: dict[str, PlayerStanding] = {}
    for game in games:
        if game.outcome is None or game.aborted:
            continue
        winners = game.outcome["winners"]
        for seat, name in game.players.items():
            standing = found.setdefault(name.casefold(), PlayerStanding(name))
            standing.played += 1
            standing.won += seat in winners
            standing.drawn += not winners
            title = game.header.name
            standing.games[title] = standing.games.get(title, 0) + 1
    return sorted(found.values(), key=lambda s: (-s.won, -s.drawn, s.played, s.name.casefold()))
