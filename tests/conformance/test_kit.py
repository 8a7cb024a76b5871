"""The conformance kit is not blind: what a game breaks, hides or lacks is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.conformance.checks import (
    CHECKS,
    LEVELS,
    CheckedGame,
    Exempt,
    Missing,
)
from companion.conformance.evidence import Evidence
from companion.conformance.kit import checks_of
from companion.conformance.verdicts import (
    EXEMPT,
    FAILED,
    MISSING,
    PASSED,
    CheckVerdict,
    result,
)
from companion.rules import Clocks, Game, Limits, Ruling


def candidate(game: Any, evidence: Evidence | None = None, **exempt: str) -> CheckedGame:
    return CheckedGame(game, evidence or Evidence(), exempt)


def fails(name: str, of: CheckedGame) -> str:
    """Return why a check fails."""
    assert name in {check.name for check in checks_of(of.game)}, f"{name} is not made of it"
    with pytest.raises(AssertionError) as told:
        CHECKS[name].of(of)
    return str(told.value)


def changed(tiny: Any, *capabilities: type, **body: Any) -> Any:
    """Return the tiny game with other methods."""
    return type("Changed", (type(tiny), *capabilities), body)()


def test_every_check_says_what_it_checks(tiny: Any) -> None:
    assert checks_of(tiny)
    assert {check.level for check in CHECKS.values()} == set(LEVELS)
    for check in CHECKS.values():
        assert check.run.__doc__, check.name
        assert check.about.endswith("."), check.name


def test_checks_follow_from_what_a_game_declares(tiny: Any) -> None:
    plain = {check.name for check in checks_of(tiny)}
    timed = changed(tiny, Clocks, limits=lambda game, setup: Limits())
    assert {check.name for check in checks_of(timed)} - plain == {"time_limits_are_spans_of_time"}


@pytest.mark.parametrize(
    ("method", "capability"),
    [("limits", "Clocks"), ("turned_over", "TwoSides"), ("unknown", "HiddenHands"),
     ("notations", "Exports"), ("situation", "Situation"), ("read_position", "OneLineNotation")],
)  # fmt: skip
def test_a_capability_that_is_not_declared_is_an_error(
    tiny: Any, method: str, capability: str
) -> None:
    hidden = changed(tiny, **{method: lambda game, *given: ()})
    told = fails("it_declares_what_it_has", candidate(hidden))
    assert method in told
    assert capability in told


def test_a_lying_judge_is_caught(tiny: Any) -> None:
    lying = changed(tiny, judge=lambda game, state, action: Ruling(True, "TINY-1", "Well."))
    fails("random_games_keep_the_contract", candidate(lying))


def test_a_game_that_changes_its_mind_is_caught(tiny: Any) -> None:
    asked = iter(range(1000))
    turned = changed(
        tiny,
        legal=lambda game, state: type(tiny).legal(game, state)[:: -1 if next(asked) % 2 else 1],
    )
    assert "asked again" in fails("it_is_pure", candidate(turned))


def test_a_board_whose_spots_lie_in_one_another_is_caught(tiny: Any) -> None:
    from dataclasses import replace

    board = tiny.board(tiny.setup())
    twice = {**board.spots, "a2": board["a1"]._replace(name="a2")}
    muddled = changed(tiny, board=lambda game, setup: replace(board, spots=twice))
    assert "a1" in fails("its_board_has_a_geometry", candidate(muddled))


def test_two_faces_that_are_drawn_alike_are_caught(tiny: Any) -> None:
    drawn = tiny.draw(tiny.setup(), "black")
    alike = changed(tiny, draw=lambda game, setup, token: drawn)
    assert "drawn as" in fails("its_tokens_have_pictures", candidate(alike))


def test_lost_pieces_are_caught(tiny: Any) -> None:
    losing = changed(tiny, invariants=lambda game, state: {"nothing is lost": False})
    assert "nothing is lost" in fails("random_games_keep_the_contract", candidate(losing))


def test_a_page_that_falls_is_caught(tiny: Any) -> None:
    odd = changed(tiny, scorecards=lambda game, state: ("nobody",) if state.turn else ())
    assert "game_fault" in fails("phones_show_it_and_play_it", candidate(odd))


# -- exemptions ------------------------------------------------------------------------------


def test_an_exemption_with_a_reason_is_granted(tiny: Any) -> None:
    asked = candidate(tiny, it_is_printed="its board is made of sand")
    CHECKS["its_exemptions_have_reasons"].of(asked)
    with pytest.raises(Exempt, match="sand"):
        CHECKS["it_is_printed"].of(asked)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("it_is_printed", ""), ("it_is_printed", "no"), ("it_is_printed", "does not"),
     ("no_such_check", "it is not to my taste"), ("it_is_pure", "it is not to my taste")],
)  # fmt: skip
def test_no_other_exemption_is_granted(tiny: Any, name: str, reason: str) -> None:
    asked = candidate(tiny, **{name: reason})
    assert name in fails("its_exemptions_have_reasons", asked)


def test_nobody_is_exempt_from_the_law_of_the_house(tiny: Any) -> None:
    CHECKS["random_games_keep_the_contract"].of(
        candidate(tiny, random_games_keep_the_contract="it is not to my taste")
    )


# -- evidence --------------------------------------------------------------------------------


def test_what_is_not_there_is_missing_and_not_wrong(tiny: Any) -> None:
    for name in (
        "its_counts_are_right",
        "whole_games_go_as_they_are_written",
        "its_manual_names_rules_and_options",
    ):
        with pytest.raises(Missing, match="beside the code"):
            CHECKS[name].of(candidate(tiny))


@pytest.mark.parametrize(
    ("text", "told"),
    [("# mine\nstart: 3 8\n", "depth 2: 9, not 8"), ("start: 3\n", "source"),
     ("# nothing\n", "no counts")],
)  # fmt: skip
def test_wrong_counts_are_caught(tiny: Any, tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "counts.perft"
    file.write_text(text)
    assert told in fails("its_counts_are_right", candidate(tiny, Evidence(counts=(file,))))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game: tiny\n\na1-a2\n", "nothing of its result"),
        ("# result: TINY-4 white\ngame: tiny\n\na1-a2\nc3-c2\na2-a3\n", "is not"),
        ("# result: TINY-4 black\ngame: tiny\n\na1-a2\n# expect: a2 is empty\nc3-c2\na2-a3\n",
         "line 5"),
        ("game: chess\n\n", "a game of chess"),
    ],
)  # fmt: skip
def test_games_that_go_otherwise_are_caught(
    tiny: Any, tmp_path: Path, text: str, told: str
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text)
    of = candidate(tiny, Evidence(games=(file,)))
    assert told in fails("whole_games_go_as_they_are_written", of)


def test_a_manual_that_is_silent_on_a_rule_is_caught(tiny: Any, tmp_path: Path) -> None:
    file = tmp_path / "manual.md"
    file.write_text("TINY-1 TINY-2 TINY-3 TINY-5 `capture`")
    told = fails("its_manual_names_rules_and_options", candidate(tiny, Evidence(manual=file)))
    assert "TINY-4, pegs" in told


def test_a_translation_with_a_gap_is_caught(tiny: Any, tmp_path: Path) -> None:
    (tmp_path / "languages").mkdir()
    catalog = tmp_path / "languages" / "it.po"
    of = candidate(tiny, Evidence(package=tmp_path))
    catalog.write_text('msgid "{seat} moves."\nmsgstr "{seat} muove."\n')
    CHECKS["its_translations_are_whole"].of(of)
    catalog.write_text('msgid "{seat} moves."\nmsgstr ""\n')
    assert "not translated" in fails("its_translations_are_whole", of)
    catalog.write_text('msgid "{seat} moves."\nmsgstr "Muove."\n')
    assert "other values" in fails("its_translations_are_whole", of)


# -- levels ----------------------------------------------------------------------------------


def verdicts(**statuses: str) -> list[CheckVerdict]:
    return [
        CheckVerdict("fox", name, name, status, "so it is") for name, status in statuses.items()
    ]


@pytest.mark.parametrize(
    ("statuses", "level"),
    [
        ({"bronze": PASSED, "silver": PASSED, "gold": PASSED}, "gold"),
        ({"bronze": PASSED, "silver": EXEMPT, "gold": PASSED}, "gold"),
        ({"bronze": PASSED, "silver": PASSED, "gold": MISSING}, "silver"),
        ({"bronze": PASSED, "silver": MISSING, "gold": PASSED}, "bronze"),
        ({"bronze": PASSED, "silver": FAILED, "gold": MISSING}, "bronze"),
        ({"bronze": FAILED, "silver": PASSED, "gold": PASSED}, ""),
        ({}, ""),
    ],
)
def test_a_level_is_reached_when_all_up_to_it_holds(statuses: dict[str, str], level: str) -> None:
    found = result("fox", verdicts(**statuses))
    assert found.level == level
    wanting = {name for name, status in statuses.items() if status in (MISSING, FAILED)}
    assert {verdict.level for verdict in found.wanting} == wanting
    for name in wanting:
        assert f"for {name}: {name}: so it is" in found.words


def test_a_game_outside_of_any_package_has_no_evidence(tiny: Game[Any]) -> None:
    from companion.conformance.evidence import evidence_of, exemptions_of

    alone = changed(tiny, __module__="alone")
    assert evidence_of(alone) == Evidence()
    assert exemptions_of(alone) == {}
