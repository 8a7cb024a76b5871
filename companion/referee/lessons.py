"""Lessons: a goal in one sentence, a position, and what tells that the goal was reached. They are
data beside the game, judged by the game's own rules."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Generic, NamedTuple

from companion.journal import Journal
from companion.rules import (
    Action,
    BadInput,
    Game,
    IllegalAction,
    OneLineNotation,
    S,
    arrangements,
    claims_of,
    package_of,
    quoted,
    say,
)
from companion.table import Table
from companion.table.evening import Evening

FILE = "lessons.toml"
GOING, DONE, FAILED = "going", "done", "failed"
"""How it stands with an attempt: it goes on, the goal is reached, it cannot be reached any more."""


class Aim(NamedTuple):
    """What may come about in a lesson; all that it names has to be so. ``actions``: the learner
    made one that looks so; ``holds``: what lies on spots, empty for nothing; ``won``: the game is
    over and this seat has won it. In actions and tokens ``*`` is for anything, ``?`` for one
    character."""

    actions: tuple[str, ...] = ()
    holds: Mapping[str, str] = MappingProxyType({})
    won: str = ""

    def met(self, game: Game[S], state: S, made: Iterable[Action]) -> bool:
        """Tell whether it is so in ``state``, after the learner ``made`` these actions."""
        if self.actions:
            texts = [game.format(action) for action in made]
            if not any(fnmatchcase(text, one) for text in texts for one in self.actions):
                return False
        standing = game.expect(state)
        if not all(fnmatchcase(standing.get(s, ""), token) for s, token in self.holds.items()):
            return False
        outcome = game.outcome(state) if self.won else None
        return not self.won or (outcome is not None and self.won in outcome.winners)


class LessonText(NamedTuple):
    """A lesson's words in one language: its title, its goal in one sentence, and hints, each of
    which tells more than the one before."""

    title: str
    goal: str
    hints: tuple[str, ...]


class GameLesson(NamedTuple):
    """A lesson of a game. It begins from the usual start, else from ``position`` with ``to_move``,
    or from ``line`` in the game's one-line notation, after the actions ``before``; the learner is
    the seat to move then and has so many ``moves``. ``solution`` are actions that reach
    ``success``; those of other seats among them are what they answer. ``failure`` ends it early.
    ``rule`` is what it teaches, ``lit`` the spots that the lights point out."""

    name: str
    rule: str
    solution: tuple[str, ...]
    success: Aim
    failure: Aim | None
    moves: int
    lit: tuple[str, ...]
    texts: Mapping[str, LessonText]
    seats: tuple[str, ...] = ()
    options: Mapping[str, str] = MappingProxyType({})
    position: Mapping[str, str] = MappingProxyType({})
    to_move: str | None = None
    line: str = ""
    before: tuple[str, ...] = ()

    def text(self, language: str) -> LessonText:
        """Return its words in ``language``, in English where it has no others."""
        return self.texts.get(language) or self.texts["en"]


class Attempt(NamedTuple, Generic[S]):
    """Where the ``actions`` of an attempt led, and how it stands with it. ``answer`` is what
    another seat does now, None while the learner is to move or the attempt is over."""

    state: S
    actions: tuple[Action, ...]
    status: str
    answer: Action | None = None


def lessons_of(game: Game[Any]) -> tuple[GameLesson, ...]:
    """Return the lessons that lie beside ``game``, in their order; none where there is no file.

    Raises:
        BadInput: the file is not what it should be.
    """
    return _lessons(package_of(game))


def lesson_of(game: Game[Any], name: str) -> GameLesson:
    """Return the lesson of ``game`` called ``name``.

    Raises:
        BadInput: there is none, or the file is not what it should be.
    """
    for lesson in lessons_of(game):
        if lesson.name == name:
            return lesson
    raise BadInput(say("{game} has no lesson called {name}", game=game.title, name=quoted(name)))


@cache
def _lessons(package: str) -> tuple[GameLesson, ...]:
    try:
        source = resources.files(package) / FILE
    except (ImportError, TypeError, ValueError):
        return ()  # a game that lies in no package
    if not source.is_file():
        return ()
    try:
        data = tomllib.loads(source.read_text(encoding="utf-8"))
        return tuple(map(_read, data["lesson"]))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{FILE} of {package} cannot be read: {quoted(str(error))}") from error


def _read(data: Mapping[str, Any]) -> GameLesson:
    texts = {
        language: LessonText(str(told["title"]), str(told["goal"]), _texts(told["hints"]))
        for language, told in data.items()
        if len(language) == 2
    }
    if "en" not in texts:
        raise ValueError(f"{data['name']} has no words in English")
    solution = _texts(data["solution"])
    return GameLesson(
        name=str(data["name"]),
        rule=str(data["rule"]),
        solution=solution,
        success=_aim(data["success"]),
        failure=_aim(data["failure"]) if "failure" in data else None,
        moves=int(data["moves"]),
        lit=_texts(data.get("lit", ())),
        texts=texts,
        seats=_texts(data.get("seats", ())),
        options=dict(data.get("options", {})),
        position=dict(data.get("position", {})),
        to_move=data.get("to_move"),
        line=str(data.get("line", "")),
        before=_texts(data.get("before", ())),
    )


def _aim(data: Mapping[str, Any]) -> Aim:
    if not data:
        raise ValueError("an aim names nothing")
    return Aim(
        _texts(data.get("actions", ())), dict(data.get("holds", {})), str(data.get("won", ""))
    )


def _texts(values: Sequence[Any]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise ValueError(f"{values} stands where a list belongs")
    return tuple(map(str, values))


# -- an attempt ------------------------------------------------------------------------------


def beginning(game: Game[S], lesson: GameLesson) -> S:
    """Return the state in which ``lesson`` begins.

    Raises:
        BadInput: it cannot be set up.
    """
    setup = game.setup(lesson.seats or None, lesson.options)
    if lesson.line:
        if not isinstance(game, OneLineNotation):
            raise BadInput(
                say("positions of {game} are not written on one line; use a file", game=game.title)
            )
        state: S = game.read_position(setup, lesson.line)
    elif lesson.position:
        state = arrangements(game).arrange(setup, lesson.position, lesson.to_move)
    else:
        state = game.start(setup)
    for text in lesson.before:
        state = game.apply(state, game.parse(setup, text))
    return state


def attempt(game: Game[S], lesson: GameLesson, actions: Sequence[Action] = ()) -> Attempt[S]:
    """Return where ``actions`` of all seats lead, from the beginning of ``lesson``; what comes
    after its end counts no more.

    Raises:
        BadInput: the lesson cannot be set up.
        IllegalAction: the rules refuse one of them.
    """
    state = beginning(game, lesson)
    learner = game.to_move(state)
    answers = _answers(game, lesson, state)
    made: list[Action] = []
    for number, action in enumerate(actions, start=1):
        if game.to_move(state) == learner:
            made.append(action)
        else:
            next(answers, None)
        state = game.apply(state, action)
        status = _status(game, lesson, state, made)
        if status == GOING and game.to_move(state) == learner and len(made) >= lesson.moves:
            status = FAILED
        if status != GOING:
            return Attempt(state, tuple(actions[:number]), status)
    if game.to_move(state) == learner:
        return Attempt(state, tuple(actions), GOING)
    answer = next(answers, None)
    possible = answer is not None and answer in (*game.legal(state), *claims_of(game, state))
    return Attempt(state, tuple(actions), *((GOING, answer) if possible else (FAILED, None)))


def answered(game: Game[S], lesson: GameLesson, actions: Sequence[Action]) -> Attempt[S]:
    """Return where ``actions`` lead if all others answer at once.

    Raises:
        BadInput, IllegalAction: as :func:`attempt`.
    """
    found = attempt(game, lesson, actions)
    while found.answer is not None:
        found = attempt(game, lesson, (*found.actions, found.answer))
    return found


def _status(game: Game[S], lesson: GameLesson, state: S, made: Sequence[Action]) -> str:
    if lesson.success.met(game, state, made):
        return DONE
    failed = lesson.failure is not None and lesson.failure.met(game, state, made)
    return FAILED if failed or game.to_move(state) is None else GOING


def _answers(game: Game[S], lesson: GameLesson, state: S) -> Iterator[Action]:
    """Yield what the others do in the solution."""
    learner = game.to_move(state)
    for text in lesson.solution:
        action = game.parse(state.setup, text)
        if game.to_move(state) != learner:
            yield action
        state = game.apply(state, action)


# -- whether a lesson holds ------------------------------------------------------------------


def problems(game: Game[Any], lesson: GameLesson) -> list[str]:
    """Return what is wrong with ``lesson``, in sentences; nothing where it can be learned from."""
    try:
        return list(_problems(game, lesson))
    except (BadInput, IllegalAction) as error:
        return [str(error)]


def _problems(game: Game[Any], lesson: GameLesson) -> Iterator[str]:
    state = beginning(game, lesson)
    board = game.board(state.setup)
    aims = [lesson.success, *([lesson.failure] if lesson.failure else [])]
    spots = {*lesson.lit, *(spot for aim in aims for spot in aim.holds)}
    if unknown := sorted(spot for spot in spots if spot not in board):
        yield f"it names spots that are not on the board: {', '.join(unknown)}"
    if lesson.rule not in game.rules:
        yield f"there is no rule {lesson.rule}"
    for language, text in lesson.texts.items():
        if not (text.title and text.goal and text.hints):
            yield f"its words in “{language}” are not whole"
        if len(text.hints) != len(lesson.texts["en"].hints):
            yield f"it has other hints in “{language}” than in English"
    solution = [game.parse(state.setup, action) for action in lesson.solution]
    reached = attempt(game, lesson, solution)
    if reached.status != DONE or len(reached.actions) < len(solution):
        yield "its solution does not reach what it calls success, or reaches it before its end"
    elif not any(_strays(game, lesson, solution)):
        yield "nothing that one may do fails it"


def _strays(game: Game[Any], lesson: GameLesson, solution: Sequence[Action]) -> Iterator[bool]:
    """Yield for every action that is legal on the way of the solution whether it fails."""
    for done in range(len(solution)):
        here = attempt(game, lesson, solution[:done])
        if here.answer is None:
            for action in game.legal(here.state):
                yield answered(game, lesson, [*solution[:done], action]).status == FAILED


# -- where learners give up ------------------------------------------------------------------

LESSON, ON_TABLE = "lesson", "table"
"""The kind of event that tells of a learner, with its ``game``, its ``lesson`` and the ``word``;
and the word by which a lesson is put on the table."""
BEGUN = "begun"
"""The word of a learner who made a first action; :data:`DONE` is that of who reached the goal."""


def tally(journal: Journal, game: str) -> Counter[tuple[str, str]]:
    """Return how often each lesson of ``game`` was begun and how often it was done: its name and
    the word."""
    told = (event.data for _, event in journal.of_kinds(LESSON))
    return Counter((data["lesson"], data["word"]) for data in told if data["game"] == game)


# -- on the table ----------------------------------------------------------------------------


def put_on_table(evening: Evening, game: Game[Any], lesson: GameLesson) -> Table[Any]:
    """Begin a game at the table with which ``lesson`` is learned: the lights say what has to lie
    where, and the camera sees what is done. The present game is kept as it is.

    Raises:
        BadInput: it is of no kind that can be set up on a table.
        HardwareFault: the journal cannot be written.
    """
    if lesson.line:
        raise BadInput(say("this lesson needs cards that are known to all: learn it on the page"))
    position = lesson.position or None
    seats = lesson.seats or None
    table = evening.begin(
        game.name, seats, lesson.options, position=position, to_move=lesson.to_move
    )
    for text in lesson.before:
        table.play(game.parse(table.setup, text), "referee")
    data = {"game": game.name, "lesson": lesson.name, "word": ON_TABLE}
    table.note(LESSON, data, "host")
    return table


def lesson_on(table: Table[Any]) -> GameLesson | None:
    """Return the lesson for which the game at ``table`` was begun, None for an ordinary game."""
    for event in table.events().newest(LESSON):
        if event.data["word"] == ON_TABLE:
            return lesson_of(table.game, event.data["lesson"])
    return None


def attempt_on(table: Table[Any], lesson: GameLesson) -> Attempt[Any]:
    """Return how it stands with ``lesson`` at ``table``."""
    return attempt(table.game, lesson, table.actions[len(lesson.before) :])


def pointed_out(table: Table[Any]) -> tuple[str, ...]:
    """Return the spots that the lesson at ``table`` wants to be lit: its own before anything is
    done, and those of what another seat answers; none where there is no lesson."""
    lesson = lesson_on(table)
    if lesson is None:
        return ()
    found = attempt_on(table, lesson)
    if not found.actions:
        return lesson.lit
    return found.answer.spots if found.answer else ()
