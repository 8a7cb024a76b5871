"""What comes from outside is read within bounds, and refused in one sentence."""

import pytest

from companion.rules import BadInput
from companion.rules.given import (
    DEEPEST,
    is_texts,
    quoted,
    read_json,
    read_object,
    read_toml,
    whole_number,
)
from tests.checks.plain_words import code_names


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "nonsense", '{"a": 1, "a": 2}', "NaN",
        "[Infinity]", "[1e999]", "[" + "9" * 5000 + "]",
        "[" + "9" * 40 + "]", "[" * 100_000, "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
        '{"a": "\\ud800"}', '{"\\udfff": 1}', b"\xff\xfe", '"\ud800"', "[1,]\n[",
    ],
)  # fmt: skip
def test_json_that_cannot_be_kept_is_refused_in_a_sentence(text):
    with pytest.raises(BadInput) as refused:
        read_json(text, "the file")
    assert str(refused.value).startswith("the file ")
    assert code_names(str(refused.value)) == []


def test_plain_json_is_read_as_it_is():
    assert read_json(b'\xef\xbb\xbf{"a": [1, -2.5, null, true, "\\u00e9"]}', "the file") == {
        "a": [1, -2.5, None, True, "é"]
    }
    assert read_json('"\\ud83d\\ude00"', "the file") == "😀"


@pytest.mark.parametrize(
    "text",
    ["a = [", "a = " + "9" * 5000, "a = " + "[" * 5000, "a = nan", "a = inf", "a = 1\na = 2"],
)
def test_toml_that_cannot_be_kept_is_refused_in_a_sentence(text):
    with pytest.raises(BadInput) as refused:
        read_toml(text, "the wiring")
    assert code_names(str(refused.value)) == []


def test_of_a_file_that_holds_one_object_nothing_else_is_taken():
    assert read_object('{"a": 1}', "the file") == {"a": 1}
    with pytest.raises(BadInput, match="the file holds no JSON object, but a list"):
        read_object("[1]", "the file")


def test_a_list_of_texts_holds_nothing_but_texts():
    assert is_texts([])
    assert is_texts(["red"])
    assert not is_texts(["red", 7])
    assert not is_texts("red")


def test_a_text_too_long_is_not_even_begun():
    with pytest.raises(BadInput, match="too long"):
        read_toml("#" * 300_000, "the wiring")


def test_a_fault_is_told_with_its_line():
    with pytest.raises(BadInput, match="line 2"):
        read_toml("a = 1\nb = =\n", "the wiring")
    with pytest.raises(BadInput, match="line 2"):
        read_json("[1,\n}", "the file")


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "1.0", "²", "٣", "1" * 16, "1" * 5000, " 1", "1e3"]
)
def test_what_is_no_plain_number_is_none(text):
    assert whole_number(text) is None


def test_a_plain_number_is_read():
    assert whole_number("0042") == 42


def test_a_quotation_is_short_and_on_one_line():
    assert quoted("h2 h4") == "“h2 h4”"
    assert quoted("a\n\x00\ud800b") == "“a b”"
    assert quoted("“x”") == "“x”"
    assert len(quoted("x" * 100_000)) == 43


def test_plain_toml_is_read_as_it_is():
    assert read_toml("a = [1, -2.5]", "the wiring") == {"a": [1, -2.5]}
