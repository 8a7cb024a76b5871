"""What some games have, and what every other game answers in its place."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from companion.games import find_game, games
from companion.rules import (
    Action,
    Alone,
    Armies,
    Arrangements,
    BadInput,
    ButtonWords,
    CardTexts,
    Claims,
    Clocks,
    DiceOnMat,
    EntryForms,
    Evaluation,
    Exports,
    Game,
    HandPlays,
    HiddenHands,
    Highlights,
    IllegalAction,
    Limits,
    Look,
    Mark,
    Names,
    Option,
    Outcome,
    OwnCards,
    OwnFields,
    Pictures,
    Props,
    Rehearsal,
    Rivals,
    Rule,
    RuleBook,
    Ruling,
    SavedStates,
    SeatRules,
    Settlements,
    Situation,
    Supply,
    Teams,
    TimedExports,
    Tolerance,
    TwoSides,
    UciNotation,
    accepted,
    arrangements,
    binds_of,
    breaches_of,
    capabilities,
    card_texts_of,
    check_names,
    claims_of,
    entries_of,
    excluded_by,
    highlights_of,
    limits_of,
    mark_of,
    name_of,
    notations_of,
    other_side,
    own_fields_of,
    owner_of,
    picture_of,
    props_of,
    result,
    rule_book,
    said_by,
    say,
    seatings_of,
    sides_of,
    situation_of,
    tokens_of,
    unknown_of,
)
from tests.checks.loops import some

DOCS = Path(__file__).parents[2] / "docs" / "contract.md"
EVERY = {
    name: kind
    for name, kind in vars(capabilities).items()
    if inspect.isclass(kind)
    and kind.__module__ == capabilities.__name__
    and not name.startswith("_")
}
"""Every capability, by its name."""
HAVE: Mapping[type, set[str]] = {
    SeatRules: {"chess", "heximeros", "invictus", "victorus", "victory_honor"},
    Clocks: {"chess", "victorus"},
    Teams: {"victorus", "victory_honor"},
    Settlements: {"chess", "heximeros", "invictus"},
    Armies: {"chess", "heximeros", "invictus", "victorus"},
    TwoSides: {"heximeros", "invictus", "victorus", "victory_honor"},
    Supply: {"victory_honor"},
    Tolerance: {"chess", "heximeros", "victorus"},
    DiceOnMat: {"hoplomachus"},
    OwnCards: {"hoplomachus"},
    HiddenHands: {"victory_honor"},
    HandPlays: {"victory_honor"},
    Rehearsal: {"hoplomachus", "victory_honor"},
    Alone: {"hoplomachus"},
    Situation: {"heximeros", "hoplomachus", "victory_honor"},
    CardTexts: {"hoplomachus"},
    Props: {"hoplomachus", "victory_honor"},
    OwnFields: {"victory_honor"},
    EntryForms: {"hoplomachus"},
    ButtonWords: {"hoplomachus", "victory_honor"},
    Exports: {"chess", "heximeros"},
    TimedExports: {"chess"},
    Evaluation: {"chess", "heximeros", "invictus", "victorus"},
    Rivals: {"heximeros", "victorus"},
    UciNotation: {"chess"},
}


class Nim(Game[Any]):
    """A game of the core alone: one heap, who takes the last stone wins."""

    name, title, seats = "nim", "Nim", ("left", "right")
    rules = RuleBook({"NIM-1": Rule("NIM-1", "Taking", "One or two stones are taken.")})
    words = MappingProxyType({"take": say("take")})

    def board(self, setup: Any) -> Any:
        return find_game("chess").board(find_game("chess").setup())

    def start(self, setup: Any) -> Any:
        return Heap(setup)

    def to_move(self, state: Any) -> str | None:
        return self.seats[(7 - state.stones) % 2] if state.stones else None

    def legal(self, state: Any) -> Any:
        return [Action("take", detail="1")] if state.stones else []

    def judge(self, state: Any, action: Any) -> Any:
        raise NotImplementedError

    def advance(self, state: Any, action: Any) -> Any:
        return Heap(state.setup, state.stones - 1)

    def outcome(self, state: Any) -> Any:
        return None

    def scorecards(self, state: Any) -> Any:
        return ()

    def expect(self, state: Any) -> Any:
        return {"a1": "stone", "b1": "white stone"}

    def effect(self, state: Any, action: Any) -> Any:
        raise NotImplementedError


class Heap:
    """So many stones."""

    def __init__(self, setup: Any, stones: int = 7) -> None:
        self.setup, self.stones = setup, stones


NIM = Nim()
SETUP = NIM.setup()
STATE = NIM.start(SETUP)


def test_every_capability_is_exported_and_told_in_the_tutorial() -> None:
    import companion.rules

    assert len(EVERY) >= 20
    rows = [line.split(" | ") for line in DOCS.read_text(encoding="utf-8").splitlines()]
    told = {row[0].strip("| `"): row for row in rows if len(row) == 4}
    for name, kind in EVERY.items():
        assert name in companion.rules.__all__
        for method in kind.__abstractmethods__:
            assert f"`{method}`" in told[name][1] or "those of" in told[name][1], (name, method)
        have = {game for game in games() if isinstance(find_game(game), kind)}
        listed = {*games()} if "all" in told[name][3] else {*told[name][3].strip(" |").split(", ")}
        assert have == listed, name


def test_every_method_of_the_core_is_told() -> None:
    told = DOCS.read_text(encoding="utf-8")
    methods = [name for name in vars(Game) if inspect.isfunction(vars(Game)[name])]
    assert methods
    for name in methods:
        assert name.startswith("_") or f"`{name}`" in told, name


@pytest.mark.parametrize("kind", HAVE, ids=lambda kind: kind.__name__)
def test_a_capability_is_found_in_the_games_that_have_it_and_in_no_other(kind: type) -> None:
    assert {name for name in games() if isinstance(find_game(name), kind)} == HAVE[kind]


@pytest.mark.parametrize("name", games())
def test_every_game_is_called_drawn_set_up_and_kept(name: str) -> None:
    game = find_game(name)
    for kind in (Names, Pictures, Arrangements, SavedStates, Claims, Highlights):
        assert isinstance(game, kind), kind


@pytest.mark.parametrize("name", games())
def test_no_game_has_the_method_of_a_capability_that_it_does_not_declare(name: str) -> None:
    game = find_game(name)
    for kind in some(EVERY.values()):
        if not isinstance(game, kind):
            own = {method for method in vars(kind) if not method.startswith("_")}
            assert not own & {*dir(game)}, (kind, own)


@pytest.mark.parametrize("kind", EVERY.values(), ids=EVERY)
def test_a_game_of_the_core_alone_has_no_capability(kind: type) -> None:
    assert not isinstance(NIM, kind)


def test_a_game_of_the_core_alone_answers_everything_that_is_asked_of_all_games() -> None:
    take = NIM.legal(STATE)[0]
    assert claims_of(NIM, STATE) == binds_of(NIM, STATE, take) == ()
    assert highlights_of(NIM, STATE) == unknown_of(NIM, STATE) == {}
    assert breaches_of(NIM, STATE) == situation_of(NIM, STATE) == entries_of(NIM, STATE) == ()
    assert card_texts_of(NIM, STATE) == own_fields_of(NIM, STATE, "left") == ()
    assert props_of(NIM, STATE) == ()
    assert limits_of(NIM, SETUP) == Limits()
    assert sides_of(NIM, SETUP) == (("left",), ("right",))
    assert seatings_of(NIM) == (("left", "right"),)
    assert excluded_by(NIM) == {}
    assert owner_of(NIM, "stone") is None
    assert name_of(NIM, "stone") == other_side(NIM, "stone") == "stone"
    assert tokens_of(NIM, SETUP) == ("stone", "white stone")
    assert accepted(NIM, STATE, "a1") == ("stone",)
    assert accepted(NIM, STATE, "h8") == (None,)
    assert said_by(NIM, take) == ""
    assert notations_of(NIM) == ()
    assert mark_of(NIM, "hot") == Mark(say("{word}", word="hot"))


def test_a_tolerant_game_says_itself_what_may_lie_on_a_spot() -> None:
    game = find_game("chess")
    state = game.start(game.setup())
    spot, token = next(iter(game.expect(state).items()))
    assert accepted(game, state, spot) == game.accepts(state, spot)
    assert accepted(game, state, spot)[0] == token


def test_all_seats_play_in_the_order_of_the_game_unless_it_has_rules_for_that() -> None:
    assert NIM.setup(("right", "left")).seats == ("left", "right")
    with pytest.raises(BadInput, match="Nim is played by all of left, right"):
        NIM.setup(("left",))


def test_a_name_that_one_game_gave_stays_as_it_is_when_another_comes() -> None:
    type("First", (Nim,), {"called": {"well": say("the well")}})
    type("Second", (Nim,), {"called": {"well": say("the deep hole")}})
    assert say("to {spot}", spot="well") == "to the well"


def test_the_names_of_a_position_are_checked_in_one_place() -> None:
    names = ({"a1", "b1"}, {"stone"}, ("left", "right"))
    check_names("Nim", names, {"a1": "stone"}, "left")
    for position, to_move, sentence in (
        ({"z9": "stone"}, None, "no spot “z9”"),
        ({"a1": "egg"}, None, "“egg” is no piece of Nim"),
        ({}, "top", "Nim has no seat “top”"),
    ):
        with pytest.raises(BadInput, match=sentence):
            check_names("Nim", names, position, to_move)


def test_the_end_of_a_game_is_told_to_each_seat() -> None:
    won, drawn = Outcome(("left",), "NIM-1", ""), Outcome((), "NIM-1", "")
    assert [result(won, "left"), result(won, "right"), result(drawn, "left")] == [
        "won", "lost", "draw",
    ]  # fmt: skip


def test_a_game_settles_nothing_by_its_rules_unless_it_says_how() -> None:
    class Settling(Nim, Settlements[Any]):
        """Nim with the defaults."""

    assert Settling().resignation(STATE, "left") is None
    assert Settling().agreement(STATE) is None


def test_the_face_of_a_token_is_the_token_unless_a_game_says_otherwise() -> None:
    assert NIM.look("stone") == Look("stone")


def test_an_action_that_is_not_legal_is_refused_with_its_ruling() -> None:
    tiny = Refusing()
    with pytest.raises(IllegalAction, match="That is too many"):
        tiny.apply(tiny.start(tiny.setup()), Action("take", detail="9"))


class Refusing(Nim):
    """Nim that rules on what is not legal."""

    def judge(self, state: Any, action: Any) -> Any:
        return Ruling(False, "NIM-1", "That is too many.")


def test_a_game_in_no_package_has_no_rule_book_beside_it() -> None:
    with pytest.raises(BadInput, match="lies in no package"):
        rule_book(None)


def test_cards_that_do_not_suffice_seat_nobody() -> None:
    class Lacking(Nim, OwnCards):
        options = (Option("cards", "own", ("own", "lent"), "NIM-1", "which cards"),)

        def blanks(self) -> Any:
            return ()

        def check_owned(self, data: Any) -> None:
            return None

        def lacking(self, options: Mapping[str, str]) -> str | None:
            return "enter more cards" if options["cards"] == "own" else None

    assert seatings_of(Lacking()) == ()
    assert seatings_of(Lacking(), {"cards": "lent"}) == (("left", "right"),)
    assert excluded_by(Lacking(), {"cards": "lent"}) == {"cards": {"own": "enter more cards"}}


def test_what_a_game_has_is_asked_of_the_game() -> None:
    chess = find_game("chess")
    setup = chess.setup()
    assert arrangements(chess) is chess
    assert picture_of(chess, setup, "white K") == chess.draw(setup, "white K")


def test_tokens_without_pictures_are_told_apart_by_their_discs() -> None:
    stone, white = (picture_of(NIM, SETUP, token) for token in tokens_of(NIM, SETUP))
    assert stone
    assert white
    assert stone != white
    reach = NIM.board(SETUP).pitch / 2
    assert all(abs(x) < reach and abs(y) < reach for s in stone for x, y in s.points)
    assert picture_of(NIM, SETUP, "stone") == stone


def test_a_game_whose_positions_cannot_be_set_up_says_so() -> None:
    with pytest.raises(BadInput, match="positions of Nim cannot be set up"):
        arrangements(NIM)


def test_a_game_of_the_core_alone_is_played_and_refuses() -> None:
    take = NIM.legal(STATE)[0]
    assert NIM.apply(STATE, take).stones == 6
    assert NIM.parse(SETUP, NIM.format(take)) == take


def test_what_a_piece_carries_is_told_apart_from_the_piece() -> None:
    victorus = find_game("victorus")
    assert victorus.marks_on("red white T+ frozen") == ("royal", "frozen")
    assert victorus.marks_on("red white T") == ()
    assert victorus.unmarked("red white T+ frozen") == "red white T"
    assert victorus.marks["frozen"].holds
    heximeros = find_game("heximeros")
    assert heximeros.marks_on("silver M+") == ("hatted",)
    assert heximeros.unmarked("silver M+") == "silver M"
    assert heximeros.owner("token") is None


@pytest.mark.parametrize("name", games())
def test_every_token_of_a_seat_is_that_seats(name: str) -> None:
    game = find_game(name)
    setup = game.setup()
    owners = {owner_of(game, token) for token in game.expect(game.start(setup)).values()}
    assert owners <= {*setup.seats, None}
    assert isinstance(game, Armies) == (set(setup.seats) <= owners)


@pytest.mark.parametrize("name", games())
def test_every_mark_has_words(name: str) -> None:
    game = find_game(name)
    assert game.marks
    for mark in game.marks.values():
        assert mark.words
