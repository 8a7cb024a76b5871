"""Lessons: each can be set up, reached by its own solution, and failed; what breaks one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.commands.parser import parse
from companion.games import find_game, games
from companion.journal import Journal
from companion.referee.lessons import (
    BEGUN,
    DONE,
    FAILED,
    GOING,
    LESSON,
    answered,
    attempt,
    attempt_on,
    beginning,
    lesson_of,
    lesson_on,
    lessons_of,
    pointed_out,
    problems,
    put_on_table,
    tally,
)
from companion.rules import BadInput, IllegalAction
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.loops import some
from tests.checks.plain_words import code_names

TAUGHT = games()
EVERY = [(name, lesson) for name in TAUGHT for lesson in lessons_of(find_game(name))]
SPOT = re.compile(r"\b[a-q]\d{1,2}\b")
FEWEST, MOST = 8, 12


@pytest.mark.parametrize("name", TAUGHT)
def test_a_game_has_eight_to_twelve_lessons_with_names_of_their_own(name):
    names = [lesson.name for lesson in lessons_of(find_game(name))]
    assert FEWEST <= len(names) <= MOST
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("name", "lesson"), EVERY)
def test_its_solution_is_legal_and_reaches_success_and_something_fails_it(name, lesson):
    assert problems(find_game(name), lesson) == []


@pytest.mark.parametrize(("name", "lesson"), EVERY)
def test_its_words_are_plain_and_name_spots_that_exist_in_every_language(name, lesson):
    game = find_game(name)
    board = game.board(game.setup(lesson.seats or None, lesson.options))
    english = lesson.text("en")
    for language in ("en", "it", "fr", "es"):
        text = lesson.text(language)
        assert language == "en" or text.goal != english.goal
        for sentence in some((text.title, text.goal, *text.hints)):
            assert [spot for spot in SPOT.findall(sentence) if spot not in board] == []
            assert code_names(sentence) == []
            assert sentence == text.title or sentence.endswith((".", "?"))
        assert SPOT.findall(text.goal) == SPOT.findall(english.goal)


def acts(name, setup, *texts):
    return [find_game(name).parse(setup, text) for text in texts]


def chess(name):
    game, lesson = find_game("chess"), lesson_of(find_game("chess"), name)
    return game, lesson, beginning(game, lesson).setup


def test_others_answer_as_in_the_solution_until_the_goal_is_reached():
    game, lesson, setup = chess("two_rooks")
    first = answered(game, lesson, acts("chess", setup, "b1-b7"))
    assert [game.format(action) for action in first.actions] == ["b1-b7", "g8-f8"]
    assert first.status == GOING
    assert answered(game, lesson, [*first.actions, *acts("chess", setup, "a6-a8")]).status == DONE


def test_what_is_legal_and_uses_the_moves_up_fails_and_what_is_refused_is_no_attempt():
    game, lesson, setup = chess("mate")
    assert attempt(game, lesson, acts("chess", setup, "d1-d7")).status == FAILED
    with pytest.raises(IllegalAction):
        attempt(game, lesson, acts("chess", setup, "d1-e8"))


def test_what_comes_after_the_end_of_an_attempt_counts_no_more():
    game, lesson, setup = chess("pawn")
    found = attempt(game, lesson, acts("chess", setup, "e2-e4", "e8-e7"))
    assert (found.status, len(found.actions)) == (DONE, 1)


def test_an_attempt_fails_by_what_the_lesson_names_and_where_nobody_answers():
    game = find_game("victorus")
    lesson = lesson_of(game, "win")
    setup = beginning(game, lesson).setup
    ended = answered(game, lesson, acts("victorus", setup, "h1-h9", "end"))
    assert ended.status == FAILED
    captor = lesson_of(game, "captor")
    assert answered(game, captor, acts("victorus", setup, "k5-l7")).status == FAILED


GOOD = """
[[lesson]]
name = "step"
rule = "CH-3.7.2"
moves = 1
solution = ["e2-e4"]
success = { holds = { e4 = "white P" } }
en = { title = "A pawn", goal = "Two ahead.", hints = ["e2 to e4."] }
"""


@pytest.fixture
def lessons(tmp_path: Path, monkeypatch):
    """Lay a file of lessons beside chess, and return what it holds."""
    import companion.referee.lessons as module

    def lay(text):
        (tmp_path / "lessons.toml").write_text(text)
        module._lessons.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(module.resources, "files", lambda package: tmp_path)
            return lessons_of(find_game("chess"))

    yield lay
    module._lessons.cache_clear()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("CH-3.7.2", "CH-99", "there is no rule CH-99"),
        ("e4 = ", "z9 = ", "it names spots that are not on the board: z9"),
        ('"e2-e4"]', '"e2-e5"]', "e5"),
        ('"e2-e4"]', '"d2-d4"]', "its solution does not reach what it calls success"),
        ('["e2 to e4."]', "[]", "its words in “en” are not whole"),
        ('e4 = "white P"', 'e1 = "white K"', "nothing that one may do fails it"),
        ("moves = 1", 'moves = 1\nline = "no such line"', "6 fields"),
        ("moves = 1", 'moves = 1\nposition = { e4 = "red dragon" }', "red dragon"),
        (
            "en = ",
            'it = { title = "Pedone", goal = "Avanti.", hints = [] }\nen = ',
            "it has other hints in “it” than in English",
        ),
    ],
)
def test_what_is_wrong_with_a_lesson_is_told(lessons, old, new, told):
    (lesson,) = lessons(GOOD.replace(old, new, 1))
    assert any(told in problem for problem in problems(find_game("chess"), lesson))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("moves = 1", ""),
        ('["e2-e4"]', '"e2-e4"'),
        ('{ holds = { e4 = "white P" } }', "{}"),
        ("en = ", "it = "),
        ("[[lesson]]", "[[lesson"),
    ],
)
def test_a_file_that_is_no_file_of_lessons_is_told_in_one_sentence(lessons, old, new):
    with pytest.raises(BadInput, match=r"lessons\.toml of companion\.games\.chess cannot be read"):
        lessons(GOOD.replace(old, new, 1))


def test_a_game_without_lessons_has_none(lessons, tmp_path):
    assert lessons(GOOD)[0].name == "step"
    game = find_game("chess")
    with pytest.raises(BadInput, match="Chess has no lesson called “fly”"):
        lesson_of(game, "fly")


def test_how_often_a_lesson_was_begun_and_done_is_counted():
    game = find_game("chess")
    with Journal() as journal:
        table = Table.create(journal, game, game.setup())
        for word in (BEGUN, BEGUN, DONE):
            table.note(LESSON, {"game": "chess", "lesson": "pawn", "word": word}, "white")
        counts = tally(journal, "chess")
        assert (counts["pawn", BEGUN], counts["pawn", DONE], counts["mate", BEGUN]) == (2, 1, 0)
        assert not tally(journal, "victorus")


def test_the_command_lists_them_and_tells_what_is_wrong(capsys):
    from companion.commands.rules import run_lessons

    assert run_lessons(parse(["lessons", "victorus", "--check"])) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(lessons_of(find_game("victorus")))
    assert lines[0].split()[:2] == ["1", "slide"]


@pytest.fixture
def evening():
    with Journal() as journal:
        game = find_game("chess")
        yield Evening(Table.create(journal, game, game.setup()))


def test_a_lesson_on_the_table_is_a_game_of_its_own_from_its_position(evening):
    game = find_game("victorus")
    lesson, left = lesson_of(game, "promotion"), evening.table
    assert (lesson_on(left), pointed_out(left)) == (None, ())
    table = put_on_table(evening, game, lesson)
    assert evening.table is table
    assert table.state == beginning(game, lesson)
    assert lesson_on(table) is lesson
    assert pointed_out(table) == lesson.lit
    assert attempt_on(table, lesson).status == GOING
    for text in lesson.solution:
        table.play(game.parse(table.setup, text), "camera")
    assert attempt_on(table, lesson).status == DONE
    assert pointed_out(table) == ()


def test_the_lights_show_what_the_others_answer(evening):
    game = find_game("chess")
    lesson = lesson_of(game, "two_rooks")
    table = put_on_table(evening, game, lesson)
    table.play(game.parse(table.setup, "b1-b7"), "camera")
    assert pointed_out(table) == ("g8", "f8")


def test_a_lesson_with_known_hands_is_learned_on_the_page_alone(evening):
    game, table = find_game("victory_honor"), evening.table
    with pytest.raises(BadInput, match="learn it on the page"):
        put_on_table(evening, game, lesson_of(game, "opening"))
    assert evening.table is table
