"""What is special about My Game. What holds of every game the conformance kit tests."""

from companion_mygame import GAME

from companion.rules import Action


def test_a_man_steps_onto_an_empty_square() -> None:
    """MG-3."""
    state = GAME.start(GAME.setup())
    assert GAME.judge(state, Action("move", "a1", "a2")).allowed


def test_nobody_is_captured_where_the_players_chose_so() -> None:
    """MG-4."""
    setup = GAME.setup(None, {"captures": "no"})
    state = GAME.arrange(setup, {"a2": "black", "b3": "white"}, "black")
    ruling = GAME.judge(state, Action("move", "a2", "b3"))
    assert (ruling.allowed, ruling.rule) == (False, "MG-4")
