"""Games keep the readings of the rules they were begun with: records and saved states tell them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game, games
from companion.referee import audit_record
from companion.rules import BadInput, read_record, rules_of, setup_then, write_record

VICTORUS, HEXIMEROS = find_game("victorus"), find_game("heximeros")
EARLIER = {
    "victorus": {"rim": "blocks", "return": "no", "same_kingdom": "yes"},
    "heximeros": {"ground_zero": "straight", "two_capitals": "any"},
}


@pytest.mark.parametrize("name", sorted(EARLIER))
def test_what_was_not_chosen_is_read_as_it_was_then(name: str) -> None:
    game = find_game(name)
    then, now = setup_then(game, (), {}, 1), setup_then(game, (), {}, rules_of(game))
    assert rules_of(game) == 2
    assert now == game.setup()
    differing = {option: value for option, value in then.options.items() if now[option] != value}
    assert differing == EARLIER[name]


def test_what_was_chosen_stays_chosen() -> None:
    assert setup_then(VICTORUS, (), {"rim": "open"}, 1)["rim"] == "open"
    assert setup_then(VICTORUS, (), {"rim": "blocks"}, 2)["rim"] == "blocks"


def test_an_option_that_has_another_name_now_is_found_by_its_old_one() -> None:
    then = setup_then(HEXIMEROS, (), {"ground_zero": "three"}, 1)
    assert (then["doubling"], then["ground_zero"]) == ("three", "straight")
    with pytest.raises(BadInput, match="ground zero is one of diagonal, straight"):
        setup_then(HEXIMEROS, (), {"ground_zero": "three"}, 2)


def test_rules_newer_than_ours_are_not_guessed() -> None:
    with pytest.raises(BadInput, match=r"version 3 of the rules of Victorus.*update it"):
        setup_then(VICTORUS, (), {}, 3)
    with pytest.raises(BadInput, match="update it"):
        audit_record(read_record("game: chess\nrules: 2\n\ne2-e4\n"))


def test_a_record_tells_its_version_of_the_rules() -> None:
    text = write_record(VICTORUS, VICTORUS.setup(), [])
    assert "rules: 2\n" in text
    assert read_record(text).rules == 2
    old = setup_then(VICTORUS, (), {}, 1)
    told = write_record(VICTORUS, old, [])
    assert "option: rim = blocks\n" in told
    record = read_record(told)
    assert setup_then(VICTORUS, record.seats, record.options, record.rules) == old


def test_a_record_without_a_version_is_audited_by_the_first_readings() -> None:
    # Two royal captures: the third move goes back to where the turn began.
    head = "game: victorus\nseats: red, purple\n"
    places = (
        "place: i4 = red white T+\nplace: i6 = purple white U\n"
        "place: h1 = red half K\nplace: f14 = purple half Q\n"
    )
    moves = "to move: red\n\ni4-i6\ni6-i4\n"
    (finding,) = audit_record(read_record(head + places + moves)).findings
    assert finding.verdict.ruling.rule == "VIC-4.4"
    now = read_record(head + "rules: 2\n" + places + moves)
    assert audit_record(now).findings == ()


@pytest.mark.parametrize("version", ["", "x", "0", "-1", "1.5"])
def test_a_version_that_is_no_number_is_refused(version: str) -> None:
    with pytest.raises(BadInput, match="the version of the rules is a whole number"):
        read_record(f"game: victorus\nrules: {version}\n")


@pytest.mark.parametrize("name", sorted(EARLIER))
def test_a_saved_state_tells_its_version_of_the_rules(name: str) -> None:
    game: Any = find_game(name)
    data = game.dump(game.start(game.setup()))
    assert data["rules"] == 2
    assert game.load(data).setup == game.setup()
    older = {key: value for key, value in data.items() if key != "rules"}
    older["options"] = {}
    assert game.load(older).setup == setup_then(game, (), {}, 1)
    with pytest.raises(BadInput, match="update it"):
        game.load(data | {"rules": 9})


def test_earlier_readings_are_among_the_choices() -> None:
    odd = {
        (name, option.name)
        for name in games()
        for option in find_game(name).options
        if set(option.earlier) - set(option.choices)
    }
    assert odd == set()
