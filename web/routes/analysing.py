"""A past game looked at again by a machine: expectations, turning points, blunders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flask import Flask, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.referee.game_on_paper import Review
from companion.rules import Action, say, tell
from companion.table.history import RULED, thought
from web import drawing
from web.access.refusal import Refusal
from web.access.request_fields import whole
from web.context import Context
from web.expectations import graph
from web.language import current, translator
from web.routes.advising import advised
from web.routes.archive import Shown, found, moves_of, on_paper, still_of, taken
from web.wording import phrase


class Analysis(NamedTuple):
    """A game that is looked at again from its action ``first`` on, and what was ``told`` of it;
    None while a machine still looks."""

    shown: Shown
    first: int
    told: Mapping[str, Any] | None

    def action(self, text: str) -> Action:
        """Return the action that was told as ``text``."""
        followed = self.shown.followed
        return followed.game.parse(followed.setup, text)

    def words(self, at: int, text: str) -> str:
        """Return in words the action ``text``, done after ``at`` actions of the game."""
        state = self.shown.followed.states[at]
        return tell(
            phrase(self.shown.followed.game, state, self.action(text)), translator(current())
        )


def register(app: Flask, context: Context) -> None:
    """Add the pages to ``app``."""

    @app.get("/games/<int:number>/analysis")
    def analysis_page(number: int) -> ResponseReturnValue:
        """What was to be expected in a past game; while a machine looks at it, that it does."""
        looked = _looked(context, number)
        shown, _, told = looked
        meaning = tell(say("What each seat could expect after each action"), translator(current()))
        rows = [] if told is None else [one["expected"] for one in told["actions"]]
        return render_template(
            "analysis.html",
            view=context.snapshot(),
            number=number,
            title=shown.title,
            told=told,
            spent=_spent(shown),
            points=_turning(looked),
            picture=graph(shown.followed.setup.seats, rows, meaning) if rows else "",
        )

    _carried_on(app, context)


def _carried_on(app: Flask, context: Context) -> None:
    @app.get("/games/<int:number>/analysis/<int:at>")
    def line_page(number: int, at: int) -> ResponseReturnValue:
        """How play might have gone on after ``at`` actions, ``step`` by step on the board."""
        looked = _looked(context, number)
        if looked.told is None:
            return redirect(f"/games/{number}/analysis")
        line = _line(looked, at)
        step = min(max(1, whole(request.args.get("step")) or 1), len(line))
        told, picture = still_of(looked.shown.followed, *line[step - 1])
        return render_template(
            "better.html",
            view=context.snapshot(),
            number=number,
            title=looked.shown.title,
            at=at,
            step=step,
            line=[tell(text, translator(current())) for text in _told_line(looked, at)],
            past=told,
            picture=picture,
        )

    @app.get("/games/<int:number>/analysis.pdf")
    def analysis_pdf(number: int) -> ResponseReturnValue:
        """The game on paper with what a machine found."""
        looked = _looked(context, number)
        if looked.told is None:
            return redirect(f"/games/{number}/analysis")
        name = f"{looked.shown.followed.game.name}-{number}.pdf"
        return taken(on_paper(looked.shown, _review(looked)), name)


def _looked(context: Context, number: int) -> Analysis:
    """Return the game of this number with what a machine finds in it.

    Raises:
        Refusal: there is none, the host wants no advice, or a guest asks.
        BadInput: no machine can in this game.
        HardwareFault: it failed.
    """
    advised(context)
    shown, first = found(context, number), 0
    actions = shown.followed.actions
    if RULED in actions:
        # What the table decided cannot be weighed: the game after it is.
        first = len(actions) - actions[::-1].index(RULED)
    start = shown.followed.states[first]
    told = context.machines.analyse(shown.followed.game, start, actions[first:])
    return Analysis(shown, first, told)


def _turning(looked: Analysis) -> list[dict[str, Any]]:
    """Return where much was given away: ``before``, the action before which it stands, the
    ``seat``, what was done (``text``), what was ``better`` and how it might have gone on
    (``line``), the share that was ``lost``, and the ``move`` as the list of moves tells it, with
    its photographs."""
    points, told = [], looked.told or {"actions": ()}
    moves = {one["number"]: one for one in moves_of(looked.shown) if one["number"]}
    for one in told["actions"]:
        if one["blunder"]:
            at = looked.first + one["at"]
            points.append(
                {"before": at, "seat": one["seat"], "text": looked.words(at, one["action"]),
                 "better": looked.words(at, one["best"]), "line": one["line"][1:],
                 "lost": one["lost"], "move": moves.get(at + 1)}
            )  # fmt: skip
    return points


def _line(looked: Analysis, at: int) -> list[tuple[Any, Action]]:
    """Return how play might have gone on after ``at`` actions of the game: each state with the
    action that led to it.

    Raises:
        Refusal: nothing was found there.
    """
    assert looked.told is not None
    one = next((o for o in looked.told["actions"] if looked.first + o["at"] == at), None)
    if one is None:
        raise Refusal(404, "not_found", say("nothing was found after that action"))
    game, state = looked.shown.followed.game, looked.shown.followed.states[at]
    line = []
    for text in one["line"] or (one["best"],):
        action = looked.action(text)
        state = game.advance(state, action)
        line.append((state, action))
    return line


def _told_line(looked: Analysis, at: int) -> list[Any]:
    """Return the actions of :func:`_line` in words."""
    followed, line = looked.shown.followed, _line(looked, at)
    before = [followed.states[at], *(state for state, _ in line)]
    return [
        phrase(followed.game, state, action)
        for state, (_, action) in zip(before, line, strict=False)
    ]


def _spent(shown: Shown) -> Mapping[str, float]:
    """Return the seconds that each seat took for its turns; empty where nobody measured them."""
    return thought(shown.told.log) if shown.told else {}


def _review(looked: Analysis) -> Review:
    """Return what was found, as it is written on paper."""
    assert looked.told is not None
    translate, spent = translator(current()), _spent(looked.shown)
    seats = [
        say("{seat}: actions {actions}, blunders {blunders}, captured {captures}",
            seat=say(seat), **{name: own[name] for name in ("actions", "blunders", "captures")})
        for seat, own in looked.told["seats"].items()
    ]  # fmt: skip
    seats += [
        say("{seat}: {minutes} min", seat=say(seat), minutes=round(seconds / 60))
        for seat, seconds in spent.items()
    ]
    points = [
        say("{number}. {what}: {percent} % of the result given away. Better: {better}.",
            number=one["before"] + 1, what=one["text"], percent=round(100 * one["lost"]),
            better=one["better"])
        for one in _turning(looked)
    ]  # fmt: skip
    followed = looked.shown.followed
    found = drawing.colours(followed.game, followed.setup)
    colours = {seat: found.get(seat, "") for seat in followed.setup.seats}
    rows: Sequence[Mapping[str, float]] = [one["expected"] for one in looked.told["actions"]]
    return Review(rows, colours, [tell(text, translate) for text in (*seats, *points)])
