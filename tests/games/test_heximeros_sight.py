"""What a camera sees of HexiMeros, what a hand does, what is kept and what cannot be."""

from __future__ import annotations

import json
from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros.pieces import COLOURS, KINDS
from companion.rules import Action, BadInput, Clocks
from tests.checks.loops import some


def test_every_face_is_another_picture() -> None:
    setup = GAME.setup()
    tokens = [f"{colour} {kind}" for colour in COLOURS for kind in dict.fromkeys(KINDS)]
    pictures = {GAME.draw(setup, token) for token in tokens}
    assert len(pictures) == len(tokens) == 60
    assert {GAME.look(token).face for token in tokens} == set(tokens)
    for token in ("silver X", "pink M", "silver"):
        with pytest.raises(BadInput, match="no piece of HexiMeros"):
            GAME.draw(setup, token)


def test_pictures_look_at_their_owners() -> None:
    setup = GAME.setup()
    (south, north) = (GAME.draw(setup, f"{colour} M")[1].points for colour in ("silver", "orange"))
    for (x, y), (u, v) in some(zip(south, north, strict=True)):
        assert (x, y) == pytest.approx((-u, -v))


def test_a_hat_is_put_on_and_taken_off() -> None:
    assert GAME.turned_over("silver M") == "silver M+"
    assert GAME.turned_over("silver M+") == "silver M"
    assert GAME.turned_over("silver As") == "silver As"


def test_a_hat_may_be_put_on_late(hx: ModuleType) -> None:
    state = hx.play(hx.lay("silver M 2 0"), hx.move((2, 0), (2, -1)))
    assert GAME.accepts(state, hx.spot(2, -1)) == ("silver M+", "silver M")
    assert GAME.accepts(state, hx.spot(2, 0)) == (None,)


def test_a_promotion_is_seen_when_the_piece_is_exchanged(hx: ModuleType) -> None:
    state = hx.play(hx.lay("silver M 2 0"), hx.move((2, 0), (2, -1), "R"))
    assert GAME.accepts(state, hx.spot(2, -1)) == ("silver R",)


def test_a_hand_carries_and_knocks_off(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5; red C 0 1; red M 3 3")
    effect = GAME.effect(state, hx.move((0, 5), (0, 1)))
    assert (effect.seat, effect.piece, effect.captures) == ("silver", "silver R", ("red C",))
    wrong = GAME.effect(state, hx.move((3, 3), (0, 5)))
    assert (wrong.seat, wrong.captures) == ("red", ("silver R",))
    assert dict(wrong.changes) == {hx.spot(3, 3): None, hx.spot(0, 5): "red M"}
    assert GAME.effect(state, hx.move((5, 5), (5, 4))).piece is None
    assert GAME.effect(state, hx.move((3, 3), (3, 3))).captures == ()


def test_a_sweep_and_a_shot_take_off_what_they_capture(hx: ModuleType) -> None:
    state = hx.lay("silver D 0 6; red C 0 4; silver Ar 5 5; red M 5 0")
    sweep = GAME.effect(state, hx.move((0, 6), (0, 2)))
    assert sweep.captures == ("red C",)
    assert sweep.changes[hx.spot(0, 4)] is None
    shot = GAME.effect(state, hx.shot((5, 5), (5, 4), (5, 0)))
    assert shot.captures == ("red M",)
    assert shot.changes[hx.spot(5, 0)] is None


def test_spoken_actions_and_placings_change_what_they_change(hx: ModuleType) -> None:
    state = hx.lay("silver M+ 2 -13; orange S 6 -12")
    assert dict(GAME.effect(state, Action("resign")).changes) == {hx.spot(0, 13): None}
    assert dict(GAME.effect(state, Action("token")).changes) == {}
    assert dict(GAME.effect(state, Action("dance")).changes) == {}
    moved = hx.play(state, hx.move((2, -13), (2, -14)))
    there = GAME.effect(moved, hx.place((0, 0), "blue R"))
    assert there.piece is None, "refused: no space of Blue's Base Line"
    placed = GAME.effect(moved, hx.place((-16, 10), "blue R"))
    assert placed.piece == "blue R"
    assert dict(placed.changes) == {hx.spot(2, -14): None, hx.spot(-16, 10): "blue R"}
    over = hx.play(hx.lay("", out="blue yellow green red"), "resign")
    assert dict(GAME.effect(over, Action("token")).changes) == {}
    assert GAME.effect(over, hx.move((0, -13), (0, -12))).piece == "orange S"


# -- the Token in its marked place ----------------------------------------------------------------


def test_the_token_may_lie_in_its_marked_place(hx: ModuleType) -> None:
    setup = GAME.setup(None, {"token": "seen"})
    board = GAME.board(setup)
    assert len(board.spots) == 655 + 6
    assert board["token1"].owner == "silver"
    assert GAME.draw(setup, "token")
    state = GAME.start(setup)
    assert GAME.expect(state)["token1"] == "token"
    assert GAME.accepts(state, "token1") == ("token",)
    assert GAME.accepts(state, "token2") == (None,)


def test_passing_the_token_is_a_move_of_a_hand(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5", token="seen")
    early = hx.judged(state, "token1-token2")
    assert early.rule == "HX-3.2"
    state = hx.play(state, hx.move((0, 5), (0, 4)))
    assert [str(action) for action in GAME.legal(state)] == ["token1-token2"]
    assert hx.judged(state, "token1-token3").rule == "HX-3.1"
    assert not hx.judged(state, "token").allowed
    assert not hx.judged(state, Action("move", "token2", "token3")).allowed
    effect = GAME.effect(state, Action("move", "token1", "token2"))
    assert (effect.piece, dict(effect.changes)) == ("token", {"token1": None, "token2": "token"})
    wrong = GAME.effect(state, Action("move", "token1", "q14"))
    assert dict(wrong.changes) == {"token1": None, "q14": "token"}
    assert GAME.effect(state, Action("move", "token3", "q14")).piece is None
    after = hx.play(state, "token1-token2")
    assert GAME.to_move(after) == "blue"
    setup = after.setup
    assert GAME.arrange(setup, GAME.expect(after)).army == 1


def test_the_last_player_keeps_the_token(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 -5", out="blue yellow green red", token="seen")
    state = hx.play(state, hx.move((0, -5), (0, -13)))
    assert [str(action) for action in GAME.legal(state)] == ["token"]
    handed = hx.judged(state, "token1-token2")
    assert (handed.allowed, handed.rule) == (False, "HX-3.1")
    after = hx.play(state, "token")
    assert GAME.expect(after)["token1"] == "token"


# -- notation and keeping -------------------------------------------------------------------------


def test_shots_and_routes_are_read(hx: ModuleType) -> None:
    setup = GAME.setup()
    shot = hx.shot((0, 6), (0, 5), (0, 1))
    assert GAME.format(shot) == "q8-q9*q13"
    assert GAME.parse(setup, "q8-q9*q13") == shot
    assert GAME.parse(setup, "q8-q9-q11") == Action("move", "q8", "q11")
    assert GAME.parse(setup, "*q27=blue R") == Action("place", None, "q27", "blue R")
    for text in ("q8-q9*z99", "q8-q9=R*q13", "token*q13", "q8-z99*q13"):
        with pytest.raises(BadInput):
            GAME.parse(setup, text)


def test_a_route_that_is_not_left_away_is_refused(hx: ModuleType) -> None:
    state = hx.lay("silver As 0 5")
    route = Action("move", hx.spot(0, 5), hx.spot(2, 6), via=(hx.spot(0, 6),))
    assert hx.refused(state, route)[0] == "HX-1.5"


def test_a_state_is_kept_whole(hx: ModuleType) -> None:
    state = hx.lay("silver M+ 2 -13; orange S 6 -12; silver M 0 12; blue C 1 1", out="red")
    state = hx.play(state, hx.move((2, -13), (2, -14)), hx.place((2, -14), "P"), "concede=green")
    copy = GAME.load(json.loads(json.dumps(GAME.dump(state))))
    assert copy == state
    assert copy.setup == state.setup
    with pytest.raises(BadInput, match="no saved game of HexiMeros"):
        GAME.load({**GAME.dump(state), "turn": {"stage": 1, "when": 2}})
    with pytest.raises(BadInput, match="no saved game of HexiMeros"):
        GAME.load({"seats": list(COLOURS)})
    assert GAME.parse(GAME.setup(), GAME.format(Action("resign"))) == Action("resign")
    assert GAME.rules["HX-1.1"].title == "The board"
    assert not isinstance(GAME, Clocks)


def test_who_has_no_sovereign_cannot_be_to_move(hx: ModuleType) -> None:
    with pytest.raises(BadInput, match="no Sovereign"):
        hx.lay("silver R 0 5", to_move="blue", out="blue")
    assert GAME.to_move(hx.lay("red R 0 5", to_move=None, out="silver blue")) == "yellow"
    for position, to_move, message in (
        ({"z99": "red M"}, None, "no spot"), ({"q1": "red X"}, None, "no piece"),
        ({"q1": "gold S"}, None, "no piece"), ({}, "gold", "no seat"),
    ):  # fmt: skip
        with pytest.raises(BadInput, match=message):
            GAME.arrange(GAME.setup(), position, to_move)
    empty = GAME.arrange(GAME.setup(), {})
    outcome = GAME.outcome(empty)
    assert outcome is not None
    assert outcome.winners == ()
    alone = GAME.arrange(GAME.setup(), {"q1": "blue S"})
    assert GAME.outcome(alone) is not None


def test_what_cannot_be_is_told(hx: ModuleType) -> None:
    assert GAME.check(GAME.start(GAME.setup())) == ()
    two = hx.lay("silver S 0 5; silver S 0 7")
    assert [(p.rule, p.spots) for p in GAME.check(two)] == [
        ("HX-5.3", (hx.spot(0, 7), hx.spot(0, 5)))
    ]
    bare = hx.lay("silver M 3 -5; silver M 0 0; silver M+ 4 -5")
    assert [(p.rule, p.spots) for p in GAME.check(bare)] == [("HX-5.1", (hx.spot(3, -5),))]
    many = "; ".join(f"silver M {q} 6" for q in range(-8, 6))
    assert [p.rule for p in GAME.check(hx.lay(many))] == ["HX-2.1"]


def test_everybody_is_told_who_plays_for_whom(hx: ModuleType) -> None:
    state = hx.lay("silver M+ 2 -13; orange S 6 -12; silver Al 6 0", out="blue")
    out = ("Blue is out of the game.", "The blue army is out of play: its Sovereign is gone.")
    assert GAME.situation(state) == out
    state = hx.play(state, hx.move((2, -13), (2, -14)))
    assert GAME.situation(state) == (
        *out,
        "The move is made when the Token is passed; it may be taken back.",
        f"Silver may promote the Hatted Militant on {hx.spot(2, -14)}.",
    )
    first = hx.play(state, hx.place((2, -14), "R"))
    assert GAME.situation(first)[-1].startswith("Silver may add a second piece")
    state = hx.play(state, hx.place((2, -14), "blue S"), "check=orange", "token")
    assert GAME.situation(state) == (
        "Blue is out of the game.",
        "Silver plays for blue.",
        "Silver plays the blue army now.",
        "Check is declared upon orange.",
    )
    over = hx.play(hx.lay("", out="blue yellow green red"), "resign")
    assert GAME.situation(over) == ()


# -- what the table decides ------------------------------------------------------------------------


def test_a_corrected_position_keeps_cards_armies_and_first_moves(hx: ModuleType) -> None:
    state = hx.lay("silver M+ 2 -13; orange S 6 -12; red C 3 3; silver M 0 12", out="blue")
    state = hx.play(state, hx.move((2, -13), (2, -14)), hx.place((2, -14), "blue S"), "token")
    there = dict(GAME.expect(state))
    assert GAME.rearranged(state, there) == state
    there[hx.spot(1, 11)] = there.pop(hx.spot(3, 3))
    there[hx.spot(-1, 12)] = "silver M"
    after = GAME.rearranged(state, there, "silver")
    assert (after.army, GAME.to_move(after)) == (1, "silver")
    assert GAME.scorecards(after)[0].fields[2].tokens == ("blue S",)
    mine = after._replace(army=0)
    assert (0, 10) in hx.ends(mine, (0, 12)), "it has not moved yet"
    assert hx.ends(mine, (-1, 12)) == {(-1, 11)}, "the table set it there"
    del there[hx.spot(2, -14)]
    assert GAME.to_move(GAME.rearranged(state, there)) == "yellow"
    with pytest.raises(BadInput, match="no Sovereign"):
        GAME.rearranged(state, there, "blue")


def test_a_game_is_written_in_its_own_notation_to_take_away(hx: ModuleType) -> None:
    start = GAME.start(GAME.setup())
    actions = [hx.move((5, 9), (5, 8)), Action("token")]
    text = GAME.notate("hxm", start, actions, {"silver": "Ada", "date": "2026-11-21"})
    assert text == "# silver: Ada\n# date: 2026-11-21\nS.SAr.M v3\ntoken\n"
    assert GAME.notations == ("hxm",)
