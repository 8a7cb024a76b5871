"""The whole product as a user starts it: a process, a browser, hands on the simulated table."""

from __future__ import annotations

import pytest


def shown(page, text):
    """Wait until ``page`` shows ``text``."""
    page.wait_for_function("text => document.body.innerText.includes(text)", arg=text)


@pytest.mark.thorough
def test_a_piece_moved_by_hand_is_seen_ruled_on_scored_and_survives_a_kill(house):
    phone = house.phone()
    house.touch("h2")
    shown(phone, "In the hand: red Templar, black edge from h2")
    shown(phone, "may go here")

    house.touch("h4")
    phone.wait_for_selector('[data-spot="h4"][data-token="red black T"]')
    shown(phone, "h2 → h4")
    assert house.state()["to_move"] == "purple"

    house.move("h13", "h12")
    shown(phone, "Not allowed")
    shown(phone, "VIC-4.2")
    assert house.state()["to_move"] == "purple", "a refused move changes nothing"

    house.move("h12", "h13")
    house.in_order()
    before = house.state()
    house.kill()
    house.serve()
    house.wait_for("state.camera.still && !state.camera.differs.length")
    after = house.state()
    assert after["position"] == before["position"]
    assert after["to_move"] == "purple"

    phone.wait_for_selector("#pill[data-live=yes]")
    house.move("j13", "j11")
    phone.wait_for_selector('[data-spot="j11"][data-token="purple black T"]')
    assert house.state()["to_move"] == "red"


HOLD_BACK = """() => {
  const real = window.fetch;
  window.held = new Promise((got) => {
    window.fetch = async (...asked) => {
      const answer = await real(...asked);
      if (!String(asked[0]).startsWith("/api/virtual/table")) return answer;
      window.fetch = real;
      await new Promise((release) => got(window.release = release));
      return answer;
    };
  });
}"""


@pytest.mark.slow
def test_an_answer_older_than_the_hand_puts_no_piece_back(house):
    table = house.table
    table.evaluate(HOLD_BACK)
    table.evaluate("async () => { await window.held; }")
    house.touch("h2")
    table.wait_for_selector('[data-spot="h2"]:not([data-token])')
    # Once another answer is there, the page has long read the late one.
    table.evaluate("async () => { window.release(); await (await fetch('/api/state')).json(); }")
    assert table.locator('[data-spot="h2"][data-token]').count() == 0
    house.touch("h4")
    table.wait_for_selector('[data-spot="h4"][data-token="red black T"]')
