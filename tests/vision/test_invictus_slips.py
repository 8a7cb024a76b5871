"""A captured die that is put back as it was, not turned to its lower value."""

from __future__ import annotations

from companion.games import find_game
from vision.decoding.decode import Decoder

GAME = find_game("invictus")
SETUP = GAME.setup()


class Seen:
    """A picture that plainly shows ``table``."""

    def __init__(self, table):
        self.table = table

    def error(self, spot, token):
        return 0.0 if self.table.get(spot) == token else 1.0

    def shows(self, spot, token):
        return self.table.get(spot) == token

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


def test_a_die_put_back_with_its_old_value_is_still_a_capture():
    state, capture = captures()
    before = dict(GAME.expect(state))
    taken = before[capture.target]
    put = GAME.legal(GAME.apply(state, capture))[0]
    shown = {**before, capture.target: before[capture.origin], put.target: taken}
    del shown[capture.origin]
    changed = frozenset({capture.origin, capture.target, put.target})
    decoder = Decoder(GAME, Seen(shown), before, changed, changed)
    decoded = decoder.decode([state], [], ())
    assert decoded.sure
    assert [str(step.action) for step in decoded.best.story.steps] == [str(capture), str(put)]
    assert decoded.best.table[put.target] == taken
