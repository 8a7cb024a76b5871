"""Victorus, sections 5 and 6: captures, bonus moves, freezing, promotion."""

from __future__ import annotations

from companion.games.victorus import GAME
from companion.games.victorus.state import VictorusState
from companion.rules import Action, read_action
from tests.checks.victorus_tables import after, opened, table, why

PREY = "purple white U"


# -- one capture ---------------------------------------------------------------------------


def test_a_capture_ends_on_an_enemys_cell_and_goes_to_the_scorecard() -> None:
    state = table({"i4": "red white T", "i6": PREY, "i2": "red white E"})
    assert (why(state, "i4-i6").allowed, why(state, "i4-i6").rule) == (True, "VIC-5.1")
    assert (why(state, "i4-i2").allowed, why(state, "i4-i2").rule) == (False, "VIC-5.1")
    card = GAME.scorecards(after(state, "i4-i6"))[0]
    assert card.fields[0].label == "white T"
    assert (card.fields[0].tokens, card.fields[0].value) == ((PREY,), "1")
    assert card.score is None


def test_a_captor_rests_and_another_piece_takes_the_bonus() -> None:
    state = after(table({"i4": "red white T", "i6": PREY, "e4": "red white E"}), "i4-i6")
    assert GAME.to_move(state) == "red"
    assert GAME.expect(state)["i6"] == "red white T frozen"
    assert GAME.highlights(state)["frozen"] == ("i6",)
    assert "e4" in GAME.highlights(state)["bonus"]
    ruling = why(state, "i6-i4")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-5.2", ("i6",))
    done = after(state, str(next(a for a in GAME.legal(state) if a.origin == "e4")))
    assert GAME.to_move(done) == "purple"
    assert GAME.expect(done)["i6"] == "red white T"


def test_a_bonus_move_may_be_declined_unless_it_must_be_made() -> None:
    pieces = {"i4": "red white T", "i6": PREY}
    state = after(table(pieces), "i4-i6")
    assert (why(state, "end").allowed, why(state, "end").rule) == (True, "VIC-5.2")
    assert GAME.to_move(after(state, "end")) == "purple"
    must = after(table(pieces, bonus="must"), "i4-i6")
    assert (why(must, "end").allowed, why(must, "end").rule) == (False, "VIC-5.2")


def test_a_capture_on_a_bonus_move_earns_the_next() -> None:
    pieces = {"i4": "red white T", "i6": PREY, "e4": "red white E", "e10": "purple white B",
              "m4": "red white B"}  # fmt: skip
    state = after(table(pieces), "i4-i6", "e4-e10")
    assert GAME.to_move(state) == "red"
    assert {s for s, t in GAME.expect(state).items() if t.endswith("frozen")} == {"i6", "e10"}
    assert why(state, "e10-e12").rule == "VIC-5.2"
    assert any(action.origin == "m4" for action in GAME.legal(state))


def test_a_strategic_step_may_be_a_bonus_move() -> None:
    pieces = {"i4": "red white T", "i6": PREY, "i2": "red white B"}
    state = after(table(pieces), "i4-i6")
    step = next(t for t in ("h3", "j3") if why(state, f"i2-{t}").allowed)
    assert why(state, f"i2-{step}").rule == "VIC-5.3"
    plain = after(table(pieces, bonus_strategic="no"), "i4-i6")
    assert (why(plain, f"i2-{step}").allowed, why(plain, f"i2-{step}").rule) == (False, "VIC-5.3")


def test_a_hospitaller_travels_and_pivots_as_a_bonus() -> None:
    pieces = {"i4": "red white T", "i6": PREY, "e4": "red white H"}
    state = after(table(pieces), "i4-i6")
    state = after(state, str(next(a for a in GAME.legal(state) if a.origin == "e4")))
    assert state.turn.stage == "pivot"
    assert GAME.to_move(after(state, str(GAME.legal(state)[0]))) == "purple"


# -- King, Queen, royal knights --------------------------------------------------------------


def test_a_royal_that_captured_may_make_its_second_move_and_rests_there() -> None:
    pieces = {"i4": "red white T+", "i6": PREY, "e4": "red white E"}
    state = after(table(pieces), "i4-i6")
    assert why(state, "end").rule == "VIC-5.2"
    moved = after(state, "i6-i2")
    assert GAME.expect(moved)["i2"] == "red white T+ frozen"
    assert why(moved, "i2-i4").rule == "VIC-5.2"
    instead = after(state, str(next(a for a in GAME.legal(state) if a.origin == "e4")))
    assert GAME.to_move(instead) == "purple"


def test_a_royal_rests_when_another_piece_captures_on_its_bonus() -> None:
    pieces = {"i4": "red white T+", "i6": PREY, "e4": "red white E", "e10": "purple white B"}
    state = after(table(pieces), "i4-i6", "e4-e10")
    assert why(state, "i6-i2").rule == "VIC-5.2"


def test_a_double_captor_may_take_its_own_bonus_or_pass_it_on() -> None:
    pieces = {"i4": "red white T+", "i6": PREY, "i2": "purple white B", "m4": "red white E"}
    state = after(table(pieces), "i4-i6", "i6-i2")
    assert GAME.expect(state)["i2"] == "red white T+"
    assert why(state, "i2-i4").allowed
    assert GAME.to_move(after(state, "i2-i4")) == "purple"
    other = next(a for a in GAME.legal(state) if a.origin == "m4")
    assert GAME.to_move(after(state, str(other))) == "purple"
    kept = after(table(pieces, pass_on="no"), "i4-i6", "i6-i2")
    assert (why(kept, str(other)).rule, why(kept, str(other)).spots) == ("VIC-5.4", ("i2",))


def test_a_bonus_that_is_passed_on_freezes_the_double_captor() -> None:
    pieces = {"i4": "red white T+", "i6": PREY, "i2": "purple white B", "e4": "red white E",
              "e10": "purple white T"}  # fmt: skip
    state = after(table(pieces), "i4-i6", "i6-i2", "e4-e10")
    assert why(state, "i2-i4").rule == "VIC-5.2"


def test_a_second_move_that_must_be_made_comes_before_the_bonus() -> None:
    pieces = {"i4": "red white T+", "i6": PREY, "m4": "red white E"}
    state = after(table(pieces, second="must"), "i4-i6")
    assert (why(state, "m4-n4").rule, why(state, "m4-n4").spots) == ("VIC-4.4", ("i6",))


def test_figure_j_the_queen_captures_three_times_and_moves_on_one_colour() -> None:
    pieces = {"i4": "red half Q", "h1": "red half K", "i5": "purple black T",
              "j6": "purple black U", "k6": "purple black B"}  # fmt: skip
    royals = {"j14": "purple half K", "f14": "purple half Q"}
    state = after(opened(table(pieces, royals=royals)), "i4-i5", "i5-j6", "j6-k6", "k6-k7")
    assert GAME.to_move(state) == "purple"
    assert GAME.expect(state)["k7"] == "red half Q"
    assert len(GAME.scorecards(state)[0].fields[8].tokens) == 3


def test_a_royal_bonus_ends_on_the_colour_of_the_last_capture() -> None:
    pieces = {"i4": "red white T", "i6": PREY, "l4": "red half Q", "h1": "red half K"}
    royals = {"j14": "purple half K", "f14": "purple half Q"}
    state = after(opened(table(pieces, royals=royals)), "i4-i6")
    assert (why(state, "l4-l3").allowed, why(state, "l4-l3").rule) == (False, "VIC-5.5")
    assert why(state, "l4-l2").allowed
    other = table(pieces, royals=royals, royal_bonus_colour="opposite")
    state = after(opened(other), "i4-i6")
    assert why(state, "l4-l3").allowed
    assert not why(state, "l4-l2").allowed


# -- where a capture may happen ----------------------------------------------------------------


def test_from_the_own_kingdom_one_captures_in_the_battlefield_only() -> None:
    state = table({"h2": "red black T", "h13": "purple black T"})
    ruling = why(state, "h2-h13")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-5.6", ("h2", "h13"))
    assert why(table({"h2": "red black T", "h9": "purple black T"}), "h2-h9").allowed
    assert why(table({"h4": "red black T", "h13": "purple black T"}), "h4-h13").allowed
    assert why(table({"h2": "red black T"}), "h2-h13").allowed


def test_from_an_enemy_kingdom_one_captures_outside_kingdoms_only() -> None:
    assert why(table({"h13": "red black T", "h9": "purple black T"}), "h13-h9").allowed
    pieces = {"i13": "red black E", "h13": "purple black T"}
    ruling = why(table(pieces), "i13-h13")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-5.6", ("i13", "h13"))
    assert why(table(pieces, from_enemy="yes"), "i13-h13").allowed


FOUR = {"h1": "red half K", "f14": "purple half Q", "a3": "orange half Q", "q3": "blue half K"}
ROUND = ("red", "orange", "purple", "blue")


def four(pieces: dict[str, str], **options: str) -> VictorusState:
    """Return a position of four armies with red to move."""
    royals = {cell: token for cell, token in FOUR.items() if token not in pieces.values()}
    return table(pieces, ROUND, royals, placement="free", **options)


def test_from_an_enemy_kingdom_one_may_capture_in_that_one_where_it_is_agreed() -> None:
    pieces = {"i13": "red black E", "h13": "purple black T", "o8": "blue black U"}
    state = four(pieces, from_enemy="same")
    assert why(state, "i13-h13").allowed
    ruling = why(state, "i13-o8")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-5.6", ("i13", "o8"))
    assert "captures in that one" in ruling.reason
    assert why(four(pieces, from_enemy="yes"), "i13-o8").allowed


def test_a_kingdom_that_falls_was_a_kingdom_for_who_began_there_unless_agreed() -> None:
    pieces = {
        "h13": "red black E",
        "i4": "red white T",
        "i6": "purple half Q",
        "o7": "blue black U",
    }
    for reading, allowed in (("then", False), ("now", True)):
        state = after(four(pieces, fallen_kingdom=reading), "i4-i6")
        assert why(state, "h13-o7").allowed is allowed, reading


def test_a_captor_captures_nothing_more_in_that_enemy_kingdom_in_the_turn() -> None:
    pieces = {"i3": "red white E+", "i4": PREY, "j5": PREY[:-1] + "B", "j14": "purple white T",
              "k13": "purple white E"}  # fmt: skip
    royals = {"h1": "red half K", "f14": "purple half Q"}
    turn = ("i3-i4", "i4-j5", "j5-j14")
    state = after(table(pieces, royals=royals), *turn)
    ruling = why(state, "j14-k13")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-5.7", ("k13",))
    assert "purple's kingdom" in ruling.reason
    assert why(after(table(pieces, royals=royals, same_kingdom="yes"), *turn), "j14-k13").allowed


def test_a_captor_stays_in_an_enemy_kingdom_where_that_is_agreed() -> None:
    royal = {"h4": "red black E+", "h13": "purple black T", "i4": "red white T"}
    for variant in ("basic", "quick"):
        state = after(table(royal, captor="stays", variant=variant), "h4-h13")
        ruling = why(state, "h13-h9")
        assert (ruling.allowed, ruling.rule) == (False, "VIC-5.2"), variant
        assert GAME.expect(state)["h13"] == "red black E+ frozen"
        assert why(state, "i4-i6").allowed, "another piece takes the bonus"
    pieces = {"i3": "red white E+", "i4": PREY, "j5": PREY[:-1] + "B", "j14": "purple white T"}
    royals = {"h1": "red half K", "f14": "purple half Q"}
    state = after(table(pieces, royals=royals, captor="stays"), "i3-i4", "i4-j5", "j5-j14")
    assert GAME.expect(state)["j14"] == "red white E+ frozen"


def test_into_the_own_kingdom_every_piece_may_capture() -> None:
    state = table({"h13": "red black T", "h2": "purple black T"})
    assert why(state, "h13-h2").allowed


def test_after_a_capture_in_an_enemy_kingdom_only_the_battlefield_is_open() -> None:
    quiet = after(table({"h4": "red black E+", "h13": "purple black T"}), "h4-h13")
    ruling = why(quiet, "h13-i13")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-5.7", ("h13", "i13"))
    assert why(quiet, "h13-h9").allowed


def test_a_double_captor_does_not_come_back_into_that_kingdom() -> None:
    pieces = {"h4": "red black E+", "h13": "purple black T", "g12": "purple black U"}
    state = after(table(pieces), "h4-h13", "h13-g12")
    assert (why(state, "g12-h13").allowed, why(state, "g12-h13").rule) == (False, "VIC-5.7")
    assert why(state, "g12-g10").allowed


def test_a_second_capture_in_an_enemy_kingdom_rests_unless_agreed() -> None:
    pieces = {"h4": "red black E+", "h9": "purple black U", "h13": "purple black T"}
    state = after(table(pieces), "h4-h9", "h9-h13")
    assert GAME.expect(state)["h13"] == "red black E+ frozen"
    free = after(table(pieces, double="any"), "h4-h9", "h9-h13")
    assert GAME.expect(free)["h13"] == "red black E+"


def test_a_capture_on_the_second_move_alone_rests_the_royal() -> None:
    state = after(table({"i4": "red white T+", "i8": PREY, "i2": PREY[:-1] + "B"}), "i4-i6")
    state = after(state, "i6-i2")
    assert GAME.expect(state)["i2"] == "red white T+ frozen"
    assert state.turn.bonus == 1


# -- promotion -----------------------------------------------------------------------------------


def test_a_knight_is_promoted_at_the_end_of_the_turn_when_its_captures_count_two() -> None:
    state = after(table({"i4": "red white T", "i6": "purple white U+"}), "i4-i6")
    assert GAME.expect(state)["i6"] == "red white T frozen"
    assert set(GAME.accepts(state, "i6")) == {
        "red white T frozen", "red white T", "red white T+ frozen", "red white T+",
    }  # fmt: skip
    assert GAME.effect(state, Action("end")).changes == {"i6": "red white T+"}
    done = after(state, "end")
    assert GAME.expect(done)["i6"] == "red white T+"
    assert "red white T" in GAME.accepts(done, "i6")


def test_one_regular_capture_promotes_nobody_a_second_does() -> None:
    pieces = {"i4": "red white T", "i6": PREY, "i2": "purple white B", "p1": "purple white E"}
    state = after(table(pieces), "i4-i6", "end")
    assert GAME.expect(state)["i6"] == "red white T"
    state = after(state, "j14-j13", "end", "i6-i2", "end")
    assert GAME.expect(state)["i2"] == "red white T+"


def test_captures_by_other_pieces_promote_nobody() -> None:
    state = after(table({"i4": "red white T+", "i6": "purple white U+"}), "i4-i6")
    assert state.tally.merit == bytes(48)
    assert GAME.scorecards(state)[0].fields[8].tokens == ("purple white U+",)


def test_a_knight_promoted_by_its_bonus_move_becomes_royal_in_that_effect() -> None:
    pieces = {"i4": "red white T", "i6": PREY, "e4": "red white E", "e10": "purple white B+"}
    state = after(table(pieces), "i4-i6")
    assert GAME.effect(state, read_action("e4-e10")).becomes is None
    assert state.tally.merit[0] == 1
    ready = state._replace(
        tally=state.tally._replace(merit=bytes([0] * 6 + [2] + [0] * 41)), turn=state.turn
    )
    move = next(a for a in GAME.legal(ready) if a.origin == "e4" and a.target != "e10")
    assert GAME.effect(ready, move).becomes == "red white E+"


def test_a_captors_own_bonus_in_the_quick_game_is_due_though_like_its_second_move() -> None:
    pieces = {"h2": "purple black T"}
    must = after(table(pieces, variant="quick", bonus="must"), "h1-h2")
    assert why(must, "end").rule == "VIC-5.2"
    assert why(after(table(pieces, variant="quick"), "h1-h2"), "end").allowed
