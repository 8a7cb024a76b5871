"""Victory & Honor, round by round: deal, pass, reserves, points, the end; random rounds."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest

from companion.games.victory_honor import GAME, saved
from companion.games.victory_honor.cards import points
from companion.games.victory_honor.state import VictoryHonorState
from companion.rules import Action, BadInput, Outcome

GATHER, COUNT, VOID = Action("gather"), Action("count"), Action("void")


# -- points ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoils", "by_number", "by_stars"),
    [
        ("rCA752", 10, 16),
        ("b765", 0, 0),
        ("k1234567ABC", 27, 48),
        ("", 0, 0),
        ("rA", 1, 1),
        ("rB1 y7 kC", 6, 7),
        ("rCA752 b765 k1234567ABC", 37, 64),
    ],
)
def test_what_a_player_scores(
    cards: ModuleType, spoils: str, by_number: int, by_stars: int
) -> None:
    held = cards.set_of(spoils)
    assert points(held, by_stars=False) == by_number
    assert points(held, by_stars=True) == by_stars


def test_a_round_is_worth_108_points_at_most() -> None:
    assert points((1 << 40) - 1, by_stars=False) == 108


def test_partners_cards_are_never_put_together(cards: ModuleType) -> None:
    generals, numbers = cards.set_of("rABC"), cards.set_of("r1234567")
    assert points(generals, by_stars=False) + points(numbers, by_stars=False) == 6


# -- deal and pass ---------------------------------------------------------------------------


def test_ten_cards_are_dealt_to_each_and_three_of_them_passed() -> None:
    state = GAME.read_position(GAME.setup(), "deal 3")
    assert state.hands is not None
    assert [hand.bit_count() for hand in state.hands] == [10] * 4
    assert len(GAME.legal(state)) == 720
    before, tokens = state.hands, state.terms.deck.tokens
    chosen = []
    for seat in range(4):
        assert GAME.to_move(state) == GAME.seats[seat]
        assert state.hands == before
        action = GAME.legal(state)[0]
        chosen.append([tokens.index(token) for token in action.detail.split(", ")])
        state = GAME.apply(state, action)
    assert state.stage == "play"
    assert state.hands is not None
    for seat in range(4):
        for position in range(3):
            # From L to the left neighbour, from C across, from R to the right neighbour.
            card, onward = chosen[seat][position], (seat + position + 1) % 4
            assert state.hands[onward] >> card & 1
            assert not state.hands[seat] >> card & 1
    assert [hand.bit_count() for hand in state.hands] == [10] * 4


def test_only_three_different_cards_of_the_own_hand_are_passed(cards: ModuleType) -> None:
    state = GAME.read_position(GAME.setup(), "deal 3")
    assert state.hands is not None
    tokens = state.terms.deck.tokens
    mine = [tokens[card] for card in range(40) if state.hands[0] >> card & 1]
    foreign = next(token for token in tokens[:40] if token not in mine)
    for passed in (mine[:2], [*mine[:2], mine[0]], [*mine[:2], foreign], mine[:4], ["red 7x"]):
        found = GAME.judge(state, Action("pass", detail=", ".join(passed)))
        assert (found.allowed, found.rule) == (False, "VH-4.3")
    assert cards.ruling(state, "south.L=red7") == "refused VH-4.3"
    assert cards.ruling(state, "gather") == "refused VH-4.3"
    assert cards.ruling(state, "pass") == "refused VH-4.3"


def test_cards_are_passed_once_a_round(cards: ModuleType) -> None:
    assert cards.ruling(cards.laid(""), "pass") == "refused VH-4.1"
    state = cards.laid("dealt")
    assert cards.ruling(state, "pass") == "allowed VH-4.3"
    assert cards.ruling(state, "pass red7,red6,red5") == "refused VH-4.3"
    state = cards.laid("pass", state)
    assert cards.ruling(state, "pass") == "refused VH-4.4"
    assert cards.ruling(cards.with_hands(*DEALT), "pass") == "refused VH-4.4"


DEALT = ("r1234567 b123", "b4567ABC kABC", "k1234567 yABC", "y1234567 rABC")


def test_who_holds_no_general_may_ask_for_a_new_deal(cards: ModuleType) -> None:
    hands = tuple(cards.set_of(text) for text in DEALT)
    state = saved.with_hands(GAME.setup(), hands, to_pass=True)
    found = GAME.judge(state, Action("redeal"))
    assert (found.allowed, found.reason) == (
        True, "South holds no general and may ask for a new deal.",
    )  # fmt: skip
    after = GAME.apply(state, Action("redeal"))
    assert (after.hands, after.ply, after.beginning.leader) == (None, 1, 0)


def test_with_a_general_in_every_hand_or_after_passing_there_is_none(cards: ModuleType) -> None:
    hands = ("r1234567 bABC", "b1234567 kABC", "k1234567 yABC", "y1234567 rABC")
    held = tuple(cards.set_of(text) for text in hands)
    state = saved.with_hands(GAME.setup(), held, to_pass=True)
    assert cards.ruling(state, "redeal") == "refused VH-4.2"
    assert cards.ruling(cards.laid(""), "redeal") == "refused VH-4.1"
    assert cards.ruling(cards.laid("dealt"), "redeal") == "allowed VH-4.2"
    assert cards.ruling(cards.laid("dealt pass"), "redeal") == "refused VH-4.2"
    assert cards.ruling(cards.laid("south.L=red3"), "redeal") == "refused VH-4.2"
    state = saved.with_hands(GAME.setup(), tuple(map(cards.set_of, DEALT)), to_pass=True)
    assert cards.ruling(GAME.apply(state, GAME.legal(state)[0]), "redeal") == "refused VH-4.2"


# -- reserves, rounds and the end ------------------------------------------------------------


def finished(
    cards: ModuleType, seed: int, state: VictoryHonorState | None = None, **options: str
) -> VictoryHonorState:
    """Return the state after an honest round, its reserves shown."""
    game = cards.Round(seed, setup=GAME.setup(options=options))
    if state is not None:
        game.state = state
    game.play()
    return game.state


def test_the_tenth_card_is_the_reserve_and_counts(cards: ModuleType) -> None:
    game = cards.Round(6)
    for _ in range(3):
        game.phase()
    state = game.state
    assert state.stage == "reserves"
    assert cards.ruling(state, "south.L=back") == "refused VH-10.1"
    assert cards.ruling(state, "south.L=red3") == "refused VH-1.1"
    assert cards.ruling(state, "south.reserve=back") == "refused VH-10.1"
    (last,) = game.hands[1]
    token = state.terms.deck.tokens[last].replace(" ", "")
    assert cards.ruling(state, f"west.reserve={token}") == "allowed VH-10.1"
    after = cards.laid(f"west.reserve={token}", state)
    assert cards.ruling(after, f"west.reserve={token}") == "refused VH-1.1"
    assert cards.ruling(after, "west.reserve=back") == "refused VH-10.1"
    assert cards.ruling(after, f"south.reserve={token}") == "refused VH-1.1"
    assert cards.ruling(cards.laid(""), "south.reserve=red3") == "refused VH-10.1"
    assert after.reserves[1] == last


def test_the_next_seat_clockwise_leads_the_next_round(cards: ModuleType) -> None:
    state = finished(cards, 6)
    assert state.stage == "scored"
    assert cards.ruling(state, "south.L=back") == "refused VH-10.3"
    state = GAME.apply(state, GATHER)
    assert (GAME.to_move(state), state.beginning.round, len(state.scores)) == ("west", 2, 1)
    assert GAME.expect(state) == {}
    assert GAME.load(GAME.dump(state)) == state


def test_by_an_option_who_has_the_fewest_points_leads(cards: ModuleType) -> None:
    options = {"later_leader": "fewest", "partners": "no"}
    state = finished(cards, 6, **options)
    fewest = min(state.scores[0])
    after = GAME.apply(state, GATHER)
    assert state.scores[0][after.beginning.leader] == fewest
    state = finished(cards, 6, later_leader="fewest")
    teams = [state.scores[0][seat] + state.scores[0][(seat + 2) % 4] for seat in range(4)]
    assert teams[GAME.apply(state, GATHER).beginning.leader] == min(teams)


@pytest.mark.parametrize(
    ("options", "rounds", "rule"),
    [({}, 4, "VH-11.1"), ({"rounds": "3"}, 3, "VH-11.2"), ({"target": "1"}, 1, "VH-11.2")],
)
def test_the_game_ends(cards: ModuleType, options: dict[str, str], rounds: int, rule: str) -> None:
    state = finished(cards, 0, **options)
    for seed in range(1, rounds):
        assert GAME.outcome(state) is None
        state = finished(cards, seed, GAME.apply(state, GATHER), **options)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.rule == rule
    best = {card.seat: card for card in GAME.scorecards(state)}
    pairs = [("south", "north"), ("west", "east")]
    scores = [sum(best[seat].score or 0 for seat in pair) for pair in pairs]
    assert outcome.winners == pairs[scores[1] > scores[0]]
    assert [best[seat].status for seat in outcome.winners] == ["wins", "wins"]
    assert (GAME.legal(state), GAME.to_move(state)) == ((), None)
    assert GAME.judge(state, GATHER).rule == rule


def test_who_ties_shares_the_win(cards: ModuleType) -> None:
    state = finished(cards, 0, target="1", partners="no")
    tied = cards.replaced(state, scores=((7, 9, 9, 2),))
    assert GAME.outcome(tied) == Outcome(
        ("west", "north"), "VH-11.2", "The highest score is 9: West & North."
    )
    assert [card.status for card in GAME.scorecards(tied)] == ["loses", "wins", "wins", "loses"]


# -- a rule broken in the round --------------------------------------------------------------


def disputed(cards: ModuleType, **options: str) -> VictoryHonorState:
    """Return a finished round in which somebody revoked."""
    for seed in range(20):
        game = cards.Round(seed, 0.2, GAME.setup(options=options))
        game.play()
        if game.planted:
            return game.state  # type: ignore[no-any-return]
    raise AssertionError("nobody lied in twenty rounds")


def test_the_players_decide_whether_a_round_with_a_revoke_counts(cards: ModuleType) -> None:
    state = disputed(cards)
    assert list(GAME.legal(state)) == [VOID, COUNT]
    assert cards.ruling(state, "gather") == "refused VH-10.5"
    void = GAME.apply(state, VOID)
    assert (void.scores, void.beginning.round, void.beginning.leader) == ((), 1, 0)
    counted = GAME.apply(state, COUNT)
    assert (len(counted.scores), counted.beginning.round) == (1, 2)
    assert void.ply == counted.ply == state.ply + 1
    assert cards.ruling(counted, "void") == cards.ruling(counted, "count") == "refused VH-10.5"
    assert GAME.apply(disputed(cards, target="1"), COUNT).stage == "over"


# -- random rounds ---------------------------------------------------------------------------


@pytest.mark.no_cover  # other tests prove line by line
def test_random_rounds_always_have_a_play_twelve_a_phase_and_forty_cards(
    cards: ModuleType,
) -> None:
    seen = cards.rounds(0, 60)
    assert (seen.phases, seen.plays, seen.found, seen.false) == (180, 2160, 0, 0)
    assert seen.reopened > 0
    assert seen.routs > 0


@pytest.mark.no_cover  # other tests prove line by line
def test_by_the_printed_rules_phases_break_off_as_often_as_the_rules_say(
    cards: ModuleType,
) -> None:
    # 27 to 28 of 100 phases, 14 points a player and round, over 40,000 simulated rounds.
    seen = cards.rounds(1000, 80, partners="yes")
    assert 0.2 < seen.broken_off / seen.phases < 0.35
    assert 13 < seen.points / seen.rounds / 4 < 15


@pytest.mark.no_cover  # other tests prove line by line
def test_every_planted_revoke_is_found_and_nobody_accused_wrongly(cards: ModuleType) -> None:
    seen = cards.rounds(0, 60, lies=0.08)
    assert seen.planted > 60
    assert (seen.found, seen.false) == (seen.planted, 0)
    assert {"VH-6.1", "VH-6.3"} <= set(seen.rules)


# -- positions from elsewhere ----------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "hands", "8/8/8/8", "hands 7 south.L=back", "hands 7 west.L=red1", "hands 7 x"]
)
def test_a_position_that_is_no_deal_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        GAME.read_position(GAME.setup(), text)


def changed(dump: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**dump, **fields}


def test_hands_that_are_not_the_forty_cards_are_refused() -> None:
    dump = GAME.dump(GAME.read_position(GAME.setup(), "hands 7"))
    assert GAME.load(dump) == GAME.read_position(GAME.setup(), "hands 7")
    first, second, *rest = dump["hands"]
    for hands in ([first, first, *rest], [first[:9], [*second, first[9]], *rest], [first]):
        with pytest.raises(BadInput):
            GAME.load(changed(dump, hands=hands))
    with pytest.raises(BadInput, match="no saved game of Victory & Honor"):
        GAME.load(changed(dump, to_move="west"))
    with pytest.raises(BadInput, match="no seat"):
        GAME.load(changed(dump, leader="up"))
    with pytest.raises(BadInput, match="not legal here"):
        GAME.load(changed(dump, log=["gather"]))


@pytest.mark.parametrize("seats", [["south", "west"], ["south", "north", "west", "east"]])
def test_all_four_play_and_are_named_clockwise(seats: list[str]) -> None:
    with pytest.raises(BadInput, match="clockwise"):
        GAME.setup(seats)


def played(cards: ModuleType, seed: int, **options: str) -> list[VictoryHonorState]:
    """Return every state of a random round."""
    game = cards.Round(seed, setup=GAME.setup(options=options))
    states, do = [game.state], game.do

    def noted(action: Action) -> None:
        do(action)
        states.append(game.state)

    game.do = noted
    game.play()
    return states


def gathered(cards: ModuleType) -> VictoryHonorState:
    """Return a round whose first spoils have been gathered."""
    return next(state for state in played(cards, 5) if any(state.spoils))


# -- deal, pass, leader ----------------------------------------------------------------------------


def test_deal_and_pass_are_led_through_step_by_step(cards: ModuleType) -> None:
    state = GAME.start(GAME.setup())
    assert [GAME.format(claim) for claim in GAME.claims(state)] == ["dealt"]
    assert any(said.startswith("Step 1 of 2") for said in GAME.situation(state))
    state = cards.laid("dealt")
    assert [GAME.format(claim) for claim in GAME.claims(state)] == ["pass", "redeal"]
    assert any(said.startswith("Step 2 of 2") for said in GAME.situation(state))
    assert not any("plays where" in said for said in GAME.situation(state))
    south = GAME.scorecards(state)[0]
    assert south.status == "passes: left flank to West, centre to North, right flank to East"
    again = cards.laid("redeal", state)
    assert [GAME.format(claim) for claim in GAME.claims(again)] == ["dealt"]
    state = cards.laid("pass", state)
    assert GAME.claims(state) == []
    assert not any("Step" in said for said in GAME.situation(state))


def test_that_the_cards_are_dealt_is_told_once(cards: ModuleType) -> None:
    assert cards.ruling(cards.laid(""), "dealt") == "allowed VH-4.1"
    found = GAME.judge(cards.laid("dealt"), Action("dealt"))
    assert (found.allowed, found.rule) == (False, "VH-4.1")
    assert found.reason == "That the cards are dealt is known already."


def test_who_lays_a_card_at_once_has_dealt_and_passed(cards: ModuleType) -> None:
    state = cards.laid("south.L=red7")
    assert (state.dealt, state.passed) == (True, True)
    assert cards.ruling(state, "dealt") == "refused VH-4.1"


def test_games_of_the_first_version_were_not_led() -> None:
    data = GAME.dump(GAME.start(GAME.setup()))
    del data["rules"]
    data["options"] = {
        k: v for k, v in data["options"].items() if k not in ("guide", "leader", "spoils")
    }
    old = GAME.load(data)
    assert [GAME.format(claim) for claim in GAME.claims(old)] == ["pass", "redeal"]
    assert GAME.setup()["guide"] == "yes"


@pytest.mark.parametrize("leader", ["first", *GAME.seats])
def test_the_option_says_who_leads_the_first_round(leader: str) -> None:
    state = GAME.start(GAME.setup(options={"leader": leader}))
    assert GAME.to_move(state) == ("south" if leader == "first" else leader)
    named = GAME.start(GAME.setup(("west", "north", "east", "south"), {"leader": leader}))
    assert GAME.to_move(named) == ("west" if leader == "first" else leader)


def test_a_page_draws_who_leads_and_commands_begin_with_south() -> None:
    option = next(option for option in GAME.options if option.name == "leader")
    drawn = {option.draw(random.Random(number)) for number in range(60)}
    assert drawn == set(GAME.seats)
    assert GAME.to_move(GAME.start(GAME.setup())) == "south"


# -- round, phase and points -----------------------------------------------------------------------


def test_round_phase_and_points_are_told_as_they_come_about(cards: ModuleType) -> None:
    state = GAME.start(GAME.setup())
    assert GAME.situation(state)[0] == "Round 1 of 4, phase 1 of 3."
    state = gathered(cards)
    told = GAME.situation(state)
    assert told[0] == "Round 1 of 4, phase 2 of 3."
    south, west, north, east = (card.fields[3].value for card in GAME.scorecards(state))
    so_far = f"South {south}, West {west}, North {north}, East {east}."
    assert told[1] == f"So far this round brings: {so_far}"


# -- hidden spoils ---------------------------------------------------------------------------------


def test_hidden_spoils_are_seen_by_their_owner_alone(cards: ModuleType) -> None:
    seen = played(cards, 5, spoils="hidden")
    state = next(state for state in seen if any(state.spoils))
    for card in GAME.scorecards(state):
        spoils, points = card.fields[1], card.fields[3]
        assert (spoils.tokens, points.value) == ((), "")
        own = GAME.own_fields(state, card.seat)
        assert str(len(own[0].tokens)) == spoils.value
        assert own[1].value.isdecimal()
    assert not any("So far" in said for said in GAME.situation(state))
    assert GAME.own_fields(seen[-1], "south") == (), "a scored round is open to all"
    assert any("This round brought" in said for said in GAME.situation(seen[-1]))
    assert GAME.own_fields(GAME.start(GAME.setup()), "south") == ()


# -- scouts ----------------------------------------------------------------------------------------


def test_who_laid_a_scout_is_told_that_he_may_name_a_position(cards: ModuleType) -> None:
    state = cards.laid("south.L=red1")
    told = "South has laid a scout: you may name an empty position of West, or none."
    assert told in GAME.situation(state)


@pytest.mark.no_cover  # other tests prove line by line
def test_every_order_that_is_offered_has_an_effect(cards: ModuleType) -> None:
    seen = 0
    for seed in range(40):
        for before in played(cards, seed, partners="no" if seed % 2 else "yes"):
            for claim in GAME.claims(before):
                if claim.verb == "scout" and claim.detail != "none":
                    phase = GAME.apply(before, claim).phase
                    assert "LCR".index(claim.detail) in (phase.ordered, phase.suggested)
                    seen += 1
    assert seen > 20


def test_a_suggestion_to_a_partner_is_told(cards: ModuleType) -> None:
    state = cards.laid("south.C=blue1 scout=L")
    assert "A partner's scout suggests the left flank to North." in GAME.situation(state)
    assert not any("suggests" in s for s in GAME.situation(cards.laid("north.L=red3", state)))


def test_a_disputed_round_that_ends_the_game_stays_as_it_lies(cards: ModuleType) -> None:
    for seed in range(40):
        game = cards.Round(seed, 0.3, GAME.setup(options={"target": "1"}))
        game.play()
        if game.state.stage == "disputed":
            break
    assert GAME.effect(game.state, VOID).changes == dict.fromkeys(GAME.expect(game.state))
    after = GAME.apply(game.state, COUNT)
    assert after.stage == "over"
    assert GAME.effect(game.state, COUNT).changes == {}
    assert GAME.expect(after) == GAME.expect(game.state)
