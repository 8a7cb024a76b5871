"""The pieces of a page that are drawn anew when something happens.

Most moves change little of what a piece shows. So what a template asked of the view is noted, and
as long as all of that is the same, so is the piece: no list of dependencies can be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import current_app
from markupsafe import Markup

from web.language import current

PARTS = (
    "turn", "situation", "message", "mine", "ruling", "do", "moves", "legend", "say", "cards",
    "seats", "scores",
)  # fmt: skip
"""The pieces, one template each."""
PERSONAL = ("seats",)
"""Those that tell persons apart; all others know only what a phone may do."""
CLOCKED = "turn"
"""The one in which the clocks are."""
KEPT = 24
"""Drawings kept of a piece in a language: phones of several kinds look at the same."""
CARDS = 4
"""Drawings kept of a scorecard or a board that is called and turned alike."""

MOST = 2000
"""Kinds of pieces and cards kept: those of fifty people in four languages."""

_Path = tuple[str, ...]
_Piece = tuple[tuple[tuple[_Path, Any], ...], str]


class Noting(dict[str, Any]):
    """A view that notes in ``asked`` what is taken out of it. What it says of ``you`` is noted
    one by one: phones that may do the same are told the same."""

    def __init__(
        self, view: Mapping[str, Any], path: _Path = (), asked: dict[_Path, Any] | None = None
    ) -> None:
        super().__init__(view)
        self._path = path
        self.asked: dict[_Path, Any] = {} if asked is None else asked

    def __getitem__(self, name: str) -> Any:
        value, path = super().__getitem__(name), (*self._path, name)
        if path == ("you",):
            return Noting(value, path, self.asked)
        self.asked[path] = value
        return value

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value and note it, or that there is none."""
        if name in self:
            return self[name]
        self.asked[(*self._path, name)] = None
        return default


@dataclass
class Drawn:
    """What was drawn of game number ``game``. Whoever draws an old one while another begins keeps
    it here, not among the drawings of the new one."""

    game: int
    parts: dict[tuple[str, ...], tuple[_Piece, ...]] = field(default_factory=dict)
    cards: dict[tuple[Any, ...], tuple[tuple[Any, Markup], ...]] = field(default_factory=dict)
    boards: dict[tuple[Any, ...], tuple[tuple[Any, Markup], ...]] = field(default_factory=dict)


class Drawings:
    """The pieces, scorecards and boards that were drawn of a game, by what they were drawn from."""

    def __init__(self) -> None:
        self._kept = Drawn(0)

    def parts(self, names: Iterable[str], view: Mapping[str, Any]) -> dict[str, str]:
        """Return the pieces called ``names`` of ``view``, a snapshot."""
        kept = self._drawn(view["game_id"]).parts
        context: dict[str, Any] = {}
        found, language = {}, current()
        for name in names:
            key = (name, language, view["you"]["person"] if name in PERSONAL else "")
            known = kept.get(key, ())
            html = next((html for needs, html in known if _fits(needs, view)), None)
            if html is None:
                if not context:
                    # What templates know of the request is gathered once for all.
                    current_app.update_template_context(context)
                asked = Noting(view)
                template = current_app.jinja_env.get_or_select_template(f"parts/{name}.html")
                html = template.render({**context, "view": asked})
                drawn = (tuple(asked.asked.items()), html)
                kept[key] = (drawn, *known[: KEPT - 1])
            found[name] = html
        return found

    def part(self, name: str, view: Mapping[str, Any]) -> Markup:
        """Return one piece of a page, for a template."""
        return Markup(self.parts((name,), view)[name])

    def card(self, view: Mapping[str, Any], card: Any, mine: bool, open_: bool) -> Markup:
        """Return a seat's scorecard for a template: whether it is ``mine``, and ``open_``."""
        kept = self._drawn(view["game_id"]).cards
        name = next(seat["name"] for seat in view["seats"] if seat["seat"] == card["seat"])
        moving = card["seat"] == view["to_move"]
        key = (current(), card["seat"], name, mine, open_, moving)
        known = kept.get(key, ())
        html = next((html for old, html in known if old == card), None)
        if html is None:
            macros: Any = current_app.jinja_env.get_or_select_template("card.html").module
            html = macros.scorecard(card, name, mine, open_, moving)
            kept[key] = ((card, html), *known[: CARDS - 1])
        return html

    def board(self, game: int, about: str, turn: int, *shown: Any) -> Markup:
        """Return the board of game number ``game``, called ``about``, turned by ``turn`` degrees;
        ``shown`` are position, lights, marks and where each piece may go."""
        kept = self._drawn(game).boards
        key = (current(), about, turn)
        known = kept.get(key, ())
        html = next((html for old, html in known if old == shown), None)
        if html is None:
            macros: Any = current_app.jinja_env.get_or_select_template("board.html").module
            html = macros.draw(about, turn, *shown)
            kept[key] = ((shown, html), *known[: CARDS - 1])
        return html

    def _drawn(self, game: int) -> Drawn:
        """Return what is kept of game number ``game``: of another one all is forgotten, it has
        other pictures. Of a game that goes on, all is forgotten once it is very much: people come,
        go and change their names."""
        kept = self._kept
        if game != kept.game or len(kept.parts) + len(kept.cards) > MOST:
            kept = self._kept = Drawn(game)
        return kept


def _fits(needs: Iterable[tuple[_Path, Any]], view: Mapping[str, Any]) -> bool:
    """Tell whether ``view`` has all that a piece was drawn from."""
    for path, wanted in needs:
        value: Any = view
        for name in path:
            value = value.get(name)
        if value != wanted:
            return False
        # A move and the move back mark the same spots in another order.
        if isinstance(value, dict) and list(value) != list(wanted):
            return False
    return True
