"""The lines of a table to the world outside, as far as its owner has set any: a server on which
games are played, programs that are told what happens, a broadcast. Else nothing is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from companion.journal import Event
from companion.machine.settings_file import Section, SettingsFile
from companion.table import Table
from companion.table.evening import Evening

if TYPE_CHECKING:
    from companion.live.online import OnlinePlayer
    from companion.live.pushing import Pusher
    from companion.live.webhooks import Webhooks


class Outward:
    """The lines of ``evening`` that the settings in ``file`` name. ``wait`` lets seconds pass,
    ``changed`` is called when there is something to tell, ``draw`` gives the board of a game as
    SVG.

    Raises:
        BadInput: an address or a secret in the settings is none.
    """

    def __init__(
        self,
        evening: Evening,
        file: SettingsFile,
        clock: Callable[[], float],
        wait: Callable[[float], object],
        changed: Callable[[], None],
        draw: Callable[[int], str],
    ) -> None:
        self.online: OnlinePlayer | None = None
        self.hooks: Webhooks | None = None
        self.pusher: Pusher | None = None
        self._draw = draw
        if (settings := Section(file, "online").load()).get("token"):
            from companion.live.lichess import SERVER, Lichess
            from companion.live.online import OnlinePlayer

            line = Lichess(settings.get("server") or SERVER, settings["token"])
            self.online = OnlinePlayer(evening, line, clock, wait, changed)
        if (settings := Section(file, "hooks").load()).get("addresses"):
            from companion.live.webhooks import Webhooks

            secret = str(settings.get("secret", ""))
            self.hooks = Webhooks(evening, settings["addresses"], secret, self._picture, clock)

        if (settings := Section(file, "broadcast").load()).get("address"):
            from companion.live.pushing import Pusher

            token = str(settings.get("token", ""))
            self.pusher = Pusher(evening, settings["address"], token, clock)

    def _picture(self, table: Table[Any], event: Event) -> tuple[str, bytes]:
        """Return the photograph of what was done where one is kept, else the board."""
        kept = table.journal.shown(table.game_id, event.seq) if event.photographs else {}
        if "after" in kept:
            return "image/jpeg", kept["after"]
        return "image/svg+xml", self._draw(table.game_id).encode()

    def parts(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        """Yield the parts that have a thread of their own, by their names."""
        if self.online is not None:
            yield "online", self.online.step
            yield "server", self.online.hear
        if self.hooks is not None:
            yield "hooks", self.hooks.step
        if self.pusher is not None:
            yield "broadcast", self.pusher.step

    def close(self) -> None:
        """End all lines."""
        for line in (self.online, self.hooks, self.pusher):
            if line is not None:
                line.close()
