"""Two tables play one game: the owner decides, the guest follows, and there is one truth."""

from __future__ import annotations

import random

import pytest

from companion.club.distant import Ask, Proposal, read_ask, read_link, read_told, write_ask
from companion.club.messages import Place
from companion.club.owner import GOOD_FOR, SILENCE, STRANGERS, VALID
from companion.rules import BadInput, HardwareFault
from companion.table.agreement import accept_draw, offer_draw, resign, take_back
from companion.table.history import StaleState
from companion.table.mirror import Elsewhere, OwnerRequest
from tests.checks.two_tables import GUEST, OWNER, Bench, Clock, Post, alike


@pytest.fixture
def tables(tmp_path):
    clock = Clock()
    owner, guest = Bench(tmp_path / "owner", OWNER, clock), Bench(tmp_path / "guest", GUEST, clock)
    yield owner, guest
    for bench in (owner, guest):
        bench.journal.close()


@pytest.fixture
def playing(tables):
    """Two tables that play chess, black at the guest's."""
    owner, guest = tables
    guest.visitor.join(owner.owner.invite(["black"]))
    with Post([owner, guest]) as post:
        post.until(lambda: alike(owner, guest))
        yield owner, guest, post
        assert not post.faults


def play(bench, text, actor="camera"):
    table = bench.table
    return table.play(table.game.parse(table.setup, text), actor)


def test_a_move_made_in_one_town_is_known_in_the_other(playing):
    owner, guest, post = playing
    play(owner, "e2-e4", "white")
    post.until(lambda: alike(owner, guest))
    assert play(guest, "e7-e5").allowed
    assert owner.table.actions == guest.table.actions
    assert [str(a.target) for a in guest.table.actions] == ["e4", "e5"]


def test_an_illegal_move_is_refused_by_the_owner_and_by_its_rule(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    ruling = play(guest, "e7-e4", "black")
    assert not ruling.allowed
    assert ruling.reason
    post.until(lambda: alike(owner, guest))
    assert guest.table.events()[-1].ruling == ruling


def test_a_guest_moves_nothing_of_the_others(playing):
    owner, guest, _ = playing
    with pytest.raises(Elsewhere, match="white is to move, who plays at the other table"):
        play(guest, "e2-e4")
    with pytest.raises(Elsewhere, match="white is not played at that table"):
        play(guest, "e2-e4", "white")
    assert not owner.table.actions
    assert not guest.table.actions


def test_of_two_moves_at_once_one_stands_and_the_other_hears_why(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    with post.guard:
        # Nothing is carried meanwhile: both sides move in the same moment.
        play(owner, "e7-e5")
        seen = guest.table.state_id
        post.benches = [guest]
        post.turn()
    post.benches = [owner, guest]
    with pytest.raises(StaleState):
        guest.table.play(guest.table.game.parse(guest.table.setup, "c7-c5"), "black", None, seen)
    post.until(lambda: alike(owner, guest))
    assert "e5" in guest.table.game.format(guest.table.actions[-1])


def test_a_broken_line_is_told_on_both_sides_and_the_game_waits(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    post.cut = True
    owner.clock.forward(SILENCE)
    post.until(lambda: owner.table.paused and not guest.visitor.there)
    assert "The line to Table b is broken" in owner.owner.words
    assert "The line to Table a is broken" in guest.visitor.words
    with pytest.raises(HardwareFault, match="The line to Table a is broken"):
        play(guest, "e7-e5")
    post.cut = False
    post.until(lambda: not owner.table.paused and alike(owner, guest))
    assert not owner.owner.words
    assert not guest.visitor.words
    assert play(guest, "e7-e5").allowed


def test_those_who_go_on_without_the_other_are_followed_later(playing):
    owner, guest, post = playing
    post.cut = True
    owner.clock.forward(SILENCE)
    post.until(lambda: owner.table.paused)
    owner.table.note("continued", {}, "white")
    for text in ("e2-e4", "e7-e5", "g1-f3"):
        play(owner, text)
    assert not owner.table.paused
    post.cut = False
    post.until(lambda: alike(owner, guest))
    assert len(guest.table.actions) == 3


def test_draws_resignations_and_take_backs_reach_both(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    play(guest, "e7-e5")
    take_back(guest.table, 1, "black")
    assert len(owner.table.actions) == 1
    offer_draw(owner.table, "white")
    post.until(lambda: alike(owner, guest))
    accept_draw(guest.table, "black")
    assert owner.table.outcome is not None
    assert not owner.table.outcome.winners
    assert guest.table.outcome == owner.table.outcome


def test_a_guest_gives_up_for_its_own_seat_alone(playing):
    owner, guest, _ = playing
    with pytest.raises(Elsewhere):
        resign(guest.table, "white")
    resign(guest.table, "black")
    assert owner.table.outcome.winners == ("white",) == guest.table.outcome.winners


def test_what_others_did_is_taken_back_with_their_will(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    take_back(guest.table, 1, "black")
    assert len(owner.table.actions) == 1, "white is asked first"
    accept_draw(owner.table, "white")
    post.until(lambda: alike(owner, guest))
    assert not guest.table.actions


def test_the_next_game_begins_at_both_tables(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    owner.evening.begin("victorus", None, {})
    post.until(lambda: guest.table.game.name == "victorus" and alike(owner, guest))


def test_a_game_of_ones_own_is_not_taken_away(tables):
    owner, guest = tables
    play(guest, "d2-d4")
    guest.visitor.join(owner.owner.invite(["black"]))
    with Post([owner, guest]) as post:
        post.until(lambda: "waits" in guest.visitor.words)
        play(owner, "e2-e4")
        assert guest.table.owned
        resign(guest.table, "white")
        post.until(lambda: alike(owner, guest))


def test_after_a_restart_of_either_table_the_game_goes_on(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    for bench in (guest, owner):
        with post.guard:
            bench.restart()
        post.until(lambda: alike(owner, guest) and guest.visitor.there)
    post.until(lambda: not owner.table.paused)
    post.until(lambda: guest.visitor._beat in owner.owner._beats)
    assert play(guest, "e7-e5").allowed
    assert sum(event.kind == "started" for event in guest.table.events()) == 1


def test_an_owner_restored_from_a_backup_is_followed_on_its_line(playing, tmp_path):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    with post.guard:
        owner.journal.close()
        copy = (tmp_path / "owner" / "table.sqlite3").read_bytes()
        owner.restart()
        play(owner, "e7-e5")
        for _bench in (owner, guest):
            post.benches = [owner, guest]
        post.turn()
    post.until(lambda: alike(owner, guest))
    with post.guard:
        owner.journal.close()
        for path in (tmp_path / "owner").glob("table.sqlite3*"):
            path.unlink()
        (tmp_path / "owner" / "table.sqlite3").write_bytes(copy)
        owner.restart()
        play(owner, "c7-c5")
    post.until(lambda: alike(owner, guest))
    assert [a.target for a in guest.table.actions] == ["e4", "c5"]


def test_what_is_asked_before_a_new_line_was_heard_of_begins_no_other(playing):
    owner, guest, post = playing
    with post.guard:
        late = guest.visitor
        owner.evening.begin("victorus", None, {})
        for _ in range(3):
            # Its words are on the way for longer than it waits until it speaks again.
            late._asked_at = -VALID
            owner.owner.take(GUEST, late.due()[1])
    post.until(lambda: alike(owner, guest))
    post.until(lambda: guest.table.place[0] > 0)
    assert guest.table.owner["epoch"] == 2


@pytest.fixture
def stranger(tables, tmp_path):
    bench = Bench(tmp_path / "stranger", "c" * 16, tables[0].clock)
    yield bench
    bench.journal.close()


def turned_away(owner, other):
    """Tell whether ``other`` is told that it does not play along, and nothing else."""
    with Post([owner, other]) as post:
        post.until(lambda: "does not let this table play along" in other.visitor.words)
        assert other.visitor.there
    assert other.table.owned
    return "Table a" in other.visitor.words


def test_an_invitation_is_good_for_one_table_and_no_other(tables, stranger):
    owner, guest = tables
    link = owner.owner.invite(["black"])
    guest.visitor.join(link)
    with Post([owner, guest]) as post:
        post.until(lambda: alike(owner, guest))
    stranger.visitor.join(link)
    assert turned_away(owner, stranger)


def test_an_invitation_is_good_for_a_week(tables, stranger):
    owner, guest = tables
    first, second = owner.owner.invite(["black"]), owner.owner.invite(["white"])
    owner.clock.forward(GOOD_FOR - 60)
    guest.visitor.join(first)
    with Post([owner, guest]) as post:
        post.until(lambda: alike(owner, guest))
    owner.clock.forward(60)
    stranger.visitor.join(second)
    assert turned_away(owner, stranger)
    # Whoever took it up in time plays on.
    with Post([owner, guest]) as post:
        play(owner, "e2-e4")
        post.until(lambda: alike(owner, guest) and not guest.visitor.words)


def test_the_last_invitation_to_a_seat_is_the_one_that_is_good(tables, stranger):
    owner, guest = tables
    old, new = owner.owner.invite(["black"]), owner.owner.invite(["black"])
    stranger.visitor.join(old)
    assert turned_away(owner, stranger)
    guest.visitor.join(new)
    with Post([owner, guest]) as post:
        post.until(lambda: alike(owner, guest))


def test_a_table_that_was_dismissed_hears_so(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    owner.owner.dismiss(GUEST)
    post.until(lambda: "does not let this table play along" in guest.visitor.words)
    with pytest.raises(HardwareFault, match="does not let this table play along"):
        play(guest, "e7-e5")
    assert len(owner.table.actions) == 1


def test_many_strangers_are_answered_no_oftener_than_they_ask(tables):
    owner, _ = tables
    ask = write_ask(Ask("x" * 22, 0, Place(), True))
    for number in range(100):
        owner.owner.take(f"{number:016x}", ask)
    told = owner.owner.due()
    assert len(told) == STRANGERS
    assert not owner.owner.due()


def test_a_table_takes_no_invitation_of_its_own(tables):
    owner, _ = tables
    with pytest.raises(BadInput, match="own invitation"):
        owner.visitor.join(owner.owner.invite(["black"]))
    with pytest.raises(BadInput, match="is no invitation"):
        owner.visitor.join("https://example.org/")
    assert read_link(owner.owner.invite(["white"]))[0] == OWNER


def test_a_seat_belongs_to_one_table(playing):
    owner, _, _ = playing
    with pytest.raises(BadInput, match="black is played at another table"):
        owner.owner.invite(["black"])
    with pytest.raises(BadInput, match="seat"):
        owner.owner.invite(["green"])


def test_what_a_stranger_says_is_passed_over(playing):
    owner, guest, post = playing
    before = owner.table.state_id
    for payload in (b"", b"[]", b"{", b'{"v":1}', b"\xff" * 40, b'{"v":1,"place":[1,2]}'):
        with post.guard:
            owner.owner.take("c" * 16, payload)
            guest.visitor.take(payload)
        with pytest.raises(BadInput):
            read_ask(payload)
        with pytest.raises(BadInput):
            read_told(payload)
    assert owner.table.state_id == before


def test_a_proposal_that_comes_late_counts_no_more(playing):
    owner, guest, post = playing
    play(owner, "e2-e4")
    post.until(lambda: alike(owner, guest))
    with post.guard:
        place = Place(*guest.table.place)
        request = OwnerRequest("play", "black", place.seq, {"action": "e7-e5"})
        epoch, heard = guest.table.owner["epoch"], guest.visitor._beat
        ask = Ask(guest.visitor._code, epoch, place, True, (Proposal("0" * 16, heard, request),))
        owner.clock.forward(VALID + 1)
        owner.owner.take(GUEST, write_ask(ask))
        assert len(owner.table.actions) == 1
        # Made on what the owner said just now, it counts; said twice, it counts once.
        heard = read_told(owner.owner.due()[0][1]).beat
        ask = ask._replace(wishes=(Proposal("1" * 16, heard, request),))
        for _ in range(2):
            owner.owner.take(GUEST, write_ask(ask))
        assert len(owner.table.actions) == 2


@pytest.mark.parametrize("seed", range(3))
def test_random_games_over_a_bad_line_have_one_truth(tmp_path, seed):
    chance = random.Random(seed)
    clock = Clock(20)
    owner, guest = Bench(tmp_path / "owner", OWNER, clock), Bench(tmp_path / "guest", GUEST, clock)
    guest.visitor.join(owner.owner.invite(["black"]))
    with Post([owner, guest], seed, lost=0.2, doubled=0.2, held=0.3) as post:
        post.until(lambda: not guest.table.owned)
        for _ in range(40):
            bench = owner if owner.table.to_move == "white" else guest
            legal = bench.table.game.legal(bench.table.state)
            if not legal:
                break
            try:
                bench.table.play(chance.choice(legal), "camera")
            except (StaleState, HardwareFault, BadInput):
                continue
            post.cut = chance.random() < 0.1
        post.cut = False
        post.until(lambda: alike(owner, guest))
    assert owner.table.actions
    for bench in (owner, guest):
        bench.journal.close()
