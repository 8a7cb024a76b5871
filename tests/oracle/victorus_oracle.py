"""A second, deliberately naive Victorus, written from the rules alone to check the engine.

Nothing here is fast or clever: cells are axial pairs, the board is a dict, every question is
answered by walking. It shares no code with the engine. Rule ids stand beside what they ask for.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from tests.oracle.victorus_ground import (
    ALLIED_ORDER,
    CELL,
    CELLS,
    CENTRE,
    COLOURS,
    NAME,
    POINTS,
    ROYAL_POINTS,
    UNITS,
    Cell,
    Ground,
    N,
    Piece,
    S,
    Way,
    angle,
    diff,
    distance,
    plus,
    swing,
    turned,
)

__all__ = ["ALLIED_ORDER", "CELL", "CELLS", "CENTRE", "COLOURS", "NAME", "UNITS", "Oracle",
           "Piece", "diff", "distance", "plus"]  # fmt: skip


@dataclass
class Turn:
    """What has happened in the running turn."""

    began: dict[Piece, Cell]
    zones: dict[Piece, str]  # and what that was then: a kingdom may fall in mid-turn
    stage: str = "first"  # first, second (move 2 may follow), pivot, bonus
    active: Piece | None = None
    bonuses: int = 0
    frozen: set[Piece] = field(default_factory=set)
    double: Piece | None = None  # the piece whose own the bonus may be
    last_capture: Cell | None = None
    first_captured: bool = False
    first_kingdom: str | None = None  # the enemy kingdom of a capture on move 1
    first_direction: Cell = CENTRE
    captured_in: dict[Piece, set[str]] = field(default_factory=dict)
    left: dict[Piece, str] = field(default_factory=dict)  # a kingdom not to be entered again


class Oracle(Ground):
    """A game in progress. ``apply`` gives a changed copy."""

    def __init__(
        self,
        seats: tuple[str, ...],
        options: dict[str, str] | None = None,
        places: tuple[str, ...] = COLOURS,
    ) -> None:
        """``seats`` in order of play; ``places`` are the colours clockwise from the south."""
        super().__init__(seats, options, places)
        self.royal: set[Piece] = set()
        self.held: dict[Piece, str] = {}
        self.credit = dict.fromkeys(self.home, 0)
        self.gate = dict.fromkeys(self.seats, 0)
        self.winding = {
            piece: self.first_winding(piece, cell)
            for piece, cell in self.home.items()
            if piece[2] in "KQ"
        }
        self.removed: set[Piece] = set()
        self.waiting: list[Piece] = []
        self.mover = self.seats[0]
        self.winners: set[str] | None = None
        self.turn = self.new_turn()

    # -- where a capture may happen ------------------------------------------------------

    def may_capture(self, piece: Piece, target: Cell) -> bool:
        """VIC-5.6, judged from where the piece stood when the turn began; VIC-5.7, nothing more
        in the enemy kingdom where it captured."""
        seat = piece[0]
        kingdom = self.enemy_kingdom(seat, target)
        if kingdom is None:
            return True
        again = self.options["same_kingdom"] == "yes" and self.options["variant"] != "quick"
        if kingdom in self.turn.captured_in.get(piece, set()) and not again:
            return False
        start = self.turn.zones.get(piece, "own")  # a royal that was put back stands at home
        if self.options["fallen_kingdom"] == "now" and start in self.out:
            start = "field"
        if start == "field":
            return True
        if start in ("own", "allied"):
            return False
        same = self.options["from_enemy"] == "same" and start == kingdom
        return same or self.options["from_enemy"] == "yes"

    def stands(self, piece: Piece, way: Way) -> bool:
        """Whatever holds for every move of every piece: captures, the gate."""
        if way.target in self.board and not self.may_capture(piece, way.target):
            return False
        if piece[2] in "KQ" and self.gate[piece[0]] < 3:  # VIC-4.6
            return all(self.kingdom.get(cell) == piece[0] for cell in way.path)
        return True

    # -- what each piece may do ------------------------------------------------------------

    def first_moves(self, piece: Piece, start: Cell) -> list[Way]:
        """VIC-4.1 to 4.5: what may begin a turn."""
        if piece[2] == "H":
            return self.travels(piece, start)
        if piece[2] in "KQ":
            other = "white" if self.edge_of(start) == "black" else "black"
            ways = [w for w in self.slides(piece, start) if self.edge_of(w.target) == other]
            ways += self.entry(piece, start)
        else:
            ways = [w for w in self.slides(piece, start) if self.edge_of(w.target) == piece[1]]
            slid = {way.target for way in ways}
            ways += [w for w in self.strategic(piece, start) if w.target not in slid]
        return [way for way in ways if self.stands(piece, way)]

    def travels(self, piece: Piece, start: Cell) -> list[Way]:
        """VIC-4.3: to an empty cell from which a pivot is possible."""
        ways = []
        for way in self.slides(piece, start):
            if way.target in self.board or self.edge_of(way.target) != piece[1]:
                continue
            del self.board[start]
            self.board[way.target] = piece
            if self.options["pivot"] == "may" or self.pivots(piece, way.target):
                ways.append(way)
            del self.board[way.target]
            self.board[start] = piece
        return ways

    def pivots(self, piece: Piece, start: Cell) -> list[Way]:
        """VIC-4.3: a neighbouring cell of its own colour, empty or an enemy's."""
        ways = []
        for step in UNITS:
            target = plus(start, step)
            if not self.step_possible(start, target) or self.edge_of(target) != piece[1]:
                continue
            other = self.board.get(target)
            if other is not None and self.friends(other[0], piece[0]):
                continue
            way = Way(target, [target], step, "pivot")
            if self.stands(piece, way):
                ways.append(way)
        return ways

    def second_moves(self, piece: Piece, start: Cell) -> list[Way]:
        """VIC-4.4, 4.5, 5.7."""
        turn = self.turn
        colour = self.edge_of(start)  # K, Q: the new colour; a royal knight stands on its own
        ways = [w for w in self.slides(piece, start) if self.edge_of(w.target) == colour]
        if piece[2] in "KQ":
            ways += self.entry(piece, start)
        else:
            back = self.options["return"]
            if back == "no" or (back == "after_capture" and not turn.first_captured):
                ways = [w for w in ways if w.target != turn.began[piece]]
            if self.options["dogleg"] == "must":
                line = (turn.first_direction, turned(turn.first_direction, 3))
                ways = [w for w in ways if w.direction not in line]
        if turn.first_kingdom is not None:
            ways = [w for w in ways if self.zone(piece[0], w.target) == "field"]
        return [way for way in ways if self.stands(piece, way)]

    def bonus_moves(self, piece: Piece, start: Cell) -> list[Way]:
        """VIC-5.3 to 5.5, 5.7."""
        if piece[2] == "H":
            ways = self.travels(piece, start)
        elif piece[2] in "KQ":
            assert self.turn.last_capture is not None
            colour = self.edge_of(self.turn.last_capture)
            if self.options["royal_bonus_colour"] == "opposite":
                colour = "white" if colour == "black" else "black"
            ways = [w for w in self.slides(piece, start) if self.edge_of(w.target) == colour]
            ways += self.entry(piece, start)
            ways = [way for way in ways if self.stands(piece, way)]
        else:
            ways = self.first_moves(piece, start)
            if self.options["bonus_strategic"] == "no":
                ways = [way for way in ways if way.manner == "slide"]
        return [way for way in ways if not self.forbidden_again(piece, start, way)]

    def forbidden_again(self, piece: Piece, start: Cell, way: Way) -> bool:
        """VIC-5.7, 8.1: a piece of two moves does not come back into an enemy kingdom where it
        captured and that it left."""
        quick = self.options["variant"] == "quick"
        captured_in = self.turn.captured_in.get(piece, set())
        target = self.enemy_kingdom(piece[0], way.target)
        if target is None or target not in captured_in:
            return False
        two_moves = piece[2] in "KQ" or piece in self.royal
        closed = quick or target == self.turn.left.get(piece)
        return closed and two_moves and self.enemy_kingdom(piece[0], start) != target

    def entry(self, piece: Piece, start: Cell) -> list[Way]:
        """VIC-7.1 to 7.3."""
        home = self.options["portal"] == "home"
        outward = turned(S if home else N, self.place[piece[0]])
        needed = 360 if home else 540
        path: list[Cell] = []
        here = outward
        while here != start:
            if here not in NAME or here in self.board:
                return []
            path = [here, *path]
            here = plus(here, outward)
        total = self.winding[piece] if piece[2] == "K" else -self.winding[piece]
        if total < needed - 1e-6:
            return []
        inward = (-outward[0], -outward[1])
        return [Way(CENTRE, [*path, CENTRE], inward, "entry")]

    # -- what may be done now ----------------------------------------------------------------

    def asked(self) -> Piece | None:
        """VIC-7.5: the returned royal that its owner has to put back now."""
        for piece in self.waiting:
            if self.places_for(piece):
                return piece
        return None

    def places_for(self, piece: Piece) -> list[Cell]:
        home = self.home[piece]
        free = [
            cell
            for cell, owner in self.kingdom.items()
            if owner == piece[0]
            and cell not in self.board
            and self.edge_of(cell) == self.edge_of(home)
        ]
        least = min((distance(cell, home) for cell in free), default=0)
        return [cell for cell in free if distance(cell, home) == least]

    def to_move(self) -> str | None:
        if self.winners is not None:
            return None
        piece = self.asked()
        return piece[0] if piece is not None else self.mover

    def ways(self) -> dict[str, tuple[Piece, Cell, Way, bool]]:
        """Every move of a piece that may be made now; the last says: on a bonus."""
        found: dict[str, tuple[Piece, Cell, Way, bool]] = {}
        for start, piece in list(self.board.items()):
            if piece[0] == self.mover:
                for bonus, ways in self.ways_of(piece, start):
                    for way in ways:
                        name = f"{NAME[start]}-{NAME[way.target]}"
                        found.setdefault(name, (piece, start, way, bonus))
        return found

    def ways_of(self, piece: Piece, start: Cell) -> list[tuple[bool, list[Way]]]:
        """What one piece of the mover may do now, and whether on a bonus. What could be move 2
        is move 2, for it costs no bonus."""
        turn = self.turn
        if turn.stage == "first":
            return [(False, self.first_moves(piece, start))]
        if turn.stage == "pivot":
            return [(False, self.pivots(piece, start))] if piece == turn.active else []
        found = []
        if turn.stage == "second":
            if piece == turn.active:
                found.append((False, self.second_moves(piece, start)))
            if self.options["second"] == "must" and self.second_open():
                return found
        own = piece == turn.active and self.options["variant"] != "quick"
        passed = turn.double not in (None, piece) and self.options["pass_on"] == "no"
        if turn.bonuses > 0 and piece not in turn.frozen and not own and not passed:
            found.append((True, self.bonus_moves(piece, start)))
        return found

    def second_open(self) -> bool:
        """Whether the piece that moved can make its move 2."""
        piece = self.turn.active
        here = [cell for cell, other in self.board.items() if other == piece]
        return bool(self.second_moves(piece, here[0])) if piece and here else False

    def bonus_open(self) -> bool:
        """Whether any piece can make a bonus move, though it may look like a move 2."""
        own = [(p, cell) for cell, p in self.board.items() if p[0] == self.mover]
        return any(bonus and ways for p, cell in own for bonus, ways in self.ways_of(p, cell))

    def legal(self) -> set[str]:
        if self.winners is not None:
            return set()
        piece = self.asked()
        if piece is not None:
            return {f"*{NAME[cell]}={piece[2]}" for cell in self.places_for(piece)}
        ways = self.ways()
        on_bonus = [bonus for *_, bonus in ways.values()]
        may_end = {
            "first": self.options["must_move"] == "no",
            "pivot": self.options["pivot"] == "may",
            "second": self.options["second"] == "may" or False not in on_bonus,
            "bonus": True,
        }[self.turn.stage]
        if self.options["bonus"] == "must" and self.bonus_open():
            may_end = False
        return set(ways) | ({"end"} if may_end or not ways else set())

    # -- doing it ---------------------------------------------------------------------------

    def apply(self, action: str) -> Oracle:
        """The position after ``action``, which must be legal."""
        after = copy.deepcopy(self)
        if action == "end":
            after.end_turn()
        elif action.startswith("*"):
            piece = after.asked()
            assert piece is not None
            after.put_back(piece, CELL[action[1:].split("=")[0]])
        else:
            after.move(*after.ways()[action])
        after.settle()
        return after

    def move(self, piece: Piece, start: Cell, way: Way, bonus: bool) -> None:
        turn = self.turn
        del self.board[start]
        here = start
        for cell in way.path:
            if piece[2] in "KQ" and cell != CENTRE:  # VIC-7.2
                self.winding[piece] += swing(angle(here), angle(cell))
            here = cell
        if way.manner == "entry":
            self.board[CENTRE] = piece
            self.winners = {s for s in self.seats if self.friends(s, piece[0])}
            return
        victim = self.board.pop(way.target, None)
        self.board[way.target] = piece
        kingdom = self.enemy_kingdom(piece[0], way.target)
        captured = victim is not None
        if victim is not None:
            if kingdom is not None:
                turn.captured_in.setdefault(piece, set()).add(kingdom)
            turn.last_capture = way.target
            self.capture(piece, victim)
        if self.winners is None:
            self.go_on(piece, way, bonus, captured, kingdom)

    def go_on(
        self, piece: Piece, way: Way, bonus: bool, captured: bool, kingdom: str | None
    ) -> None:
        """VIC-5.2 to 5.4, 5.7, 8.1: what the move makes of the turn."""
        turn = self.turn
        two_moves = piece[2] in "KQ" or piece in self.royal
        if bonus:
            turn.bonuses -= 1
            if turn.stage == "second" and turn.first_captured and turn.active is not None:
                self.freeze(turn.active)
            if turn.double is not None and turn.double != piece:  # it passed the bonus on
                self.freeze(turn.double)
                turn.double = None
        if piece[2] == "H" and way.manner != "pivot":
            turn.stage, turn.active = "pivot", piece
            return
        stays = captured and kingdom is not None and self.options["captor"] == "stays"
        if stays and not (turn.stage == "second" and turn.first_captured and not bonus):
            turn.bonuses += 1
            turn.frozen.add(piece)
            turn.double = None if piece == turn.double else turn.double
            turn.stage, turn.active = "bonus", None
            return
        if turn.stage == "first" and two_moves and way.manner != "strategic":
            turn.stage, turn.active = "second", piece
            turn.first_captured = captured
            turn.first_direction = way.direction
            turn.bonuses = 1 if captured else 0
            if captured and kingdom is not None:
                turn.first_kingdom = kingdom
                turn.left[piece] = kingdom
            return
        if turn.stage == "second" and not bonus:
            self.after_second(piece, captured, kingdom)
        elif captured:
            turn.bonuses += 1
            if piece != turn.double:
                self.freeze(piece)
        turn.stage, turn.active = "bonus", None
        if turn.bonuses == 0:
            self.end_turn()

    def freeze(self, piece: Piece) -> None:
        """VIC-5.2; in the quick game (VIC-8.1) a captor may go on with its own bonus."""
        if self.options["variant"] != "quick":
            self.turn.frozen.add(piece)

    def after_second(self, piece: Piece, captured: bool, kingdom: str | None) -> None:
        """VIC-5.4, 5.7: the end of a two-move turn's second move."""
        turn = self.turn
        if captured and turn.first_captured:
            if self.options["variant"] == "quick":
                turn.bonuses = 2
                if kingdom is not None and self.options["captor"] == "stays":
                    turn.frozen.add(piece)
            elif self.options["captor"] == "stays" and kingdom is not None:
                self.freeze(piece)
            elif kingdom is None or self.options["double"] == "any":
                turn.double = piece
            else:
                self.freeze(piece)
        elif captured:
            turn.bonuses = 1
            self.freeze(piece)
        elif turn.first_captured:
            self.freeze(piece)

    def capture(self, captor: Piece, victim: Piece) -> None:
        """VIC-4.6, 5.1, 6.1, 7.4, 7.5."""
        seat, loser = captor[0], victim[0]
        self.held[victim] = seat
        self.credit[captor] += 2 if victim[2] in "KQ" or victim in self.royal else 1
        if captor[2] not in "KQ" or self.options["gate"] == "all":
            self.gate[seat] += 1
        if victim[2] in "KQ":
            for kind in "KQ":
                mine = (seat, "half", kind)
                if self.held.get(mine) == loser:
                    del self.held[mine], self.held[victim]
                    self.waiting += [mine, victim]
                    self.settle()
                    break
        if all(self.held.get((loser, "half", kind)) for kind in "KQ"):
            self.fall(loser)

    def fall(self, seat: str) -> None:
        """VIC-7.4."""
        self.out.add(seat)
        for cell, piece in list(self.board.items()):
            if piece[0] == seat:
                del self.board[cell]
                self.removed.add(piece)
        left = [s for s in self.seats if s not in self.out]
        if all(self.friends(left[0], s) for s in left):
            self.winners = {s for s in self.seats if self.friends(s, left[0])}

    def settle(self) -> None:
        """VIC-7.5: a returned royal whose own cell is free stands there at once."""
        for piece in list(self.waiting):
            if self.home[piece] not in self.board:
                self.put_back(piece, self.home[piece])

    def put_back(self, piece: Piece, cell: Cell) -> None:
        self.waiting.remove(piece)
        self.board[cell] = piece
        self.winding[piece] = self.first_winding(piece, cell)
        self.turn.began[piece] = cell

    def first_winding(self, piece: Piece, cell: Cell) -> float:
        """VIC-7.2: the cell's angle from the owner's axis."""
        return swing(angle(turned(S, self.place[piece[0]])), angle(cell))

    def end_turn(self) -> None:
        """VIC-6.2, 8.3."""
        for piece in self.board.values():
            regular = piece not in self.royal and piece[2] in "TUBE"
            if piece[0] == self.mover and regular and self.credit[piece] >= 2:
                self.royal.add(piece)
        place = self.seats.index(self.mover)
        order = self.seats[place + 1 :] + self.seats[:place]
        self.mover = next(seat for seat in order if seat not in self.out)
        self.turn = self.new_turn()

    def new_turn(self) -> Turn:
        return Turn(
            {piece: cell for cell, piece in self.board.items()},
            {piece: self.zone(piece[0], cell) for cell, piece in self.board.items()},
        )

    # -- what can be seen ---------------------------------------------------------------------

    def position(self) -> dict[str, str]:
        """Spot name -> token: owner, edge, kind, ``+`` if royal, `` frozen``."""
        seen = {}
        for cell, piece in self.board.items():
            token = " ".join(piece) + ("+" if piece in self.royal else "")
            seen[NAME[cell]] = token + (" frozen" if piece in self.turn.frozen else "")
        return seen

    def points(self, seat: str) -> int:
        """VIC-8.1: what the pieces held by ``seat`` count."""
        total = 0
        for piece, holder in self.held.items():
            if holder == seat:
                total += ROYAL_POINTS[piece[2]] if piece in self.royal else POINTS[piece[2]]
        return total
