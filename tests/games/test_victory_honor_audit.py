"""Victory & Honor when the cards are shown: each broken rule is named, and nothing else."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from companion.games.victory_honor import GAME
from companion.games.victory_honor.audit import holdings
from companion.games.victory_honor.phase import Phase
from companion.games.victory_honor.refusing import Play, ruling_in
from companion.games.victory_honor.state import VictoryHonorState
from companion.journal import Journal
from companion.referee import audit, audit_record
from companion.rules import Action, read_record, write_record
from companion.table import Table
from tests.checks.loops import some


def told(state: VictoryHonorState) -> list[tuple[int, str, str]]:
    """Return each breach as ply, action and rule."""
    return [(b.ply, GAME.format(b.action), b.ruling.rule) for b in GAME.breaches(state)]


PHASE = (
    "south.C=yellow7 north.L=blue6 east.R=blackG1 north.C=yellowG3 south.L=blue3 west.C=yellow2"
    " east.L=blueG2 south.R=blackG3 east.C=back west.L=blue2 north.R=black1 west.R=black6"
)


def test_a_revoke_is_proved_as_soon_as_the_card_kept_back_is_played(cards: ModuleType) -> None:
    state = cards.laid(PHASE + " east.C=red2 gather")
    assert told(state) == []
    # East leads with the very colour that he had none of in the Centre.
    assert cards.ruling(state, "east.L=yellow5") == "allowed VH-6.3"
    state = cards.laid("east.L=yellow5", state)
    assert told(state) == [(8, "east.C=back", "VH-6.1")]
    (breach,) = GAME.breaches(state)
    words = "East held yellow 5 and had to follow yellow in the centre."
    assert (breach.ruling.reason, breach.ruling.spots) == (words, ("east.C",))


def test_a_revoke_is_proved_by_the_very_card_when_it_is_turned_up(cards: ModuleType) -> None:
    state = cards.laid(PHASE)
    assert told(state) == []
    state = cards.laid("east.C=yellow3", state)
    assert told(state) == [(8, "east.C=back", "VH-6.1")]


def whole_round(cards: ModuleType, seed: int, lies: float) -> tuple[VictoryHonorState, list[int]]:
    game = cards.Round(seed, lies, GAME.setup())
    game.play()
    return game.state, game.planted


def test_once_the_reserves_are_shown_every_hand_of_the_round_is_known(cards: ModuleType) -> None:
    state, _ = whole_round(cards, 3, 0.1)
    assert len(state.plays) == 36
    for index, played in enumerate(state.plays):
        holding = holdings(state)[index]
        assert holding.known
        assert holding.sure.bit_count() == holding.size == played.size
        assert holding.sure >> played.card & 1


@pytest.mark.no_cover  # other tests prove line by line
def test_before_that_nobody_is_accused_of_what_he_may_not_have_done(cards: ModuleType) -> None:
    for seed in range(12):
        game = cards.Round(seed, 0.1, GAME.setup())
        game.do = checking(game)
        game.play()


def checking(game):
    plain = type(game).do

    def do(action: Action) -> None:
        plain(game, action)
        accused = {breach.ply for breach in GAME.breaches(game.state)}
        assert accused <= set(game.planted)

    return do


def test_a_card_shown_later_is_named_as_the_proof(cards: ModuleType) -> None:
    state = next(s for s, p in (whole_round(cards, seed, 0.1) for seed in range(9)) if p)
    for breach in some(GAME.breaches(state)):
        assert breach.ruling.rule in ("VH-5.3", "VH-5.4", "VH-6.1", "VH-6.2", "VH-6.3", "VH-6.4")
        assert " held " in breach.ruling.reason or breach.ruling.rule.startswith("VH-5")


def test_with_known_hands_a_breach_is_seen_at_once(cards: ModuleType) -> None:
    # With one card left to lay, West's back can only have been red though blue was asked for.
    hands = ("r1234567 bABC", "b1234567 kABC", "k1234567 yABC", "y1234567 rABC")
    state = cards.with_hands(*hands)
    state = cards.laid("south.C=blueG1 north.L=black1", state)
    assert told(state) == []
    assert holdings(state)[0].known
    assert holdings(state)[0].sure == cards.set_of(hands[0])


@pytest.mark.parametrize(
    ("held", "play", "rule", "words"),
    [
        ("b1 r2", ("south.C", "back"), "VH-6.1", "South held red 2 and had to follow red"),
        ("b1 r2", ("south.C", "blue 1"), "VH-6.1", "South held red 2 and had to follow red"),
        ("b1 y2", ("south.R", "back"), "VH-6.3", "South held yellow 2 and had to open"),
        ("b1 k2", ("south.R", "back"), "VH-5.3", "In the right flank South could only sacrifice"),
    ],
)
def test_each_kind_of_breach_is_worded_with_its_proof(
    cards: ModuleType, held: str, play: tuple[str, str], rule: str, words: str
) -> None:
    state = cards.laid("")
    # Red is open in the centre, blue and black in the left flank and nowhere.
    board = [-1] * 12
    board[4], board[3], board[0] = 5, 12, 13
    room = 0b111111111111 & ~0b11001
    phase = Phase(0, tuple(board), 0, (4, 3, 0), (1, 0, -1), room=room)
    if rule == "VH-5.3":
        phase = Phase(0, tuple(board), 0, (4, 3, 0), (1, 2, -1), room=room)
    sure = cards.set_of(held)
    spot, token = play
    slot = {"south.C": 1, "south.R": 2}[spot]
    names = state.terms.deck
    judged = Play(phase, state.terms.house, names, slot, names.card(token), sure)
    _, ruling = ruling_in(judged, cards.colours_of({c for c in range(40) if sure >> c & 1}))
    assert (ruling.allowed, ruling.rule) == (False, rule)
    assert ruling.reason.startswith(words)


def test_regular_order_ended_without_need_is_found(cards: ModuleType) -> None:
    """The hand could have opened a position from which the turn would have gone on."""
    game = cards.Round(201, setup=GAME.setup())
    plain = game.lay

    def lay() -> None:
        if game.state.ply == 38:
            game.planted.append(38)
            game.hands[1].remove(32)
            game.under[5] = 32
            game.place("west.R", 40)
        else:
            plain()

    game.lay = lay
    assert game.play().found == 1
    (breach,) = GAME.breaches(game.state)
    assert (breach.ply, breach.ruling.rule) == (38, "VH-5.4")


# -- the referee, the journal, the page ------------------------------------------------------


def broken(cards: ModuleType) -> tuple[VictoryHonorState, list[int]]:
    return next(found for seed in range(9) if (found := whole_round(cards, seed, 0.1))[1])


def test_the_referee_lists_each_breach_at_the_line_of_its_play(cards: ModuleType) -> None:
    state, planted = broken(cards)
    text = write_record(GAME, state.setup, [*state.log, Action("count")])
    found = audit_record(read_record(text))
    assert found.played == len(state.log) + 1
    lines = text.splitlines()
    assert [lines[int(f.where.split()[1]) - 1] for f in found.findings] == [
        GAME.format(state.log[ply]) for ply in planted
    ]
    assert {f.verdict.seat for f in found.findings} <= set(GAME.seats)
    assert all(f.verdict.title for f in found.findings)


def test_the_table_shows_a_breach_with_the_event_of_its_play(
    cards: ModuleType, tmp_path: Path
) -> None:
    state, planted = broken(cards)
    with Journal(tmp_path / "cards.sqlite3") as journal:
        table = Table.create(journal, GAME, state.setup)
        for action in state.log:
            table.play(action, "camera")
        shown = table.view()
        seqs = [table.line.seqs[ply] for ply in planted]
        assert [breach["seq"] for breach in shown["breaches"]] == seqs
        assert shown["situation"][-1].startswith("A rule was broken in this round")
    found = audit(tmp_path / "cards.sqlite3")
    assert [f.where for f in found.findings] == [f"event {seq}" for seq in seqs]


def test_a_hidden_card_is_shown_with_what_it_may_be(cards: ModuleType, tmp_path: Path) -> None:
    with Journal(tmp_path / "cards.sqlite3") as journal:
        table = Table.create(journal, GAME, GAME.setup())
        for text in ("south.L=yellow7", "west.R=black4", "south.C=back"):
            table.play(GAME.parse(GAME.setup(), text), "camera")
        shown = table.view()
        assert list(shown["unknown"]) == ["south.C"]
        assert len(shown["unknown"]["south.C"]) == 38
        assert shown["position"]["south.C"] == "back"


# -- the table decides -----------------------------------------------------------------------


def test_a_round_goes_on_as_the_table_decided(cards: ModuleType) -> None:
    state = GAME.read_position(GAME.setup(), "hands 7")
    state = cards.laid(f"{PHASE} east.C=red2 gather east.L=yellow5 south.R=redG2")
    there = {**GAME.expect(state), "east.C": "blue 1"}
    after = GAME.rearranged(state, there, "south")
    assert GAME.expect(after) == there
    assert (GAME.to_move(after), after.number, after.spoils) == ("south", 2, state.spoils)
    assert after.ply == state.ply + 1
    assert GAME.load(GAME.dump(after)) == after
    assert told(after) == []
    moved = GAME.rearranged(after, {**there, "south.C": "red 5"}, None)
    assert GAME.to_move(moved) == "north"


def test_cards_turned_up_are_still_the_ones_laid_face_down(cards: ModuleType) -> None:
    state = cards.laid(PHASE + " east.C=red2")
    again = GAME.rearranged(state, GAME.expect(state))
    assert (again.stage, again.phase.down) == ("fought", state.phase.down)
    assert again.phase.opened == state.phase.opened
    hidden = GAME.rearranged(state, {**GAME.expect(state), "east.C": "back"})
    assert hidden.stage == "reveal"
    assert GAME.load(GAME.dump(again)) == again


def test_reserves_may_be_put_right_by_the_table(cards: ModuleType) -> None:
    game = cards.Round(6, setup=GAME.setup())
    game.play()
    state = game.state
    shown = dict(GAME.expect(state))
    three = {spot: card for spot, card in shown.items() if spot != "north.reserve"}
    before = cards.replaced(state, stage="reserves", scores=())
    waiting = GAME.rearranged(before, three)
    assert (waiting.stage, GAME.to_move(waiting)) == ("reserves", "north")
    scored = GAME.rearranged(before, shown)
    assert (scored.stage, scored.scores) == ("scored", state.scores)
