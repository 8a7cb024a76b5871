"""Past games: results and statistics, a look at any of them, and what can be taken away."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from flask import Flask, Response, render_template, request
from flask.typing import ResponseReturnValue

from companion.journal import Journal
from companion.referee.broadcast import written_game
from companion.referee.export import Followed, ScoreSheet, follow, scores_csv
from companion.referee.game_on_paper import Review, game_pdf, numbered, scores_pdf
from companion.referee.play_file import play_file
from companion.rules import (
    Action,
    BadInput,
    Evaluation,
    Exports,
    Game,
    GameFault,
    Outcome,
    notations_of,
    props_of,
    read_record,
    say,
    tell,
    whole_number,
)
from companion.table.history import (
    RULED,
    History,
    game_of,
    naming,
    opened,
    replayed,
    setup_of,
    start_of,
)
from companion.table.past_games import PastGame, past_games, standings
from companion.table.view import card_json, outcome_json
from web import drawing
from web.access.refusal import Refusal
from web.access.request_fields import whole
from web.access.seats import joined
from web.context import Context
from web.keepsake import keepsake
from web.language import current, in_words, rules_in, translator
from web.moments import PastTable, listed
from web.timelapse import Timelapses, kinds, stills
from web.wording import Entries, named, phrase

IMPORTED = 1_000_000
"""Games with this number or a greater one are records of games that were played elsewhere."""
_KINDS = {
    "json": "application/json",
    "csv": "text/csv",
    "pdf": "application/pdf",
    "mp4": "video/mp4",
    "webp": "image/webp",
}


class Shown(NamedTuple):
    """A game to look at: where it led, who played it, how the players ended it; ``told`` is None
    where only its actions are known, ``texts`` are the words found for its events so far."""

    number: int
    title: str
    followed: Followed
    players: Mapping[str, str]
    begun: float
    outcome: Mapping[str, Any] | None = None
    imported: bool = False
    told: PastTable | None = None
    over: float | None = None
    texts: dict[Any, str] | None = None


def register(app: Flask, context: Context) -> None:
    """Add the pages and routes to ``app``."""
    _looking(app, context)
    _taking(app, context)
    _evenings(app, context)


def _looking(app: Flask, context: Context) -> None:
    @app.get("/api/games")
    def all_games() -> ResponseReturnValue:
        """Past games and what every player has to show."""
        joined(context.person())
        return {"ok": True, **results(context)}

    @app.get("/games")
    def games_page() -> ResponseReturnValue:
        """The same, as a page."""
        person = context.person()
        joined(person)
        return render_template("games.html", view=context.snapshot(), **results(context))

    @app.get("/api/games/<int:number>")
    def one_game(number: int) -> ResponseReturnValue:
        """A past game after any of its actions."""
        joined(context.person())
        return {"ok": True, **past(found(context, number), whole(request.args.get("at")))}

    @app.get("/games/<int:number>")
    def game_page(number: int) -> ResponseReturnValue:
        """The same, as a page."""
        joined(context.person())
        told, picture, _ = still(context, number)
        shown = {"past": told, "picture": picture, "film": kinds()[0]}
        return render_template("past.html", view=context.snapshot(), **shown)

    @app.get("/games/<int:number>/moment.svg")
    def moment(number: int) -> ResponseReturnValue:
        """The same as a picture to keep, with what was played, by whom and when."""
        joined(context.person())
        return Response(keepsake(*still(context, number)), mimetype="image/svg+xml")


def _evenings(app: Flask, context: Context) -> None:
    made = Timelapses()

    @app.get("/games/<int:number>/evening.<kind>")
    def evening(number: int, kind: str) -> ResponseReturnValue:
        """The photographs of the game as a moving picture, its rulings beneath them."""
        joined(context.person())
        if kind not in kinds():
            raise Refusal(404, "not_found", say("a game is not written down in this way"))
        shown = found(context, number)
        told = past(shown, None)
        picture = made.of(stills(context.evening.journal, told), kind)
        if not picture:
            raise Refusal(404, "not_found", say("no photographs of this game are kept"))
        return taken(picture, f"{shown.followed.game.name}-{number}.{kind}")


def still(context: Context, number: int) -> tuple[dict[str, Any], drawing.Picture, str]:
    """Return the past game that the request asks for after one of its actions, with the pictures of
    its tokens; its board; the day on which it began."""
    shown = found(context, number)
    return *pictured(shown, whole(request.args.get("at"))), sheet(shown).day


def pictured(
    shown: Shown, at: int | None, most: int | None = None
) -> tuple[dict[str, Any], drawing.Picture]:
    """Return a game as :func:`past` does, with the pictures of its tokens as ``symbols``; and its
    board."""
    return _drawn(past(shown, at, most), shown.followed)


def still_of(
    followed: Followed, state: Any, action: Action
) -> tuple[dict[str, Any], drawing.Picture]:
    """Return how the board stands in ``state``, to which ``action`` has led, for the template
    ``still.html``: ``position``, ``props``, ``marks`` and ``symbols``; and its picture."""
    told = {**_lying(followed.game, state), "marks": _marks(action)}
    return _drawn(in_words(told, translator(current())), followed)


def _lying(game: Game[Any], state: Any) -> dict[str, Any]:
    props = [prop._asdict() for prop in props_of(game, state)]
    return {"position": dict(game.expect(state)), "props": props}


def _drawn(told: dict[str, Any], followed: Followed) -> tuple[dict[str, Any], drawing.Picture]:
    picture, symbol = drawing.kept(followed.game, followed.setup)
    tokens = {*told["position"].values(), *(prop["token"] for prop in told["props"])} - {""}
    return {**told, "symbols": {token: symbol(token) for token in sorted(tokens)}}, picture


def _taking(app: Flask, context: Context) -> None:
    @app.get("/export/<int:number>/<name>")
    def export(number: int, name: str) -> ResponseReturnValue:
        """A game to take away."""
        joined(context.person())
        shown = found(context, number)
        if name not in exports(shown.followed.game):
            raise Refusal(404, "not_found", say("a game is not written down in this way"))
        if shown.imported and name == "record.txt":
            made: str | bytes = context.evening.journal.records()[shown.number - IMPORTED][2]
        else:
            made = written(shown, name, context.evening.journal, context.evening.game)
        return taken(made, f"{shown.followed.game.name}-{number}.{name.rpartition('.')[2]}")


def taken(made: str | bytes, name: str) -> Response:
    """Return what was ``made`` as a file to keep, called ``name``."""
    kind = _KINDS.get(name.rpartition(".")[2], "text/plain")
    answer = Response(made, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def written(
    shown: Shown, name: str, journal: Journal, find: Callable[[str], Game[Any]]
) -> str | bytes:
    """Return a game of ``journal`` as the file that is called ``name``, one of its
    :func:`exports`; ``find`` gives the game of a name."""
    translate = translator(current())
    makers: dict[str, Callable[[], str | bytes]] = {
        "record.txt": lambda: _record(shown, journal, find),
        "scorecards.csv": lambda: scores_csv(sheet(shown), translate),
        "scorecards.pdf": lambda: scores_pdf(sheet(shown), translate),
        "game.pdf": lambda: on_paper(shown),
    }
    makers["play.json"] = lambda: json.dumps(
        play_file(sheet(shown), shown.number, translate, shown.over), ensure_ascii=False, indent=1
    )
    return makers[name]() if name in makers else _notated(shown, name.rpartition(".")[2])


def on_paper(shown: Shown, review: Review | None = None) -> bytes:
    """Return the whole game as PDF, with a machine's ``review`` if there is one."""
    translate = translator(current())
    return game_pdf(sheet(shown), shown.followed, _notation(shown), translate, review)


def exports(game: Game[Any]) -> list[str]:
    """Return the kinds of files as which a game can be downloaded."""
    written = [f"game.{notation}" for notation in notations_of(game)]
    return ["record.txt", "scorecards.csv", "scorecards.pdf", "game.pdf", "play.json", *written]


def _record(shown: Shown, journal: Journal, find: Callable[[str], Game[Any]]) -> str:
    from companion.referee import export_record

    translate = translator(current())
    played = [one["text"] for one in moves_of(shown) if one["number"]] if shown.told else []
    told = [tell(text, translate) for text in played]
    record = export_record(journal, shown.number, find, told)
    seats = [f"# {tell(named(seat), translate)}: {name}" for seat, name in shown.players.items()]
    head = f"# {tell(shown.title, translate)}, {sheet(shown).day}"
    return "\n".join([head, *seats, record])


def _notated(shown: Shown, notation: str) -> str:
    told, tags = shown.told, {**shown.players, "date": sheet(shown).day}
    if told is not None:
        outcome = sheet(shown).outcome
        return written_game(
            notation, told.game, told.setup, told.line, told.events(), tags, outcome
        )
    game = shown.followed.game
    assert isinstance(game, Exports)
    return game.notate(notation, shown.followed.states[0], shown.followed.actions, tags)


def _notation(shown: Shown) -> list[str]:
    """Return the actions in the game's own notation; numbered in the companion's if it has none,
    or the position was changed by hand in between."""
    game, actions = shown.followed.game, shown.followed.actions
    if not isinstance(game, Exports) or RULED in actions:
        return numbered(shown.followed)
    return game.notate(game.notations[0], shown.followed.states[0], actions, {}).splitlines()


def sheet(shown: Shown) -> ScoreSheet:
    """Return the score sheet of a game."""
    game, state = shown.followed.game, shown.followed.states[-1]
    outcome = game.outcome(state)
    if shown.outcome is not None:
        told = shown.outcome
        outcome = Outcome(tuple(told["winners"]), told["rule"], told["reason"])
    return ScoreSheet(
        game,
        shown.followed.setup,
        game.scorecards(state),
        outcome,
        shown.players,
        shown.begun,
        len(shown.followed.actions),
    )


def results(context: Context) -> dict[str, Any]:
    """Return all games with their results, and the standing of every named player."""
    kept = past_games(context.evening.journal)
    lines = [_line(context, game) for game in kept]
    for number, (at, title, record) in context.evening.journal.records().items():
        try:
            read = read_record(record)
            game = context.evening.game(read.game)
        except BadInput:
            continue  # changed since it was brought in
        lines.append(
            {
                "number": IMPORTED + number,
                "game": read.game,
                "title": say("{game}: {title}", game=game.title, title=title),
                "seats": list(read.seats or game.seats),
                "players": {},
                "begun": at,
                "over": None,
                "actions": len(read.actions),
                "outcome": None,
                "aborted": False,
                "imported": True,
                "current": False,
                "exports": exports(game),
            }
        )
    players = [asdict(standing) for standing in standings(kept)]
    return {"games": in_words(lines, translator(current())), "players": players}


def _line(context: Context, past: PastGame) -> dict[str, Any]:
    try:
        game = context.evening.game(past.header.name)
        title, written = game.title, exports(game)
    except BadInput:
        # Of a newer companion: it is there, and nobody here can play it.
        title, written = past.header.name, []
    return {
        "number": past.number,
        "game": past.header.name,
        "title": title,
        "seats": list(past.header.seats),
        "players": past.players,
        "begun": past.begun,
        "over": past.over,
        "actions": past.actions,
        "outcome": past.outcome,
        "aborted": past.aborted,
        "imported": False,
        "current": past.number == context.shown.game_id,
        "exports": written,
    }


def numbered_game(text: str) -> int:
    """Return the number of a game that an address names.

    Raises:
        Refusal: it is none.
    """
    number = whole_number(text)
    if number is None:
        raise Refusal(404, "no_game", say("no such game is kept"))
    return number


def found(context: Context, number: int) -> Shown:
    """Return the game or the imported record with this number.

    Raises:
        Refusal: none is kept.
    """
    journal = context.evening.journal
    if number > IMPORTED:
        kept = journal.records().get(number - IMPORTED)
        if kept is None:
            raise Refusal(404, "no_game", say("no such game is kept"))
        at, title, record = kept
        followed = follow(read_record(record), context.evening.game)
        return Shown(
            number,
            say("{game}: {title}", game=followed.game.title, title=title),
            followed,
            {},
            at,
            imported=True,
        )
    game = next((game for game in past_games(journal) if game.number == number), None)
    if game is None:
        raise Refusal(404, "no_game", say("no such game is kept"))
    return followed_in(journal, game, context.evening.game)


def followed_in(
    journal: Journal, past: PastGame, find: Callable[[str], Game[Any]], before: Shown | None = None
) -> Shown:
    """Return a ``past`` game of ``journal`` as it was played; ``find`` gives the game of a name. It
    goes on from ``before`` where that is the same game of the same journal, shorter.

    Raises:
        BadInput: it cannot be followed, not even its start.
    """
    _, header = game_of(journal, past.number)
    known = before.told if before is not None and before.number == past.number else None
    with naming(journal, past.number):
        game = find(header.name)
        setup = setup_of(game, header)
        if known is None:
            events = journal.events(past.number)
        else:
            events = known.log.grown(journal.events(past.number, known.log[-1].seq))
        start = start_of(game, setup, opened(header, events))
    told, texts = None, before.texts if known is not None and before is not None else {}
    try:
        if known is not None and (known.setup, known.line.past[0]) == (setup, start):
            line = replayed(game, setup, known.line, events.after(known.log[-1].seq))
        else:
            line = replayed(game, setup, History(start), events)
        followed = Followed(game, setup, line.past, line.actions)
        told = PastTable(past.number, game, setup, line, events)
    except (BadInput, GameFault) as error:
        # Played by the rules of an older version: its start at least can be seen.
        followed = Followed(game, setup, (start,), (), str(error))
    return Shown(
        past.number, game.title, followed, past.players, past.begun, past.outcome, False,
        told, past.over, texts,
    )  # fmt: skip


def past(shown: Shown, at: int | None, most: int | None = None) -> dict[str, Any]:
    """Return a game after its action ``at``, else after its last one, with its last ``most`` moves.

    Raises:
        BadInput: it has fewer actions.
    """
    followed = shown.followed
    game, last = followed.game, len(followed.actions)
    if at is not None and at > last:
        raise BadInput(say("this game has {count} actions", count=last))
    now = last if at is None else at
    state = followed.states[now]
    told = {
        "number": shown.number,
        "game": game.name,
        "title": shown.title,
        "seats": list(followed.setup.seats),
        "players": dict(shown.players),
        "at": now,
        "count": last,
        "moves": moves_of(shown, most),
        **_lying(game, state),
        "marks": _marks(followed.actions[now - 1]) if now else {},
        "scorecards": [card_json(card) for card in game.scorecards(state)],
        "outcome": _outcome(shown, state) if now == last else None,
        "stopped": followed.stopped,
        "imported": shown.imported,
        "ended": game.outcome(state) is not None,
        "exports": exports(game),
        "weighed": isinstance(game, Evaluation) and last > 0,
    }
    words: dict[str, Any] = in_words(told, translator(current()))
    return words


def moves_of(shown: Shown, most: int | None = None) -> Sequence[Mapping[str, Any]]:
    """Return the list of moves, the last ``most`` of them, each with the number of actions
    ``after`` which it is shown."""
    game, told = shown.followed.game, shown.told
    if told is not None:
        entries = Entries(told, rules_in(game, current()), shown.texts)
        moves = listed(told, entries, most=most)["moves"]
        return [
            {**one, "after": told.line.until(one["seq"]).length}
            for one in moves
            if one["kind"] != "started"
        ]
    return [
        {
            **dict.fromkeys(("seq", "ruling", "why")),
            "kind": "action",
            "action": game.format(action),
            "text": phrase(game, state, action),
            "seat": game.to_move(state),
            "stands": True,
            "photographs": [],
            "number": number,
            "after": number,
        }
        for number, (state, action) in enumerate(
            zip(shown.followed.states, shown.followed.actions, strict=False), start=1
        )
    ]


def _marks(action: Action) -> dict[str, Any]:
    mark = {"kind": "last", "meaning": say("last move")}
    return {spot: mark for spot in (action.origin, action.target) if spot is not None}


def _outcome(shown: Shown, state: Any) -> Mapping[str, Any] | None:
    if shown.outcome is not None:
        return shown.outcome
    end = shown.followed.game.outcome(state)
    if end is None:
        return None
    return outcome_json(end)
