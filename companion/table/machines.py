"""Seats that machines play, as the journal knows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.unknown import unknown_seat
from companion.table.table import Table

MACHINES = "machines"
"""The kind of event that says which seats machines play: ``seats``, a player's name for each."""
ONLINE = "online"
"""The name of the player on a server, and the kind of event that says which game there (``game``)
is played at this table, and which ``seat`` is the table's own."""
PERSON = "person"
"""What stands in the place of a player's name where a person takes the seat back."""


def machines_of(table: Table[Any]) -> Mapping[str, str]:
    """Return the name of the player for each seat that a machine plays."""
    newest = next(table.events().newest(MACHINES), None)
    return {} if newest is None else dict(newest.data["seats"])


def give(table: Table[Any], seats: Mapping[str, str], actor: str) -> None:
    """Let players play ``seats`` from now on, :data:`PERSON` for nobody but people; ``actor`` is
    who says so.

    Raises:
        BadInput: there is no such seat or player.
        HardwareFault: the journal cannot be written.
    """
    if not seats:
        return
    # What plays is loaded when somebody wants a machine to play.
    from companion.players.named import check_name

    for seat, name in seats.items():
        if seat not in table.setup.seats:
            raise unknown_seat(seat, table.game.title, table.setup.seats)
        if name not in (PERSON, ONLINE):
            check_name(table.game, name)
    before = machines_of(table)
    now = {seat: name for seat, name in {**before, **seats}.items() if name != PERSON}
    if now != before:
        table.note(MACHINES, {"seats": now}, actor)
