"""Friends look on from elsewhere: a link that the host makes and withdraws, the page behind it."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Flask, Response, render_template, request
from flask.typing import ResponseReturnValue

from companion.referee.broadcast import written_game
from companion.rules import Outcome, notations_of, props_of, say
from companion.table.view import card_json, outcome_json
from web.access.refusal import Refusal
from web.access.request_fields import Body, flag, text, whole
from web.access.seats import Person, only_host
from web.context import Answer, Context
from web.friends import shown
from web.language import current, in_words, rules_in, translator
from web.moments import PastTable, listed, marks
from web.routes.api import post
from web.wording import Entries


def register(app: Flask, context: Context) -> None:
    """Add the routes to ``app``."""

    def friends(body: Body, person: Person) -> Answer:
        only_host(person)
        if "withdraw" in body and flag(body, "withdraw"):
            context.friends.withdraw()
            return {}, None
        count, unit = whole(text(body, "count")) or 0, text(body, "unit")
        delays = (count, 0) if unit == "moves" else (0, 60 * count)
        return {"link": context.friends_address(context.friends.open(*delays))}, None

    post(app, context, "/api/friends", friends)

    @app.get("/watch/<token>")
    def watch(token: str) -> ResponseReturnValue:
        """The game as friends may see it; read only."""
        return render_template(
            "watch.html", token=token, view=_told(context, _last(context, token))
        )

    @app.get("/api/watch/<token>")
    def watched(token: str) -> ResponseReturnValue:
        """The same for the page that is open, with the parts that change; no more than the number
        of the last event where it has ``seen`` that one."""
        seq = _last(context, token)
        if request.args.get("seen") == str(seq):
            return {"ok": True, "seq": seq, "game_id": context.shown.game_id}
        view = _told(context, seq)
        parts = {
            name: render_template(f"parts/{name}.html", view=view)
            for name in ("turn", "scores", "props")
        }
        parts["moves"] = render_template(
            "movelist.html", view=view, moves=view["moves"], plain=True
        )
        told = {name: view[name] for name in ("ok", "seq", "game_id", "position", "marks")}
        return {**told, "html": parts}

    _broadcasting(app, context)


def _broadcasting(app: Flask, context: Context) -> None:
    @app.get("/watch/<token>/game.<notation>")
    def broadcast(token: str, notation: str) -> ResponseReturnValue:
        """The game as broadcasts pull it by its address: as friends may see it, in a notation that
        other programs read."""
        told, outcome = _past(context, _last(context, token))
        if notation not in notations_of(told.game):
            raise Refusal(404, "not_found", say("a game is not written down in this way"))
        names = {seat: context.door.people.name_of(seat) for seat in told.setup.seats}
        events = told.events()
        day = date.fromtimestamp(events[0].at).isoformat()
        tags = {**names, "date": day}
        text = written_game(notation, told.game, told.setup, told.line, events, tags, outcome)
        return Response(text, mimetype=f"application/x-{told.game.name}-{notation}")


def _past(context: Context, seq: int) -> tuple[PastTable, Outcome | None]:
    """Return the game that is shown as it stood after the event ``seq``, and how it had ended by
    then."""
    table = context.shown
    events = table.events().until(seq)
    past = PastTable(table.game_id, table.game, table.setup, table.line_at(seq), events)
    over = seq == table.state_id
    return past, table.outcome if over else table.game.outcome(past.line.state)


def _last(context: Context, token: str) -> int:
    """Return the number of the last event that friends with the link ``token`` see now."""
    return shown(context.shown, context.friends.check(token), context.evening.clock())


def _told(context: Context, seq: int) -> dict[str, Any]:
    """Return what friends are told after the event ``seq``: nothing of it is hidden from anybody
    at the table."""
    table = context.shown
    past, outcome = _past(context, seq)
    events, game, state = past.events(), past.game, past.line.state
    entries = Entries(past, rules_in(game, current()))
    names = context.door.people.name_of
    moves = listed(past, entries)["moves"]
    told = {
        "ok": True,
        "seq": seq,
        "game_id": table.game_id,
        "to_move": game.to_move(state),
        "outcome": outcome and outcome_json(outcome),
        "position": dict(game.expect(state)),
        "marks": marks(past, events[-1]),
        "props": [prop._asdict() for prop in props_of(game, state)],
        "scorecards": [card_json(card) for card in game.scorecards(state)],
        "seats": [{"seat": seat, "name": names(seat)} for seat in table.setup.seats],
        "you": {"seats": [], "joined": False, "host": False},
        "moves": moves,
        "recent": [one for one in moves[-1:] if one["kind"] == "action"],
        **dict.fromkeys(("clock", "notices", "paused"), ()),
    }
    words: dict[str, Any] = in_words(told, translator(current()))
    return words
