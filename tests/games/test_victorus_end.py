"""Victorus, sections 7 and 8: the centre, the way round, rescue, elimination, variants."""

from __future__ import annotations

from companion.games.victorus import GAME
from companion.games.victorus import geometry as g
from companion.games.victorus.fate import points
from companion.games.victorus.pieces import KING, QUEEN, code_of
from companion.games.victorus.state import VictorusState
from companion.games.victorus.winding import laps_after, way
from companion.rules import Action, read_action
from tests.checks.victorus_tables import after, opened, table, why

RED_KING, PURPLE_KING = code_of(0, KING), code_of(3, KING)


def with_laps(state: VictorusState, king: int = 0, queen: int = 0) -> VictorusState:
    """Return the state with red's gate open and its King and Queen so often round the centre."""
    laps = (king, queen, *state.tally.laps[2:])
    return opened(state)._replace(tally=opened(state).tally._replace(laps=laps))


def holding(state: VictorusState, place: int, code: int) -> VictorusState:
    """Return the state with ``code`` lying on the pile of the seat at ``place``."""
    cards = list(state.tally.cards)
    cards[place] = ((),) * 8 + ((code,),)
    return state._replace(tally=state.tally._replace(cards=tuple(cards)))


PURPLE = {"j14": "purple half K", "f14": "purple half Q"}


# -- the centre ------------------------------------------------------------------------------


def test_a_king_that_went_round_clockwise_wins_through_its_portal() -> None:
    state = with_laps(table({"i4": "red half K", "l1": "red half Q"}, royals=PURPLE), king=1)
    ruling = why(state, "i4-i7")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (True, "VIC-7.1", ("i4", "i7"))
    over = after(state, "i4-i7")
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == (("red",), "VIC-7.1")
    assert GAME.to_move(over) is None
    assert GAME.legal(over) == []
    assert GAME.claims(over) == ()
    assert GAME.highlights(over) == {}
    assert why(over, "j14-j13").rule == "VIC-7.1"
    assert not GAME.check(over)


def test_a_queen_wins_counter_clockwise_on_move_two_or_a_bonus() -> None:
    pieces = {"i3": "red half Q", "h1": "red half K"}
    state = with_laps(table(pieces, royals=PURPLE), queen=-1)
    assert GAME.outcome(after(state, "i3-i4", "i4-i7")) is not None
    chain = {**pieces, "e4": "red white T", "e10": "purple white U"}
    bonus = after(with_laps(table(chain, royals=PURPLE), queen=-1), "e4-e10")
    assert GAME.outcome(after(bonus, "i3-i7")) is not None


def test_a_queen_goes_all_the_way_round_and_wins_on_turn_three() -> None:
    state = opened(table({"m4": "red half Q", "h1": "red half K"}, royals=PURPLE))
    first = after(state, "m4-m5", "m5-m11", "f14-f13", "end")
    second = after(first, "m11-f8", "f8-i6", "f13-f14", "end")
    outcome = GAME.outcome(after(second, "i6-i7"))
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == (("red",), "VIC-7.1")


def test_the_way_has_to_be_complete_and_in_the_right_sense() -> None:
    for king in (0, -1):
        state = with_laps(table({"i4": "red half K", "l1": "red half Q"}, royals=PURPLE), king)
        ruling = why(state, "i4-i7")
        assert (ruling.allowed, ruling.rule) == (False, "VIC-7.2")
    queen = with_laps(table({"i4": "red half Q", "h1": "red half K"}, royals=PURPLE), queen=1)
    assert "counter-clockwise" in why(queen, "i4-i7").reason


def test_going_back_subtracts_from_the_way() -> None:
    ring = ["i6", "h7", "h8", "i8", "j7", "j6", "i6"]
    path = tuple(g.INDEX[name] for name in ring)
    assert laps_after(0, 0, path) == 1
    assert laps_after(1, 0, tuple(reversed(path))) == 0
    assert laps_after(0, 0, tuple(reversed(path))) == -1


def test_the_way_of_a_king_is_counted_from_its_own_start_cell() -> None:
    state = GAME.start(GAME.setup())
    assert 0 < way(state, RED_KING, g.INDEX["h1"]) < 30
    assert -30 < way(state, code_of(0, QUEEN), g.INDEX["l1"]) < 0
    straight = table({"i10": "red half K", "l1": "red half Q"}, royals=PURPLE)
    assert way(straight, RED_KING, g.INDEX["i10"]) == -180.0


def test_a_kings_move_round_the_far_side_counts_a_lap() -> None:
    state = opened(table({"h12": "red half K", "l1": "red half Q"}, royals=PURPLE))
    gone = after(state, "h12-i11")
    assert gone.tally.laps[0] == 0
    gone = after(gone, "i11-j11")
    assert gone.tally.laps[0] == 1
    assert way(gone, RED_KING, g.INDEX["j11"]) > 180


def test_the_far_portal_asks_for_a_round_and_a_half() -> None:
    pieces = {"i10": "red half K", "l1": "red half Q"}
    state = with_laps(table(pieces, royals=PURPLE, portal="far"), king=1)
    assert why(state, "i10-i7").allowed
    assert why(with_laps(state, king=0), "i10-i7").rule == "VIC-7.2"


def test_the_centre_is_entered_straight_through_the_own_portal_only() -> None:
    pieces = {"j6": "red half K", "l1": "red half Q", "i9": "red white T"}
    state = with_laps(table(pieces, royals=PURPLE), king=1)
    ruling = why(state, "j6-i7")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-7.3", ("i6", "i7"))
    blocked = {"i4": "red half K", "l1": "red half Q", "i5": "red black T"}
    state = with_laps(table(blocked, royals=PURPLE), king=1)
    assert (why(state, "i4-i7").rule, why(state, "i4-i7").spots) == ("VIC-3.2", ("i5",))
    shut = {"i4": "red half K", "l1": "red half Q"}
    assert why(table(shut, royals=PURPLE), "i4-i7").rule == "VIC-4.6"


# -- rescue and elimination ----------------------------------------------------------------------


def test_capturing_a_royal_of_the_captor_brings_both_home() -> None:
    pieces = {"i4": "red white T", "i6": "purple half K"}
    royals = {"l1": "red half Q", "f14": "purple half Q"}
    state = after(holding(table(pieces, royals=royals), 3, RED_KING), "i4-i6")
    assert GAME.expect(state)["h1"] == "red half K"
    assert GAME.expect(state)["j14"] == "purple half K"
    assert state.tally.cards[3][8] == ()
    assert state.tally.cards[0][0] == ()
    assert (state.tally.gate[0], state.tally.merit[0], state.turn.bonus) == (1, 2, 1)
    assert why(state, "h1-g1").allowed
    assert GAME.scorecards(state)[0].fields[0].value == "2"


def rescued(home: str = "red white B") -> VictorusState:
    """Return a rescue whose King finds ``home`` on its own cell."""
    pieces = {"i4": "red white T", "i6": "purple half K", "h1": home}
    royals = {"l1": "red half Q", "f14": "purple half Q"}
    return after(holding(table(pieces, royals=royals), 3, RED_KING), "i4-i6")


def test_the_owner_chooses_the_nearest_free_cell_where_home_is_taken() -> None:
    state = rescued()
    assert GAME.to_move(state) == "red"
    placings = {str(action) for action in GAME.legal(state)}
    assert placings == {"*g1=K"}
    assert why(state, "*g1=K").allowed
    assert (why(state, "*h1=K").rule, why(state, "*h1=K").spots) == ("VIC-7.5", ("h1",))
    assert (why(state, "*l2=K").allowed, why(state, "*l2=K").spots) == (False, ("g1",))
    assert not why(state, "*g1=Q").allowed
    assert why(state, "end").rule == "VIC-7.5"
    assert why(state, "h1-j1").rule == "VIC-7.5"
    assert GAME.effect(state, read_action("*g1=K")).changes == {"g1": "red half K"}
    assert GAME.expect(after(state, "*g1=K"))["g1"] == "red half K"
    assert why(after(state, "*g1=K"), "*g1=K").rule == "VIC-7.5"
    assert not GAME.judge(state, Action("place", "h1", "g1", "K")).allowed


def test_a_returned_royal_waits_while_its_kingdom_is_full() -> None:
    white = dict.fromkeys(("h1", "g1", "j1", "k1", "f2", "l2"), "red white E")
    pieces = {"i4": "red white T", "i6": "purple half K", **white}
    royals = {"l1": "red half Q", "f14": "purple half Q"}
    state = after(holding(table(pieces, royals=royals), 3, RED_KING), "i4-i6")
    assert state.tally.waiting == (RED_KING,)
    assert "red half K" not in GAME.expect(state).values()
    home = next(a for a in GAME.legal(state) if a.origin == "h1")
    assert "red half K" in GAME.expect(GAME.advance(state, home)).values()
    other = next(a for a in GAME.legal(state) if a.origin == "g1")
    moved = GAME.advance(state, other)
    assert GAME.to_move(moved) == "red"
    assert [str(a) for a in GAME.legal(moved)] == ["*g1=K"]


def test_a_player_without_king_and_queen_is_out() -> None:
    seats = ("red", "orange", "blue")
    pieces = {"i4": "red white T", "i6": "orange half K", "b4": "orange white T",
              "p6": "blue half K"}  # fmt: skip
    royals = {"h1": "red half K", "l1": "red half Q"}
    state = after(table(pieces, seats, royals), "i4-i6")
    assert "b4" not in GAME.expect(state)
    assert GAME.accepts(state, "b4") == (None, "orange white T")
    assert GAME.accepts(state, "i4") == (None,)
    assert state.arena.view(state.tally.live).zone[g.INDEX["b4"]] == g.BATTLEFIELD
    assert GAME.scorecards(state)[1].status == "out"
    assert GAME.to_move(after(state, "end")) == "blue"


def test_the_last_player_standing_wins() -> None:
    royals = {"h1": "red half K", "l1": "red half Q"}
    state = table(
        {"i4": "red white T", "i6": "purple half K", "b4": "purple white T"}, royals=royals
    )
    effect = GAME.effect(state, read_action("i4-i6"))
    assert effect.captures == ("purple half K",)
    assert effect.changes["b4"] is None
    outcome = GAME.outcome(after(state, "i4-i6"))
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == (("red",), "VIC-7.4")


def test_losing_the_king_alone_puts_nobody_out() -> None:
    royals = {"h1": "red half K", "l1": "red half Q", "f14": "purple half Q"}
    state = after(table({"i4": "red white T", "i6": "purple half K"}, royals=royals), "i4-i6")
    assert GAME.outcome(state) is None
    assert state.tally.playing == state.arena.seated


# -- the quick game ------------------------------------------------------------------------------


def test_the_quick_games_captor_may_take_its_bonus_itself() -> None:
    pieces = {"i4": "red white T", "i6": "purple white U"}
    state = after(table(pieces, variant="quick"), "i4-i6")
    assert why(state, "i6-i2").allowed
    assert not [t for t in GAME.expect(state).values() if t.endswith("frozen")]
    assert GAME.to_move(after(state, "i6-i2")) == "purple"


def test_a_double_capture_in_the_quick_game_earns_two_bonus_moves() -> None:
    pieces = {"i4": "red white T+", "i6": "purple white U", "i2": "purple white B"}
    state = after(table(pieces, variant="quick"), "i4-i6", "i6-i2")
    assert state.turn.bonus == 2
    state = after(state, "i2-i4")
    assert GAME.to_move(state) == "red"
    assert GAME.to_move(after(state, "i4-i2")) == "purple"


def test_a_quick_second_move_may_instead_be_the_bonus() -> None:
    pieces = {"i4": "red white T+", "i6": "purple white U"}
    never = {"variant": "quick", "return": "no"}
    state = after(table(pieces, **never), "i4-i6")
    assert why(state, "i6-i4").allowed
    assert GAME.to_move(after(state, "i6-i4")) == "purple"
    state = after(state, "i6-i2")
    assert state.turn.bonus == 1
    must = after(table(pieces, second="must", **never), "i4-i6")
    assert why(must, "i6-i4").rule == "VIC-4.4"


def test_a_quick_captor_captures_no_second_time_in_that_kingdom() -> None:
    pieces = {"h4": "red black E", "h13": "purple black T", "i13": "purple black E"}
    state = after(table(pieces, variant="quick"), "h4-h13")
    ruling = why(state, "h13-i13")
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-5.7", ("i13",))
    assert why(state, "h13-h9").allowed


def test_the_clocks_of_the_quick_game_are_claims() -> None:
    state = GAME.start(GAME.setup(("red", "purple"), {"variant": "quick"}))
    assert [str(claim) for claim in GAME.claims(state)] == ["forfeit", "time"]
    assert why(state, "forfeit").allowed
    passed = after(state, "forfeit")
    assert GAME.to_move(passed) == "purple"
    last = after(passed, "time")
    assert [str(claim) for claim in GAME.claims(last)] == ["forfeit"]
    assert why(last, "time").rule == "VIC-8.1"
    outcome = GAME.outcome(after(last, "forfeit"))
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == ((), "VIC-8.1")
    assert GAME.outcome(after(state, "time")) is not None
    basic = table({})
    assert GAME.claims(basic) == ()
    assert not why(basic, "time").allowed


def test_a_turn_that_has_begun_is_not_forfeited() -> None:
    state = after(table({"i4": "red white T+"}, variant="quick"), "i4-i6")
    assert (why(state, "forfeit").allowed, why(state, "forfeit").rule) == (False, "VIC-8.1")
    assert [str(claim) for claim in GAME.claims(state)] == ["time"]
    called = after(state, "time")
    assert GAME.outcome(called) is None
    assert why(called, "i6-i2").allowed


def test_points_decide_when_the_time_is_up() -> None:
    pieces = {"i4": "red white T", "i6": "purple white U"}
    state = after(table(pieces, variant="quick"), "i4-i6", "end", "time", "forfeit")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == ("red",)
    assert [card.score for card in GAME.scorecards(state)] == [2, 0]
    worth = {"white E": 4, "white H": 5, "white T+": 6, "white E+": 8, "half K": 10, "half Q": 10}
    for face, value in worth.items():
        code = state.arena.code(f"purple {face}")
        assert code is not None
        assert points(((code,),)) == value


def test_equal_points_are_a_draw_or_shared() -> None:
    for tie, winners in (("draw", ()), ("shared", ("red", "purple"))):
        start = GAME.start(GAME.setup(("red", "purple"), {"variant": "quick", "tie": tie}))
        outcome = GAME.outcome(after(start, "time"))
        assert outcome is not None
        assert outcome.winners == winners


# -- allied armies -------------------------------------------------------------------------------


def test_allied_armies_play_in_their_own_order() -> None:
    six = GAME.setup(options={"variant": "allied"})
    assert six.seats == ("orange", "black", "red", "blue", "green", "purple")
    four = GAME.setup(("black", "orange", "blue", "green"), {"variant": "allied"})
    assert four.seats == ("orange", "black", "blue", "green")


def test_allies_do_not_capture_each_other_and_block() -> None:
    setup = GAME.setup(options={"variant": "allied"})
    pieces = {"i4": "red white T", "i6": "orange white U"}
    state = GAME.arrange(setup, pieces, "red")
    ruling = GAME.judge(state, read_action("i4-i6"))
    assert (ruling.allowed, ruling.rule, ruling.spots) == (False, "VIC-8.2", ("i6",))
    assert GAME.judge(state, read_action("i6-i4")).rule == "VIC-8.2"


def test_an_allied_kingdom_is_no_enemy_kingdom() -> None:
    setup = GAME.setup(options={"variant": "allied"})
    state = GAME.arrange(setup, {"i1": "red black E", "p1": "blue white T"}, "red")
    zone = state.arena.view(63)
    assert not zone.foreign[0][g.INDEX["p1"]]
    assert zone.foreign[0][g.INDEX["a1"]]


def test_the_first_alliance_in_the_centre_wins() -> None:
    setup = GAME.setup(options={"variant": "allied"})
    state = with_laps(GAME.arrange(setup, {"i4": "red half K"}, "red"), king=1)
    outcome = GAME.outcome(after(state, "i4-i7"))
    assert outcome is not None
    assert (set(outcome.winners), outcome.rule) == ({"red", "green", "orange"}, "VIC-8.2")
