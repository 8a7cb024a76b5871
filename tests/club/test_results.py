"""What was played at all tables: players, ratings, head to head, search, what is taken away."""

from __future__ import annotations

import csv
import io
import json

import pytest

from companion.club.messages import Batch, Place
from companion.club.results import (
    FIRST_RATING,
    ClubGame,
    head_to_head,
    players,
    ratings,
    sought,
)
from companion.journal import Header
from companion.journal.copying import JournalRows
from companion.table.agreement import resign
from companion.table.past_games import PastGame
from tests.checks.club_tables import EPOCH, Published
from tests.checks.loops import some
from tests.checks.two_tables import GUEST, OWNER, Bench, Clock, Post, alike


def game(names, *winners, number=1, name="chess", by=None, over=10.0):
    """A finished game: ``names`` by seat, and the seats that won."""
    header = Header(name, tuple(names), {})
    outcome = {"winners": list(winners)} | ({"by": by} if by else {})
    known = {seat: one for seat, one in names.items() if one}
    return ClubGame("t" * 8, "j" * 8, "Four", PastGame(number, header, 1.0, known, over, outcome))


def of_two(white, black, *winners, **more):
    return game({"white": white, "black": black}, *winners, **more)


def test_names_that_differ_in_capitals_are_one_player():
    scores = players([of_two("Ada", "Bo", "white"), of_two("bo", "ADA")])
    assert {name: tuple(score) for name, score in scores.items()} == {
        "Ada": (1, 1, 0),
        "Bo": (0, 1, 1),
    }


def test_a_game_that_was_broken_off_counts_nowhere():
    games = [of_two("Ada", "Bo", "white", by="abort")]
    assert (players(games), ratings(games), head_to_head(games, "Ada")) == ({}, {}, {})


def test_whoever_wins_rates_higher_and_more_so_the_more_often():
    [once] = [ratings([of_two("Ada", "Bo", "white")])["chess"]]
    often = ratings([of_two("Ada", "Bo", "white", number=n, over=float(n)) for n in range(6)])
    assert [one.player for one in once] == ["Ada", "Bo"]
    assert once[0].rating > FIRST_RATING > once[1].rating
    assert often["chess"][0].rating > once[0].rating
    assert often["chess"][0].games == 6


def test_a_win_against_a_strong_player_is_worth_more():
    strong = [of_two("Strong", "Weak", "white", number=n, over=float(n)) for n in range(8)]
    upset = ratings([*strong, of_two("New", "Strong", "white", number=9)])["chess"]
    usual = ratings([*strong, of_two("New", "Weak", "white", number=9)])["chess"]
    rated = [next(one.rating for one in all_ if one.player == "New") for all_ in (upset, usual)]
    assert rated[0] > rated[1]


@pytest.mark.parametrize("count", range(2, 7))
def test_two_to_six_players_are_rated_and_the_losers_alike(count):
    names = {f"seat {n}": f"P{n}" for n in range(count)}
    rated = ratings([game(names, "seat 1", name="unknown game")])["unknown game"]
    assert rated[0].player == "P1"
    assert len({one.rating for one in rated[1:]}) == 1


def test_ratings_do_not_depend_on_the_order_in_which_games_are_told():
    games = [of_two("Ada", "Bo", "white", number=n, over=float(n)) for n in range(3)]
    games.append(of_two("Bo", "Cy", "white", number=8, over=0.5))
    assert ratings(games) == ratings(games[::-1])


@pytest.mark.parametrize("names", [("Ada", ""), ("Ada", "ada")], ids=["nobody", "oneself"])
def test_a_game_against_nobody_or_oneself_is_not_rated(names):
    assert ratings([of_two(*names, "white")]) == {}


def test_partners_win_together():
    names = dict(zip(("north", "east", "south", "west"), ("A", "B", "C", "D"), strict=True))
    one = game(names, "north", "south", name="unknown game")
    assert tuple(players([one])["C"]) == (1, 0, 0)
    between = {name: tuple(score) for name, score in head_to_head([one], "A").items()}
    assert between == {"B": (1, 0, 0), "C": (0, 1, 0), "D": (1, 0, 0)}


def test_games_are_found_by_player_table_and_game():
    games = [of_two("Ada", "Bo", "white"), of_two("Cy", "Bo", name="invictus")]
    assert sought(games, "ada") == games[:1]
    assert sought(games, "bo four") == games
    assert sought(games, "bo", "invictus") == games[1:]
    assert sought(games, "nobody") == []


@pytest.fixture
def played(tmp_path, store):
    table = Published(tmp_path, store, "Four", "chess", "a" * 16)
    table.finish({"white": "Ada", "black": "Bo/Cy"}, "black")
    table.finish({"white": "Bo/Cy", "black": "Ada"})
    table.finish({"white": "=1+1", "black": "Ada"}, "black")
    yield table
    table.journal.close()


def test_the_pages_of_players_show_ratings_head_to_head_and_games(client, played):
    page = client.get("/players").text
    assert "Ratings" in page
    assert "/players/Bo/Cy" in page
    one = client.get("/players/bo/cy").text
    assert "2 played, 0 won, 1 drawn, 1 lost" in one
    assert "Head to head" in one
    assert one.count('href="/games/') == 2
    assert client.get("/players/Nobody").status_code == 404


def test_past_games_are_sought_and_looked_at_action_by_action(client, played):
    found = client.get("/games?words=bo").text
    assert found.count("★") == 1
    link = json.loads(client.get("/games.json?words=bo").text)["games"][-1]["link"]
    assert "After action 3 of 3" in client.get(link).text
    start = client.get(f"{link}?at=0").text
    assert "After action 0 of 3" in start
    assert client.get(f"{link}?at=99").status_code == 400
    assert client.get("/games/x/y/1").status_code == 404


def test_what_is_taken_away_is_whole_and_harms_no_spreadsheet(client, played):
    rows = list(csv.DictReader(io.StringIO(client.get("/games.csv").text)))
    assert [row["result"] for row in rows] == ["won", "drawn", "won"]
    assert not [cell for row in rows for cell in row.values() if cell.startswith("=")]
    for row in some(rows):
        for name in ("record.txt", "scorecards.csv", "game.pgn", "game.pdf"):
            answer = client.get(f"{row['link']}/{name}")
            assert answer.status_code == 200
            assert "attachment" in answer.headers["Content-Disposition"]
    pgn = client.get(f"{rows[-1]['link']}/game.pgn").text
    assert '[White "Ada"]' in pgn
    assert "1. e4 e5" in pgn
    assert client.get(f"{rows[-1]['link']}/secret").status_code == 404


def test_a_table_s_earlier_journal_counts_and_a_table_invited_anew_counts_once(
    client, played, store, tmp_path
):
    other = Published(tmp_path, store, "Four again", "chess", "a" * 16, epoch="d" * 16)
    other.finish({"white": "Ada", "black": "Bo/Cy"}, "black")
    other.journal.close()
    assert "4" in client.get("/players").text
    assert len(client.get("/games.json?words=ada").json["games"]) == 4
    rows = JournalRows(played.path)
    store.take("c" * 16, Batch("e" * 8 + "f" * 8, Place(), tuple(rows.after(0, 1000))))
    rows.close()
    assert len(client.get("/games.json?words=ada").json["games"]) == 4


def publish(bench, store):
    rows = JournalRows(bench.folder / "table.sqlite3")
    store.take(bench.me, Batch(EPOCH, Place(), tuple(rows.after(0, 10_000))))
    rows.close()


@pytest.fixture
def together(tmp_path):
    """Three tables that played one game of HexiMeros to its end, after another one of the owner's
    own."""
    clock = Clock()
    owner, *guests = (
        Bench(tmp_path / me[0], me, clock, "heximeros") for me in (OWNER, GUEST, "c" * 16)
    )
    owner.evening.begin("heximeros", None, {})
    for guest, seats in zip(guests, (["blue", "red"], ["green"]), strict=True):
        guest.visitor.join(owner.owner.invite(seats))
    with Post([owner, *guests]) as post:
        post.until(lambda: all(alike(owner, guest) for guest in guests))
        names = {owner: ("silver", "yellow"), guests[0]: ("blue", "red"), guests[1]: ("green",)}
        for bench, seats in names.items():
            for seat in seats:
                bench.table.note("named", {"seat": seat, "name": f"P {seat}"}, "host")
        owner.table.note("named", {"seat": "orange", "name": "P orange"}, "host")
        for seat in owner.table.setup.seats[1:]:
            bench = next((one for one, seats in names.items() if seat in seats), owner)
            if owner.table.outcome is None:
                resign(bench.table, seat)
            post.until(lambda: all(alike(owner, guest) for guest in guests))
        assert not post.faults
    assert owner.table.outcome is not None
    yield owner, *guests
    for bench in (owner, *guests):
        bench.journal.close()


@pytest.mark.parametrize("shared", [(0, 1, 2), (2, 0, 1), (0, 2), (1, 2), (1,)])
def test_a_game_of_several_tables_counts_once_with_the_names_of_all(
    client, store, together, shared
):
    for number in shared:
        publish(together[number], store)
    games = client.get("/games.json?words=P").json["games"]
    assert len(games) == 1
    named = {"silver", "yellow", "orange"} if 0 in shared else set()
    named |= ({"blue", "red"} if 1 in shared else set()) | ({"green"} if 2 in shared else set())
    assert {seat for seat, name in games[0]["players"].items() if name} == named
    assert games[0]["table"] in ([OWNER] if 0 in shared else [together[n].me for n in shared])
    page = client.get("/players").text
    assert ("Ratings" in page) == (len(shared) == 3)
    assert client.get(games[0]["link"]).status_code == 200
