"""Games on a server, at the real board: against a server written from the published description."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.composition import Composition, PlayRequest
from companion.live.lichess import Lichess, _standing
from companion.live.online import ServerLine, made_at
from companion.rules import BadInput, HardwareFault
from companion.table.agreement import abort, accept_draw, decline_draw, offer_draw, standing
from tests.checks.board_server import FAULTS, TOKEN, BoardServer
from tests.checks.online_table import OnlineTable, play_one, wait_until


@pytest.fixture
def server():
    with BoardServer() as server:
        yield server


@pytest.fixture
def here(server):
    with Journal() as journal, OnlineTable(server, journal) as here:
        yield here


def begun(server, here, colour="white"):
    """Begin a game on the server; return once the table plays it."""
    before = here.table.game_id
    game = server.begin(colour)
    here.until(lambda: here.table.game_id != before and here.machines.told()["seats"])
    return game


def test_the_opponents_move_is_lit_until_a_hand_has_made_it(server, here):
    game = begun(server, here)
    here.hand("e2-e4")
    here.until(here.together)
    server.move_foe("c7c5")
    assert here.lit() == "c7-c5"
    assert here.machines.meant(here.table) == ("c7", "c6", "c5")
    assert made_at(here.table) == ("e2e4",), "nobody has made it yet"
    here.hand("c7-c5")
    here.until(here.together)
    assert game.moves == ["e2e4", "c7c5"]


def test_who_plays_black_is_lit_the_first_move(server, here):
    begun(server, here, "black")
    server.move_foe("g1f3")
    assert here.lit() == "g1-f3"


def test_what_the_opponent_is_waited_for_and_the_servers_clocks_are_told(server, here):
    begun(server, here)
    here.hand("e2-e4")
    here.until(here.together)
    here.until(lambda: "awaited" in str(here.machines.told()["words"]))
    here.until(lambda: "9:59" in str(here.online.words))
    assert "white 9:59, black 9:59" in str(here.machines.told()["words"])


def test_a_refused_move_is_told_and_the_board_put_back(server, here):
    game = begun(server, here)
    server.move_foe("a2a3")  # made on another device
    here.until(lambda: "made elsewhere" in str(here.online.trouble))
    here.hand("e2-e4")
    here.until(lambda: "is another" in str(here.online.trouble))
    here.table.undo(1, "white")
    here.hand("a2-a3")
    here.until(lambda: here.online.trouble == "")
    assert game.moves == ["a2a3"]


def test_a_move_for_the_opponent_is_not_sent(server, here):
    game = begun(server, here)
    here.hand("e2-e4")
    here.until(here.together)
    here.hand("e7-e5")
    here.until(lambda: "opponent's turn" in str(here.online.trouble))
    assert game.moves == ["e2e4"]
    here.table.undo(1, "white")
    here.until(lambda: here.online.trouble == "")


def test_castling_and_promotion_are_written_as_the_server_does(server, here):
    game = begun(server, here)
    line = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6"
    for ply, text in enumerate(line.split()):
        if ply % 2:
            server.move_foe(text)
            here.hand(here.lit())
        else:
            here.hand(f"{text[:2]}-{text[2:]}")
        here.until(here.together)
    assert " ".join(game.moves) == line


def test_castling_written_as_the_kings_way_onto_his_rook_is_understood():
    ServerLine(find_game("chess")).follow(("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1h1"))


@pytest.mark.parametrize("moves", [("e2e5",), ("e2e4", "e2e4"), ("e1g1",), ("e1h1",), ("d1h1",)])
def test_what_the_rules_refuse_is_not_believed(moves):
    with pytest.raises(HardwareFault, match="not allowed"):
        ServerLine(find_game("chess")).follow(moves)


def test_resigning_here_is_resigning_there(server, here):
    game = begun(server, here)
    here.table.play(here.table.game.parse(here.table.setup, "resign=white"), "white")
    here.until(lambda: game.over)
    assert (game.status, game.winner, game.asked) == ("resign", "black", ["resign"])


def test_a_game_that_is_stopped_at_once_is_aborted_there(server, here):
    game = begun(server, here)
    abort(here.table, "host")
    here.until(lambda: game.over)
    assert game.asked == ["abort"]


@pytest.mark.parametrize(
    ("status", "winner", "winners"),
    [("resign", "white", ("white",)), ("draw", "", ()), ("outoftime", "black", ("black",)),
     ("timeout", "white", ("white",)), ("aborted", "", ())],
)  # fmt: skip
def test_an_end_there_is_an_end_here(server, here, status, winner, winners):
    game = begun(server, here)
    game.end(status, winner)
    server.tell()
    here.until(lambda: here.table.outcome is not None)
    assert here.table.outcome.winners == winners
    assert (here.table.ended_by == "abort") == (status == "aborted")


def test_a_draw_is_offered_here_and_taken_there(server, here):
    game = begun(server, here)
    for text in ("e2e4", "e7e5"):
        if game.to_move == "white":
            here.hand(f"{text[:2]}-{text[2:]}")
            here.until(here.together)
        else:
            server.move_foe(text)
            here.hand(here.lit())
    here.until(here.together)
    offer_draw(here.table, "white")
    here.until(lambda: "white" in game.draws)
    game.end("draw")
    server.tell()
    here.until(lambda: here.table.outcome is not None)
    assert here.table.outcome.winners == ()
    assert game.asked.count("draw/yes") == 1


@pytest.mark.parametrize("taken", [True, False])
def test_a_draw_is_offered_there_and_answered_here(server, here, taken):
    game = begun(server, here)
    here.hand("e2-e4")
    here.until(here.together)
    server.move_foe("e7e5")
    here.hand(here.lit())
    game.draws.add("black")
    server.tell()
    here.until(lambda: standing(here.table) is not None)
    assert standing(here.table).seat == "black"
    (accept_draw if taken else decline_draw)(here.table, "white")
    here.until(lambda: game.over if taken else "draw/no" in game.asked)
    assert game.status == ("draw" if taken else "started")


def test_an_online_game_waits_for_the_one_on_the_table(server, here):
    here.hand("e2-e4")
    game = server.begin("white")
    here.until(lambda: "waits" in str(here.online.trouble))
    abort(here.table, "host")
    here.until(lambda: here.machines.told()["seats"] == {"black": "online"})
    assert game.moves == []


def test_a_table_that_was_restarted_goes_on_where_both_stood(server):
    with Journal() as journal:
        with OnlineTable(server, journal) as here:
            game = begun(server, here)
            here.hand("e2-e4")
            here.until(here.together)
        server.move_foe("e7e5")
        with OnlineTable(server, journal) as here:
            assert here.lit() == "e7-e5"
            here.hand("e7-e5")
            here.until(here.together)
    assert game.moves == ["e2e4", "e7e5"]


def test_a_move_whose_answer_is_lost_is_made_once(server, here):
    game = begun(server, here)
    server.faults, server.often = ("unheard",), 1.0
    here.hand("e2-e4")
    here.until(here.together)
    server.often = 0.0
    server.move_foe("e7e5")
    here.hand(here.lit())
    assert game.asked == ["move/e2e4"]


def test_a_token_that_is_not_good_is_told(server):
    with Journal() as journal, OnlineTable(server, journal, "wrong") as here:
        here.until(lambda: "does not let the table in" in str(here.online.trouble))
        assert server.strangers > 0


@pytest.mark.thorough
def test_games_come_to_their_ends_whatever_the_line_does(server, here):
    server.faults, server.often = FAULTS, 0.05
    chance = random.Random(3)
    for _ in range(4):
        play_one(server, here, chance, chance.randrange(2, 16))
        winner = server.game.winner
        assert here.table.outcome.winners == ((winner,) if winner else ())
        assert list(made_at(here.table)) == server.game.moves
    assert server.happened


STATE = {"type": "gameState", "moves": "e2e4", "status": "started", "wtime": 1, "btime": 1}


@pytest.mark.parametrize(
    "wrong",
    [{"moves": 3}, {"moves": "e2e9"}, {"moves": "e2e4;"}, {"status": None}, {"winner": "red"},
     {"type": 7}],
)  # fmt: skip
def test_a_line_that_is_none_is_a_fault_of_the_server(wrong):
    assert _standing(STATE).moves == ("e2e4",)
    with pytest.raises(HardwareFault, match="server"):
        _standing({**STATE, **wrong})


@pytest.mark.parametrize("clocks", [{"wtime": None}, {"wtime": "soon"}, {"wtime": -70_000}])
def test_clocks_that_are_skewed_stop_nothing(clocks):
    told = _standing({**STATE, **clocks})
    assert told.clocks is None or told.clocks[0] == 0.0


@pytest.mark.parametrize("address", ["lichess.org", "ftp://x", "https://", "https://a:b@c"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(BadInput, match=r"lichess\.org"):
        Lichess(address, TOKEN)


def test_without_a_token_no_server_is_asked_and_nothing_is_loaded(tmp_path):
    code = (
        "import sys, companion.live.composition;"
        "print([name for name in sys.modules if 'lichess' in name or 'live.online' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_with_a_token_in_the_settings_the_table_plays_there(server, tmp_path):
    (tmp_path / "settings.toml").write_text(
        f'[online]\ntoken = "{TOKEN}"\nserver = "{server.address}"\n'
    )
    play_request = PlayRequest(
        game=find_game("chess"), setup=None, journal=tmp_path / "game.sqlite3", new=False,
        camera="simulated", table_file=None, lights="simulated", wiring=None, host="127.0.0.1",
        port=0, address="127.0.0.1",
    )  # fmt: skip
    with Composition(play_request) as stage:
        stage.start()
        game = server.begin("black")
        server.move_foe("e2e4")
        # The simulated hands make what is lit, the simulated camera sees it, and so it is played.
        wait_until(lambda: made_at(stage.table) == ("e2e4",))
        assert game.moves == ["e2e4"]
