"""The page on which owners enter the numbers of their cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules import BadInput, Blank, Game, OwnCards, say, tell
from web.access.refusal import Refusal
from web.access.request_fields import Body, text, unfit, word
from web.access.seats import Person, joined
from web.context import Answer, Context
from web.entering import words_of
from web.language import current, translator
from web.ports import Owned
from web.routes.api import post
from web.routes.playing import seated


def register(app: Flask, context: Context, own: Owned) -> None:
    """Add the page and its requests to ``app``."""

    def enter(body: Body, person: Person) -> Answer:
        seated(person)
        game = _game(context)
        fields = body.get("card")
        if not isinstance(fields, Mapping) or len(fields) > 40:
            raise unfit("card")
        blanks = {blank.name: blank.number for blank in _blanks_of(game)}
        own.enter(game.name, words_of(fields, blanks), word(body, "instead"))
        return {"cards": len(own.cards(game.name))}, None

    def forget(body: Body, person: Person) -> Answer:
        seated(person)
        own.forget(_game(context).name, text(body, "name"))
        return {}, None

    post(app, context, "/api/cards", enter)
    post(app, context, "/api/cards/forget", forget)

    @app.get("/cards")
    def cards() -> ResponseReturnValue:
        """The cards that were entered, and a form for one more."""
        person = context.person()
        joined(person)
        view, game, trouble = context.snapshot(), _game(context), ""
        try:
            known = own.cards(game.name)
        except BadInput as error:
            known, trouble = (), tell(error.sentence, translator(current()))
        name = request.args.get("card", "")
        return render_template(
            "cards.html",
            view=view,
            cards=known,
            trouble=trouble,
            chosen=next((card for card in known if card["name"] == name), {}),
            blanks=_blanks(context),
        )


def _game(context: Context) -> Game[Any]:
    """Return the present game.

    Raises:
        Refusal: nobody enters anything of its cards.
    """
    _blanks_of(context.table.game)
    return context.table.game


def _blanks_of(game: Game[Any]) -> tuple[Blank, ...]:
    if not isinstance(game, OwnCards):
        raise Refusal(404, "no_cards", say("nothing has to be entered for this game"))
    return game.blanks()


def _blanks(context: Context) -> list[dict[str, Any]]:
    translate = translator(current())
    return [
        {
            "name": blank.name,
            "about": tell(blank.about, translate),
            "number": blank.number,
            "choices": list(blank.choices),
            "kinds": list(blank.kinds),
        }
        for blank in _blanks_of(context.table.game)
    ]
