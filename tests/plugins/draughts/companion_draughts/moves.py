"""The boards, and which moves there are: plain ones, and captures from first to last jump."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from companion.rules import Action
from companion.rules.geometry import square_board

SEATS = ("black", "white")
Men = tuple[tuple[str, str], ...]


class Variant:
    """What makes English and international draughts two games. ``flying``: kings are, men capture
    backwards, most go first; ``quiet`` moves of each are a draw. ``rays`` are a square's diagonals
    as far as the edge, the first two away from Black at ``a1``; ``home`` is where men set out."""

    def __init__(self, size: int, begins: str, flying: bool, quiet: int) -> None:
        self.size, self.begins, self.flying, self.quiet = size, begins, flying, quiet
        self.board = square_board(size, size, 40.0, ("#7d6652", "#efe3c8"))
        ways = ((1, 1), (-1, 1), (1, -1), (-1, -1))
        self.rays = {spot: [self._ray(spot, x, y) for x, y in ways] for spot in self.board}
        self.dark = [spot for spot in self.board if (ord(spot[0]) + int(spot[1:])) % 2 == 0]
        rows = {"black": range(1, size // 2), "white": range(size // 2 + 2, size + 1)}
        self.home = {s: [spot for spot in self.dark if int(spot[1:]) in rows[s]] for s in SEATS}

    def _ray(self, spot: str, x: int, y: int) -> list[str]:
        file, row = ord(spot[0]), int(spot[1:])
        cells = (f"{chr(file + x * n)}{row + y * n}" for n in range(1, self.size))
        return [cell for cell in cells if cell in self.board]

    def ways(self, spot: str, token: str, jumping: bool) -> tuple[list[list[str]], int]:
        """Return the diagonals on which ``token`` goes from ``spot``, and how far."""
        rays, king = self.rays[spot], token.endswith("king")
        if king or (jumping and self.flying):
            return rays, self.size if king and self.flying else 1
        return rays[:2] if token.startswith("black") else rays[2:], 1

    def crowned(self, spot: str, token: str) -> bool:
        """Tell whether ``token`` is a man on its last row."""
        last = self.size if token.startswith("black") else 1
        return token.endswith("man") and spot[1:] == str(last)


VARIANTS = {
    "english": Variant(8, "black", flying=False, quiet=40),
    "international": Variant(10, "white", flying=True, quiet=25),
}


def owner(token: str) -> str:
    """Return the seat that ``token`` belongs to."""
    return token.partition(" ")[0]


@lru_cache(maxsize=4096)
def moves(men: Men, seat: str, variant: Variant) -> Mapping[Action, Action]:
    """Return the legal moves as they are told, each with all squares that it captures in ``via``.
    These are told where another capture leads there, too, or it ends where it began (DR-3.6)."""
    found = [move for move, whole in captures(men, seat, variant).items() if whole]
    if variant.flying:
        most = max((len(move.via) for move in found), default=0)
        found = [move for move in found if len(move.via) == most]
    ways = Counter((move.origin, move.target) for move in found)
    told = {}
    for move in sorted(found or steps(men, seat, variant), key=str):
        alone = ways[move.origin, move.target] < 2 and move.origin != move.target
        told[replace(move, via=()) if alone else move] = move
    return told


def steps(men: Men, seat: str, variant: Variant) -> Iterator[Action]:
    """Yield the moves that take nothing, also where one has to capture."""
    board = dict(men)
    for origin, token in men:
        rays, reach = variant.ways(origin, token, False)
        for ray in rays if token.startswith(seat) else ():
            for target in takewhile(lambda spot: spot not in board, ray[:reach]):
                yield Action("move", origin, target)


@lru_cache(maxsize=4096)
def captures(men: Men, seat: str, variant: Variant) -> Mapping[Action, bool]:
    """Return the captures, also those that take too few; whether each is whole: cannot go on."""
    found: dict[Action, bool] = {}
    for origin, token in men:
        board = {spot: other for spot, other in men if spot != origin}
        begun = [Action("move", origin, origin)] if token.startswith(seat) else []
        while begun:
            move = begun.pop()
            further = list(_jumps(board, move, token, variant))
            begun += [longer for longer in further if longer not in found]
            if move.via:
                found[move] = not further
    return found


def _jumps(
    board: Mapping[str, str], move: Action, token: str, variant: Variant
) -> Iterator[Action]:
    """Yield ``move`` with each further jump. What was jumped before still stands in the way."""
    if move.via and not variant.flying and variant.crowned(move.target, token):
        return
    rays, reach = variant.ways(move.target, token, True)
    for ray in rays:
        met = next((n for n, spot in enumerate(ray[:reach]) if spot in board), reach)
        if met == reach or owner(board[ray[met]]) == owner(token) or ray[met] in move.via:
            continue
        via = tuple(sorted((*move.via, ray[met])))
        for target in takewhile(lambda spot: spot not in board, ray[met + 1 : met + 1 + reach]):
            yield replace(move, target=target, via=via)
