"""Deltas: what they leave out can be put together again, and they are short."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.checks.updates import applied
from web.delta import changes, written

names = st.sampled_from("abcdef")
texts = st.lists(st.sampled_from(["<li>", "</li>", "a1", "\n", "😀", "<b>red 4</b>"])).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers(2, 9) | texts,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(names, inner, max_size=6),
    max_leaves=12,
)
snapshots = st.dictionaries(names, values, max_size=6)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(snapshots, snapshots)
def test_what_changed_makes_the_new_snapshot_of_the_old(old, new):
    told = json.loads(written(changes(old, new)))
    assert applied(old, told) == new


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(snapshots)
def test_of_the_same_nothing_is_told(snapshot):
    assert changes(snapshot, json.loads(json.dumps(snapshot))) == {}


def test_nothing_and_no_value_are_told_apart():
    assert changes({"a": 1, "b": 2}, {"a": None}) == {"a": None, "-": ["b"]}


def test_in_a_text_the_tags_that_changed_are_told():
    old = "<ul><li>red</li>" + "<li>grey</li>" * 20 + "<li>blue</li></ul>"
    new = old.replace("<li>red", '<li class="on">red').replace("blue", "green")
    [first, second] = changes({"html": old}, {"html": new})["~"]["html"]
    assert first == [1, 1, ['<li class="on">']]
    assert second == [65, 1, ["green"]]


def test_a_tag_that_stands_before_in_the_text_is_told_by_its_number():
    button = '<button class="wide"><b>{}</b></button>'
    old, new = ("".join(map(button.format, names)) for names in (["red"], ["red", "blue"]))
    assert changes({"html": old}, {"html": new}) == {"~": {"html": [[5, 0, [0, 1, "blue", 3, 4]]]}}
    first = ['<button class="wide">', "<b>", "red", "</b>", "</button>"]
    assert changes({"html": ""}, {"html": new}) == {
        "~": {"html": [[0, 0, [*first, 0, 1, "blue", 3, 4]]]}
    }


def test_an_entry_that_comes_before_the_others_is_told_alone():
    old = [{"seq": n, "text": f"move {n}"} for n in (9, 8, 7)]
    new = [{"seq": 10, "text": "move 10"}, *old[:2]]
    assert changes({"recent": old}, {"recent": new}) == {
        "~": {"recent": [[0, 0, [new[0]]], [2, 1, []]]}
    }


def test_of_an_item_what_changed_in_it_is_told():
    cards = [{"seat": seat, "score": 0, "status": "plays on with all his men"} for seat in "abc"]
    later = [cards[0], {**cards[1], "score": 5}, cards[2]]
    assert changes({"cards": cards}, {"cards": later}) == {"~": {"cards": {"1": {"score": 5}}}}


def test_a_value_that_is_another_altogether_is_told_whole():
    assert changes({"a": "<b>red"}, {"a": "<i>blue"}) == {"a": "<i>blue"}
    assert changes({"a": {"b": 1}}, {"a": [1]}) == {"a": [1]}


def test_a_long_page_of_the_same_pieces_is_soon_compared():
    old = "<b></b>" * 20_000
    told = changes({"html": old}, {"html": old.replace("<b></b>", "<b>1</b>", 5_000)})
    assert applied({"html": old}, told)["html"].count("1") == 5_000
