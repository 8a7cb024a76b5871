"""Two minutes of what the lights' soak does for eight hours, and proof that it sees faults."""

from __future__ import annotations

from types import MappingProxyType

import companion.live.light_panel
from hardware.strip import LightShow
from tests.soak import soak_lights as soak


def faults(told):
    names = ("late", "not as computed", "off the clock", "not legal or not lit", "lit at the end")
    return {name for name in names if told[name]}


def test_two_minutes_at_the_table_pass_without_a_fault():
    told = soak.Soak(2).run(120.0, 10.0)
    assert told["frames"] == 1200
    assert faults(told) == set()


def test_a_legal_spot_left_dark_is_counted(monkeypatch):
    real = companion.live.light_panel.lights

    def forgetful(game, state, moment):
        frame = dict(real(game, state, moment))
        legal = [spot for spot, light in frame.items() if light.meaning == "destination"]
        return MappingProxyType({s: light for s, light in frame.items() if s not in legal[:1]})

    monkeypatch.setattr(companion.live.light_panel, "lights", forgetful)
    assert "not legal or not lit" in faults(soak.Soak(2).run(120.0, 10.0))


def test_effects_that_run_beside_the_clock_are_counted(monkeypatch):
    real = LightShow._levels
    monkeypatch.setattr(LightShow, "_levels", lambda show, at: real(show, at + 0.4))
    assert "off the clock" in faults(soak.Soak(2).run(120.0, 10.0))


def test_a_strip_that_is_not_refreshed_is_counted(monkeypatch):
    real = companion.live.light_panel.LightPanel.tick
    ticks = []

    def lazy(panel):
        ticks.append(1)
        if len(ticks) % 100 < 50:
            real(panel)

    monkeypatch.setattr(companion.live.light_panel.LightPanel, "tick", lazy)
    assert "late" in faults(soak.Soak(2).run(60.0, 10.0))
