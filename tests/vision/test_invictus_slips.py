"""Slips of hands: a captured die put back unturned, and moves taken back whose order no picture
showed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import find_game
from companion.games.invictus.geometry import SPOTS
from companion.games.invictus.state import InvictusState
from companion.rules import Action, Ruling, read_action
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded, Told
from vision.decoding.orders import Ledger, Orders
from vision.decoding.prior import PRIOR
from vision.decoding.puzzle import on_its_like
from vision.decoding.reader import Reader
from vision.decoding.reading import Step
from vision.decoding.scene import Scene
from vision.decoding.story import Story, Teller
from vision.tokens.eye import Glimpse, Seen
from vision.tokens.likelihood import log_likelihood

GAME = find_game("invictus")
SETUP = GAME.setup()


class Shown(Seen):
    """A picture that plainly shows ``table``."""

    def __init__(self, table):
        self.table = table

    def error(self, spot, token):
        return 0.0 if self.table.get(spot) == token else 1.0

    def shows(self, spot, token):
        return self.table.get(spot) == token

    nats = staticmethod(log_likelihood)

    def told_apart(self, one, other):
        return one != other

    def known(self, token):
        return True


def captures():
    """Return a state in which a die can be captured, and such a capture."""
    state = GAME.start(SETUP)
    while True:
        position = GAME.expect(state)
        for action in GAME.legal(state):
            if action.target in position and position[action.target].split()[1] != "1":
                return state, action
        state = GAME.apply(state, max(GAME.legal(state), key=lambda a: str(a.target)[1]))


def on_board(dice):
    """Return the state in play in which ``dice`` stand, black to move."""
    board = [0] * len(SPOTS)
    for spot, die in dice.items():
        seat, value = die.split()
        board[SPOTS.index(spot)] = int(value) * (1 if seat == "black" else -1)
    return InvictusState(SETUP, tuple(board), begun=True)


def test_a_die_put_back_with_its_old_value_is_still_a_capture():
    state, capture = captures()
    before = dict(GAME.expect(state))
    taken = before[capture.target]
    put = GAME.legal(GAME.apply(state, capture))[0]
    shown = {**before, capture.target: before[capture.origin], put.target: taken}
    del shown[capture.origin]
    changed = frozenset({capture.origin, capture.target, put.target})
    decoder = Decoder(GAME, Scene(Shown(shown), before, changed, changed))
    decoded = decoder.decode([state], [], ())
    assert decoded.sure
    assert [str(step.action) for step in decoded.best.story.steps] == [str(capture), str(put)]
    assert decoded.best.table[put.target] == taken


def test_a_die_that_comes_home_is_told_though_all_stands_as_some_moves_before():
    dice = {"i8": "black 3", "c5": "black 2", "g5": "white 2"}
    past = [on_board(dice)]
    actions = [read_action(move) for move in ("c5-d5", "g5-h5", "d5-c5", "h5-g5")]
    for action in actions:
        past.append(GAME.advance(past[-1], action))
    shown = {spot: die for spot, die in dice.items() if spot != "i8"}
    changed = frozenset({"i8"})
    decoded = Decoder(GAME, Scene(Shown(shown), dice, changed, changed)).decode(past, actions, ())
    assert decoded.sure
    assert [step.action.origin for step in decoded.best.story.steps] == ["i8"]


def test_of_three_moves_seen_at_once_any_may_have_been_the_last():
    start, moves = GAME.start(SETUP), ("a3-a4", "e7-e6", "i3-i4")
    end = start
    for move in moves:
        end = GAME.apply(end, read_action(move))
    before, after = dict(GAME.expect(start)), dict(GAME.expect(end))
    changed = frozenset(spot for move in moves for spot in move.split("-"))
    decoded = Decoder(GAME, Scene(Shown(after), before, changed, changed)).decode([start], [], ())
    assert decoded.sure
    assert decoded.p > 0.99, "the moves are not in doubt, only their order is"
    stories = [decoded.best.story, *(told.story for told in decoded.twins)]
    assert {str(story.steps[-1].action) for story in stories} == {"a3-a4", "i3-i4"}
    orders = Orders(GAME, Ledger(GAME))
    orders.told([start], decoded.best.story, [told.story for told in decoded.twins])
    past = [start, *_states(start, [step.action for step in decoded.best.story.steps])]
    (((_, actions), other),) = orders.others(past)
    first = next(s for s in stories if s is not decoded.best.story)
    assert actions == tuple(step.action for step in first.steps)
    assert other[-1] == past[-1]


def test_a_die_put_back_that_is_lifted_to_be_moved_was_not_put_back_elsewhere():
    state, capture = captures()
    waits = GAME.apply(state, capture)
    put = GAME.legal(waits)[0]
    end = GAME.apply(waits, put)
    before = dict(GAME.expect(end))
    lifted = {spot: token for spot, token in before.items() if spot != put.target}
    changed = frozenset({put.target})
    decoder = Decoder(GAME, Scene(Shown(lifted), before, changed, changed))
    decoded = decoder.decode([state, waits, end], [capture, put], ())
    assert decoded.best is None, "it is in a hand, and nothing is told yet"


def _states(state, actions):
    for action in actions:
        state = GAME.apply(state, action)
        yield state


def test_a_die_under_a_hand_did_not_vanish_under_another():
    """Two dice of one player are hidden, one of them is seen again: the other is in the hand."""
    state = GAME.start(SETUP)
    before = dict(GAME.expect(state))
    moved = next(a for a in GAME.legal(state) if a.origin and a.target not in before)
    own = before[moved.origin].split()[0]
    other = next(
        spot
        for spot, token in before.items()
        if token.startswith(own)
        and token != before[moved.origin]
        and not GAME.judge(state, Action("move", spot, moved.target)).allowed
    )
    hidden = {moved.origin, other}
    shown = {s: t for s, t in before.items() if s not in hidden} | {moved.target: before[other]}
    changed = frozenset({*hidden, moved.target})
    assert (
        Decoder(GAME, Scene(Shown(shown), before, changed, changed)).decode([state], [], ()).best
        is None
    )


def test_a_die_that_comes_where_one_must_be_put_back_is_that_one():
    """Another that looks like it is missing elsewhere: it was not moved there against the rules."""
    state, capture = captures()
    before, taken = dict(GAME.expect(state)), GAME.expect(state)[capture.target]
    waits = GAME.apply(state, capture)
    put, other = next(
        (put, spot)
        for put in GAME.legal(waits)
        for spot, token in before.items()
        if token == GAME.expect(GAME.apply(waits, put))[put.target] and spot != capture.target
    )
    gone = {capture.origin, other}
    shown = {spot: token for spot, token in before.items() if spot not in gone}
    shown |= {capture.target: before[capture.origin], put.target: before[other]}
    assert before[other].split()[0] == taken.split()[0]
    changed = frozenset({*gone, capture.target, put.target})
    decoded = Decoder(GAME, Scene(Shown(shown), before, changed, changed)).decode([state], [], ())
    assert decoded.best is None, "the missing die is asked for, nobody is blamed"


@pytest.mark.parametrize(
    ("table", "put", "departs"),
    [({"c1": "white 6"}, False, False), ({}, False, True), ({"c1": "black 2"}, True, True)],
)
def test_a_die_that_went_home_may_as_well_be_in_a_hand(table, put, departs):
    steps = [Step(Action("move", "d2", "c1"), 1.0)]
    if put:
        steps.append(Step(Action("put", None, "c1"), 1.0))
    story = Story(None, table, tuple(steps))
    assert story.gone == departs


def test_it_is_known_what_lies_where_though_not_which_of_two_like_dice_went_there():
    may = Ruling(True, "", "")
    moves = (Step(Action("move", origin, "d4"), 1.0, may) for origin in ("c3", "c4"))
    first, other = (Story(None, {}, (move,)) for move in moves)
    best, rival = (Told(story, {"d4": "black 2"}, 0.0, ()) for story in (first, other))
    unsure = Decoded(best, 0.5, (rival,))
    assert not unsure.sure
    assert unsure.clear
    elsewhere = Told(other, {"e5": "black 2"}, 0.0, ())
    assert not Decoded(best, 0.5, (elsewhere,)).clear
    assert not Decoded(Told(first, {}, 0.0, (), worst=0.4), 1.0).clear


def test_what_went_home_may_be_held_by_a_finger_at_the_edge_until_a_second_picture():
    reader = Reader(GAME, SETUP, {})
    home = Story(None, {}, (Step(Action("move", "d2", "c1"), 1.0),))
    told = Decoded(Told(home, {}, 0.0, ()), 1.0)
    assert not reader._unsettled(Glimpse(), told)
    other = Story(None, {}, (Step(Action("move", "e2", "e1"), 1.0),))
    held = Decoded(Told(other, {}, 0.0, ()), 1.0)
    assert reader._unsettled(Glimpse(edge=True), held)
    assert not reader._unsettled(Glimpse(edge=True), held), "two pictures show the same"
    lies = Decoded(Told(Story(None, {"c1": "white 6"}, home.steps), {}, 0.0, ()), 1.0)
    assert not reader._unsettled(Glimpse(edge=True), lies), "it lies on the board"
    refused = GAME.judge(GAME.start(SETUP), Action("move", "a2", "h5"))
    step = Step(Action("move", "a2", "h5"), 1.0, refused)
    against = Decoded(Told(Story(None, {"h5": "black 1"}, (step,)), {}, 0.0, ()), 1.0)
    assert not reader._unsettled(Glimpse(edge=True, near=("c5",)), against)
    assert not reader._unsettled(Glimpse(), told)
    fingers = Glimpse(edge=True, near=("h5",))
    assert reader._unsettled(fingers, against), "it may be on its way"
    assert not reader._unsettled(fingers, against)


def test_a_refused_move_and_its_way_back_do_not_explain_a_die_that_is_not_seen():
    state = GAME.start(SETUP)
    before = GAME.expect(state)
    move, like = next(
        (action, spot)
        for action in GAME.legal(state)
        for spot, token in before.items()
        if action.origin and token == before[action.origin] and spot != action.origin
    )
    shown = {s: t for s, t in before.items() if s not in (move.origin, like)}
    shown[move.target] = before[move.origin]
    changed = frozenset({move.origin, move.target, like})
    decoded = Decoder(GAME, Scene(Shown(shown), before, changed, changed)).decode([state], [], ())
    assert decoded.best is None, "carried there and back, the die would have taken its like"


def test_nobody_goes_somewhere_and_back_to_give_the_other_seat_a_turn():
    """What was captured is put back where no picture shows it, and then its owner moves."""
    state, capture = captures()
    before = dict(GAME.expect(state))
    waits = GAME.apply(state, capture)
    put, reply = next(
        (put, reply)
        for put in GAME.legal(waits)
        for reply in GAME.legal(GAME.apply(waits, put))
        if reply.origin and reply.target not in GAME.expect(GAME.apply(waits, put))
        if len({reply.origin, reply.target, put.target, capture.origin, capture.target}) == 5
    )
    after = GAME.expect(GAME.apply(GAME.apply(waits, put), reply))
    shown = {spot: token for spot, token in after.items() if spot != put.target}
    changed = frozenset({capture.origin, capture.target, reply.origin, reply.target})
    decoded = Decoder(GAME, Scene(Shown(shown), before, changed, changed)).decode([state], [], ())
    assert decoded.best is None, "nobody is blamed for a move out of turn"


def test_a_die_is_not_refused_where_its_like_lies_anyway():
    state = GAME.start(SETUP)
    before = dict(GAME.expect(state))
    origin, token = next(iter(before.items()))
    like = next(spot for spot, other in before.items() if other == token and spot != origin)
    other = next(spot for spot, die in before.items() if die != token)
    teller = Teller(GAME, frozenset({origin, like, other}))
    stories = teller.illegal_next(Story(state, before), Shown(before))
    told = {step.action.target for story in stories for step in story.steps
            if step.action.origin == origin}  # fmt: skip
    assert told == {other}


def test_what_was_spoken_or_put_back_went_no_way_and_may_come_again():
    actions = Action("end"), Action("move", "a2", "a3"), Action("put", None, "c1"), Action("end")
    story = Story(None, {}, tuple(Step(action, 1.0) for action in actions))
    assert story.ways == {("a2", "a3")}


def test_a_die_that_seems_to_have_gone_home_may_lie_on_its_like_that_was_touched():
    state = GAME.start(SETUP)
    table = {**GAME.expect(state), "c2": "black 6", "h7": "black 6", "d2": "black 6"}
    home = Story(state, {}, (Step(Action("move", "c2", "c1"), 1.0),), (), frozenset({"c1", "c2"}))
    went = Decoded(Told(home, {}, 0.0, ()), 1.0)

    def doubted(*touched, decoded=went):
        scene = Scene(Shown({}), table, frozenset(), frozenset(), frozenset(touched))
        return on_its_like(GAME, GAME.board(SETUP), decoded, scene, state)

    assert doubted("c2").sure
    assert doubted("c2", "d2").sure, "it lies next to that: its shadow went"
    assert doubted("c2", "h8").sure, "a die of another value"
    asked = doubted("c2", "h7")
    assert not asked.sure
    [step] = asked.others[0].story.steps
    assert str(step.action) == "c2-h7"
    assert not step.ruling.allowed
    lies = Story(state, {"c1": "black 6"}, home.steps, (), home.touched)
    there = Decoded(Told(lies, lies.table, 0.0, ()), 1.0)
    assert doubted("c2", "h7", decoded=there).sure


def test_so_many_moves_that_were_missed_are_not_made_up_for_by_one_that_left_no_trace():
    state = GAME.start(SETUP)
    refused = Step(Action("move", "a2", "h5"), 1.0, GAME.judge(state, Action("move", "a2", "h5")))
    plain = [Step(Action("move", f"{file}3", f"{file}4"), 1.0) for file in "abcde"]
    changed = frozenset(f"{file}{rank}" for file in "abcde" for rank in "34")
    decoder = Decoder(GAME, Scene(Shown({}), {}, changed, changed))

    def contrived(*steps):
        return decoder._contrived(Told(Story(state, {}, steps), {}, 0.0, ()))

    assert not contrived(*plain)
    assert not contrived(*plain[:3], refused)
    assert contrived(*plain[:4], refused)
    unseen = next(a for a in GAME.legal(state) if a.target not in changed)
    stop = Step(unseen, 1.0, GAME.judge(state, unseen))
    assert contrived(*plain[:4], stop)
    assert not contrived(*plain[:3], stop)


def standing(**dice):
    """Return a game of White to move in which these dice stand, such as ``c1=2`` for a black 2."""
    board = tuple(dice.get(f"{file}{row}", 0) for row in range(1, 10) for file in "abcdefghi")
    return replace(GAME.start(SETUP), board=board, turn=1, begun=True)


def told_of(state, shown):
    """Return the actions by which the picture of a table is explained; None if none do."""
    before = dict(GAME.expect(state))
    changed = frozenset(s for s in {*before, *shown} if before.get(s) != shown.get(s))
    best = Decoder(GAME, Scene(Shown(shown), before, changed, changed)).decode([state], [], ()).best
    return best and [str(step.action) for step in best.story.steps]


def test_a_die_that_came_home_by_a_capture_is_not_the_one_to_put_back():
    """It lies where it came home until it is taken off; the captured one may go there, too."""
    state = standing(b2=-6, c1=2, h8=-3, a5=1)
    rest = {"h8": "white 3", "a5": "black 1"}
    assert told_of(state, {**rest, "c1": "white 6"}) is None, "it is still to be taken off"
    assert told_of(state, rest) == ["b2-c1"]
    assert told_of(state, {**rest, "c1": "black 1"}) == ["b2-c1", "*c1"]
    assert told_of(state, {**rest, "d3": "black 2"}) == ["b2-c1", "*d3"], "not yet turned over"


def test_a_die_in_the_hand_that_captures_did_not_go_home_by_moves_that_nobody_saw():
    """What it captures was taken off first; a die put back, moved and captured at home would
    explain the two empty spaces, too."""
    state = standing(e3=-4, f2=2, d2=2, h8=-3, a5=1)
    assert told_of(state, {"d2": "black 2", "h8": "white 3", "a5": "black 1"}) is None


def test_a_die_put_back_has_not_moved_yet_and_its_move_is_a_move_of_its_own():
    state = standing(b4=-6, c3=2, h8=-3, a5=1)
    teller = Teller(GAME, frozenset({"b4", "c3", "d1", "d2"}))
    story = Story(state, GAME.expect(state))
    for played in ("b4-c3", "*d1", "d1-d2"):
        cost = story.cost
        story = next(s for s in teller.legal_next(story) if str(s.steps[-1].action) == played)
    assert story.cost - cost == PRIOR.legal
