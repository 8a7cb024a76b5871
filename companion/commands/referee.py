"""``referee``: a ruling as one HTML file, with the board drawn, the rule's text and the proof."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.common import chosen_state, ruled, state_given
from companion.runtime.files import write_private
from web.proof import proof_page


@state_given
def run_referee(arguments: argparse.Namespace) -> int:
    """Rule on each action in turn and write the file; a refused action is not played."""
    game, setup, state = chosen = chosen_state(arguments)
    actions = [game.parse(setup, text) for text in arguments.actions]
    page = proof_page(game, setup, state, actions, arguments.language)
    write_private(Path(arguments.html), page.encode())
    ruled(arguments, chosen, html=str(arguments.html))
    if not arguments.json:
        print(f"with the board and the proof: {arguments.html}")
    return 0
