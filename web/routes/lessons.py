"""Lessons: a game's list of them, and each on a board of its own that the game's rules judge. The
game on the table knows nothing of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from flask import Flask, g, render_template, request
from flask.typing import ResponseReturnValue

from companion.referee.lessons import (
    BEGUN,
    DONE,
    GOING,
    LESSON,
    Attempt,
    GameLesson,
    answered,
    attempt_on,
    beginning,
    lesson_of,
    lesson_on,
    lessons_of,
    put_on_table,
    tally,
)
from companion.rules import (
    Action,
    Game,
    IllegalAction,
    Setup,
    claims_of,
    said_by,
    say,
    unknown_spot,
)
from web.access.refusal import Refusal
from web.access.request_fields import Body, text, unfit
from web.access.seats import Person, joined, only_host
from web.board_view import pointed_out
from web.context import Answer, Context
from web.language import current, in_words, rules_in, translator
from web.routes.api import post
from web.wording import phrase, ruling_json, spoken

MOST = 64
"""Actions of an attempt that are followed at most."""


class _Scene:
    """What is drawn in the place of the table: a lesson's game and who plays it."""

    def __init__(self, game: Game[Any], setup: Setup) -> None:
        self.game, self.setup = game, setup


def register(app: Flask, context: Context) -> None:
    """Add the pages and routes to ``app``."""
    _pages(app, context)

    @app.get("/api/lessons/<name>/<lesson>")
    def attempted(name: str, lesson: str) -> ResponseReturnValue:
        """Where an attempt stands, and the ruling on one more action; nothing is kept."""
        joined(context.person())
        game = context.evening.game(name)
        taken = lesson_of(game, lesson)
        _stage(game, taken)
        return {"ok": True, **in_words(_told(context, game, taken), translator(current()))}

    def note(body: Body, person: Person) -> Answer:
        joined(person)
        game = context.evening.game(text(body, "game"))
        lesson, told = lesson_of(game, text(body, "lesson")), text(body, "word")
        if told not in (BEGUN, DONE):
            raise unfit("word")
        data = {"game": game.name, "lesson": lesson.name, "word": told}
        context.table.note(LESSON, data, person.actor)
        return {}, None

    def lay(body: Body, person: Person) -> Answer:
        only_host(person)
        game = context.evening.game(text(body, "game"))
        put_on_table(context.evening, game, lesson_of(game, text(body, "lesson")))
        return {}, None

    post(app, context, "/api/lesson", note)
    post(app, context, "/api/lesson/table", lay)


def _pages(app: Flask, context: Context) -> None:
    @app.get("/lessons/<name>")
    def lessons(name: str) -> ResponseReturnValue:
        """The lessons of a game; for phones that joined."""
        joined(context.person())
        view, game = context.snapshot(), context.evening.game(name)
        counts = tally(context.evening.journal, name)
        told = [
            {"name": one.name, "text": one.text(current()), **_counted(counts, one.name)}
            for one in lessons_of(game)
        ]
        return render_template("lessons.html", view=view, of=game, lessons=told)

    @app.get("/lessons/<name>/<lesson>")
    def lesson(name: str, lesson: str) -> ResponseReturnValue:
        """One lesson with its board; for phones that joined."""
        joined(context.person())
        view, game = context.snapshot(), context.evening.game(name)
        taken, every = lesson_of(game, lesson), [one.name for one in lessons_of(game)]
        _stage(game, taken)
        number = every.index(lesson)
        return render_template(
            "lesson.html",
            view=view,
            name=name,
            lesson=taken,
            text=taken.text(current()),
            rule=rules_in(game, current())[taken.rule],
            told=in_words(_told(context, game, taken), translator(current())),
            number=number + 1,
            count=len(every),
            after=next(iter(every[number + 1 :]), None),
            here=_is_here(context, taken),
        )


def _counted(counts: Mapping[tuple[str, str], int], name: str) -> dict[str, int]:
    return {"begun": counts[name, BEGUN], "done": counts[name, DONE]}


@lru_cache(8)
def _scene(game: Game[Any], seats: tuple[str, ...], options: tuple[tuple[str, str], ...]) -> _Scene:
    return _Scene(game, Setup(seats, dict(options)))


def _stage(game: Game[Any], lesson: GameLesson) -> None:
    """Let the current request show ``lesson`` in the place of the table."""
    setup = game.setup(lesson.seats or None, lesson.options)
    g.drawn = _scene(game, setup.seats, tuple(setup.options.items()))


def _told(context: Context, game: Game[Any], lesson: GameLesson) -> dict[str, Any]:
    """Return the attempt that the current request tells of, ``made`` action by action, after one
    more: an ``action`` in its notation, or ``from`` and ``to`` spots.

    Raises:
        BadInput: it names what the game has not.
        Refusal: it is longer than any attempt, or the rules refuse what was made before.
    """
    setup = context.drawn.setup
    if request.args.get("table"):
        return _at_table(context, game, lesson)
    made = request.args.getlist("made")
    if len(made) > MOST:
        raise Refusal(400, "bad_request", say("this is longer than any lesson"))
    try:
        found = answered(game, lesson, [game.parse(setup, action) for action in made])
    except IllegalAction as error:
        raise Refusal(400, "bad_request", error.ruling.reason) from None
    ways = _ways(game, found, setup)
    ruled: dict[str, Any] = {}
    if len(ways) == 1:
        ruled = _ruled(game, found.state, ways[0])
        if ruled["ruling"]["allowed"]:
            found = answered(game, lesson, [*found.actions, ways[0]])
    seat = game.to_move(beginning(game, lesson))
    return {
        **_standing(context, game, found, seat),
        **ruled,
        "ways": [
            {"action": game.format(a), "text": phrase(game, found.state, a)}
            for a in (ways if len(ways) > 1 else ())
        ],
        "lit": {} if found.actions else _lit(lesson),
        "said": _said(game, lesson, found)[len(made) :],
    }


def _is_here(context: Context, lesson: GameLesson) -> bool:
    """Tell whether ``lesson`` is learned at the table now."""
    return lesson_on(context.shown) is lesson


def _at_table(context: Context, game: Game[Any], lesson: GameLesson) -> dict[str, Any]:
    """Return how it stands with a lesson at the table.

    Raises:
        Refusal: it is not learned there now.
    """
    if not _is_here(context, lesson):
        raise Refusal(409, "stale_state", say("another game has begun"))
    found = attempt_on(context.shown, lesson)
    seat = game.to_move(beginning(game, lesson))
    told = _standing(context, game, found, seat)
    said = [phrase(game, found.state, found.answer)] if found.answer else []
    return {**told, "legal": {}, "say": [], "lit": {}, "ways": [], "said": said}


def _ways(game: Game[Any], found: Attempt[Any], setup: Setup) -> Sequence[Action]:
    """Return the action that is asked about; several where it can be said in several ways."""
    if written := request.args.get("action"):
        return [game.parse(setup, written)]
    origin, target = request.args.get("from") or None, request.args.get("to")
    if not target:
        return []
    legal = [*game.legal(found.state), *claims_of(game, found.state)]
    ways = [a for a in legal if (a.origin, a.target) == (origin, target)]
    for spot in (origin, target):
        if spot is not None and spot not in game.board(setup):
            raise unknown_spot(spot)
    if origin:
        return ways or [Action("move", origin, target)]
    # What might be laid elsewhere is judged here.
    detail = next((a.detail for a in legal if a.verb == "place"), "")
    return ways or [Action("place", None, target, detail)]


def _ruled(game: Game[Any], state: Any, action: Action) -> dict[str, Any]:
    from companion.referee.hints import hints

    ruling = game.judge(state, action)
    return {
        "ruling": ruling_json(ruling, rules_in(game, current()).get(ruling.rule)),
        "text": phrase(game, state, action),
        "hints": list(hints(game, state, action)),
    }


def _standing(
    context: Context, game: Game[Any], found: Attempt[Any], learner: str | None
) -> dict[str, Any]:
    """Return what the board shows and what may be done."""
    position = dict(game.expect(found.state))
    going = found.status == GOING and game.to_move(found.state) == learner
    legal = game.legal(found.state) if going else ()
    reach: dict[str, list[str]] = {}
    for action in legal:
        if action.target is not None:
            # What comes from beside the board is laid on its spot.
            reach.setdefault(action.origin or action.target, []).append(action.target)
    words = [a for a in legal if a.target is None]
    last = found.actions[-1] if found.actions else None
    return {
        "made": [game.format(action) for action in found.actions],
        "status": found.status,
        "to_move": game.to_move(found.state),
        "position": position,
        "symbols": {token: str(context.symbol(token)) for token in {*position.values()}},
        "legal": reach,
        "say": [
            {"action": game.format(a), "label": said_by(game, a) or spoken(a, game)} for a in words
        ],
        "last": list(last.ends) if last else [],
    }


def _lit(lesson: GameLesson) -> dict[str, dict[str, Any]]:
    return pointed_out(dict.fromkeys(lesson.lit, say("the lesson points here")))


def _said(game: Game[Any], lesson: GameLesson, found: Attempt[Any]) -> Sequence[str]:
    """Return what was done, in words."""
    state, told = beginning(game, lesson), []
    for action in found.actions:
        told.append(phrase(game, state, action))
        state = game.advance(state, action)
    return told
