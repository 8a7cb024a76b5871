"""The parts of a page that are drawn anew when something happens.

Most moves change little of what a part shows. So the values that a template asks of the view are
noted, and as long as they are the same the part is not drawn again. No list of dependencies has to
be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from flask import current_app
from markupsafe import Markup

from web.language import current

PARTS = (
    "turn", "props", "breaches", "situation", "message", "mine", "ruling", "hand", "do", "moves",
    "legend", "say", "cards", "seats", "scores", "texts", "again", "lost", "more",
)  # fmt: skip
"""The names of the parts; each has a template."""
PERSONAL = ("seats", "lost")
"""The parts that differ from person to person; all others only depend on what a phone may do."""
VIEW = ("scores",)
"""The parts that only the table's view has, the one page that nobody holds in his hand: no phone is
told of them, and they are drawn for that page alone."""
CARDS = 4
"""Drawings kept for each name, such as a board turned by some degrees, or a seat's scorecard."""
MOST = 2000
"""Names for which drawings are kept: those of fifty people in four languages."""

_Path = tuple[str, ...]


class Noting(dict[str, Any]):
    """A view that notes in ``asked`` every value that is taken out of it. Values of ``you`` are
    noted one by one, so that phones which may do the same share a part."""

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


class PagePart(NamedTuple):
    """A piece of a page: its ``html``, and what its template ``asked`` of the view."""

    html: str
    asked: Mapping[_Path, Any]

    def fits(self, view: Mapping[str, Any]) -> bool:
        """Tell whether ``view`` has all that the piece was drawn from."""
        for path, wanted in self.asked.items():
            value: Any = view
            for name in path:
                value = value.get(name)
            if value != wanted:
                return False
            # A move and the move back mark the same spots in another order.
            if isinstance(value, dict) and list(value) != list(wanted):
                return False
        return True


def draw(
    names: Iterable[str], view: Mapping[str, Any], before: Mapping[str, PagePart]
) -> dict[str, PagePart]:
    """Return the pieces called ``names`` of ``view``, in the language of the request; those of
    ``before`` that still fit stay."""
    context: dict[str, Any] = {}
    found = {}
    for name in names:
        if (known := before.get(name)) is not None and known.fits(view):
            found[name] = known
            continue
        if not context:
            # What templates know of the request is gathered once for all.
            current_app.update_template_context(context)
        noting = Noting(view)
        template = current_app.jinja_env.get_or_select_template(f"parts/{name}.html")
        found[name] = PagePart(template.render({**context, "view": noting}), noting.asked)
    return found


class Drawings:
    """Boards and the contents of scorecards, which take longest to draw and mostly stay the same
    after a move. All of them are forgotten when another game begins."""

    def __init__(self) -> None:
        self._kept: tuple[int, dict[tuple[Any, ...], tuple[tuple[Any, Markup], ...]]] = (0, {})

    def card(self, view: Mapping[str, Any], card: Any, mine: bool, open_: bool) -> Markup:
        """Return a seat's scorecard for a template: whether it is ``mine``, and ``open_``."""
        name = next(seat["name"] for seat in view["seats"] if seat["seat"] == card["seat"])
        moving = card["seat"] == view["to_move"]
        own = (view.get("own_fields") or {}).get(card["seat"], []) if mine else []
        shown = [*own, *card["fields"]]
        fields = self._drawn(view["game_id"], "card.html", "fields", card["seat"], shown)
        held = "" if mine else self.held(view, card)
        shown_of = (card, name, mine, open_, moving, fields, held)
        return self._drawn(view["game_id"], "card.html", "scorecard", card["seat"], *shown_of)

    def held(self, view: Mapping[str, Any], card: Any) -> Markup:
        """Return for a template the pictures of all tokens on a seat's scorecard."""
        tokens = [token for field in card["fields"] for token in field["tokens"]]
        return self._drawn(view["game_id"], "card.html", "held", card["seat"], tokens)

    def board(self, game: int, about: str, turn: int, *shown: Any) -> Markup:
        """Return the board of game number ``game``, called ``about``, turned by ``turn`` degrees;
        ``shown`` are position, lights, marks and where each piece may go."""
        return self._drawn(game, "board.html", "draw", (about, turn), about, turn, *shown)

    def _drawn(self, game: int, template: str, macro: str, key: Any, *shown: Any) -> Markup:
        """Return what ``macro`` of ``template`` draws of ``shown`` in game number ``game``. Of a
        game that goes on, all is forgotten once it is very much: people come and go."""
        number, drawings = self._kept
        if number != game or len(drawings) > MOST:
            # Whoever draws an old game while another begins keeps it to himself.
            drawings = {}
            self._kept = (game, drawings)
        name = (current(), macro, key)
        known = drawings.get(name, ())
        html = next((html for old, html in known if old == shown), None)
        if html is None:
            macros: Any = current_app.jinja_env.get_or_select_template(template).module
            html = Markup(getattr(macros, macro)(*shown))
            drawings[name] = ((shown, html), *known[: CARDS - 1])
        return html
