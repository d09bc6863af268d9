"""Ruleset: a variant is a list of rulebook sections over a board."""

from typing import Final

from engine.rules.boards.board import Board
from engine.rules.choices import HIGH_MASK, LOW_SHIFT, NO_CARD, NO_PIECE, NO_PLACE
from engine.rules.errors import IllegalAction
from engine.rules.events import CONTROLLED, ELIMINATED, EVERYBODY, FINISHED, FORFEITED, Event
from engine.rules.section import CAPTURE, CHANGE, DICE, Deck, Section
from engine.rules.state import ALL, CONQUEST, GOAL, KIND, LAST_SOUND, NOBODY, SEAT_SHIFT, TALLIES, State
from engine.rules.steps import AUTOMATIC, ROLL_STEP, SECRETIVE

# Arena limit, public: a seat never has more armies, so that 16 bits always hold them.
MOST_ARMIES: Final = 20_000


class Ruleset:
    """A variant made ready for a number of seats and its options: shared by every match of that kind."""

    def __init__(
        self,
        variant: str,
        version: int,
        board: Board,
        seats: int,
        settings: dict[str, int],
        sections: tuple[Section, ...],
        teams: int = 0,
    ) -> None:
        self.variant = variant
        self.version = version
        self.board = board
        self.seats = seats
        self.settings = settings
        self.settings_key = tuple(sorted(settings.items()))
        self.rounds = settings["rounds"]
        self.sections = sections
        self.answers: list[Section] = [Section()] * (KIND + 1)
        self.on: list[list[Section]] = [[], [], [], []]  # the sections that take part in each moment
        self.forces: int = seats  # the seats, then the neutral forces: what may own a place
        self.decks: list[Deck] = []
        self.card_names: list[str] = []  # of all decks, by kind
        self.no_tally: tuple[int, ...] = ()
        self.even = False
        for section in sections:
            for kind in section.kinds:
                self.answers[kind] = section
            for moment in section.moments:
                self.on[moment].append(section)
            self.forces += section.neutrals()
            for deck in section.decks(board):
                self.decks.append(deck)
                self.card_names.extend(deck.cards)
            if section.marches:
                self.no_tally = (0,) * (TALLIES + board.size)
            elif section.tallies and not self.no_tally:
                self.no_tally = (0,) * TALLIES
            self.even = self.even or section.even
        self.teams: tuple[int, ...] = tuple([seat % teams if teams else seat for seat in range(seats)])
        self.on_capture: list[Section] = self.on[CAPTURE]
        self.on_roll: list[Section] = self.on[DICE]
        self.on_change: list[Section] = self.on[CHANGE]

    def new(self) -> State:
        """The position before anything has happened."""
        seats, board, decks = self.seats, self.board, len(self.decks)
        s = State(
            seats=seats,
            turn=0,
            first=0,
            round=0,
            agenda=[],
            owner=[NOBODY] * board.size,
            armies=[0] * board.size,
            held=[0] * self.forces,
            regions=[0] * (self.forces * len(board.region_bonus)),
            pool=[0] * self.forces,
            fell=(0,) * seats,
            lost=0,
            hands=((),) * (self.forces * decks),
            decks=((),) * decks,
            discards=((),) * decks,
            groups=0,
            picks=(),
            sets=0,
            captures=0,
            bonus=0,
            places=(),
            ending=0,
            tally=self.no_tally,
        )
        for section in self.sections:
            section.prepare(self, s)
        for section in reversed(self.sections):
            section.setup(self, s)
        self.settle(s)
        return s

    def over(self, s: State) -> bool:
        return not s.agenda

    def waiting(self, s: State) -> tuple[int, ...]:
        """The seats that the step on top asks; CHANCE is one; nobody when the match is over.

        Several are asked at once where they choose in secret; their answers are applied in the order of seats.
        """
        if not s.agenda:
            return ()
        seat = (s.agenda[-1] >> SEAT_SHIFT & 15) - 1
        if seat == ALL:
            return tuple([chooser for chooser in range(s.seats) if not s.fell[chooser] and s.choices[chooser] < 0])
        return (seat,)

    def asked(self, s: State) -> int:
        """The seat whose answer is applied next."""
        seat = (s.agenda[-1] >> SEAT_SHIFT & 15) - 1
        return seat if seat != ALL else self.waiting(s)[0]

    def options(self, s: State, seat: int, out: list[int]) -> None:
        """Fills the caller's list with the options of the step on top."""
        out.clear()
        self.answers[s.agenda[-1] & KIND].options(self, s, seat, out)

    def apply(self, s: State, seat: int, code: int, amount: int) -> None:
        """Takes a legal answer; trusts the caller that it is one."""
        agenda = s.agenda
        self.answers[agenda[-1] & KIND].apply(self, s, seat, code, amount)
        if self.on_change:
            for section in self.on_change:
                section.changed(self, s)
        if agenda and agenda[-1] & KIND >= AUTOMATIC:
            self.settle(s)

    def play(self, s: State, seat: int, index: int, amount: int) -> None:
        """Takes an answer by its index, checked: raises and changes nothing if it is not legal."""
        if seat not in self.waiting(s):
            raise IllegalAction(f"seat {seat} is not asked now")
        codes: list[int] = []
        self.options(s, seat, codes)
        if not 0 <= index < len(codes):
            raise IllegalAction(f"option {index} does not exist: there are {len(codes)}, counted from 0")
        code = codes[index]
        low, high = code >> LOW_SHIFT & 255, code & HIGH_MASK
        if not low <= amount <= high:
            raise IllegalAction(f"amount {amount} is not between {low} and {high}")
        self.apply(s, seat, code, amount)

    def is_settled(self, s: State, codes: list[int]) -> bool:
        """Whether public facts leave one answer to the step on top, so that nobody need be asked."""
        code = codes[0]
        if len(codes) > 1 or code >> LOW_SHIFT & 255 != code & HIGH_MASK:
            return False
        return s.agenda[-1] & KIND not in SECRETIVE

    def is_bystander(self, s: State, seat: int) -> bool:
        return self.answers[s.agenda[-1] & KIND].bystander(self, s, seat)

    def defender(self, s: State, place: int) -> int:
        """The seat that chooses the dice of a place which is attacked."""
        return self.answers[ROLL_STEP].defender(s, place)

    def settle(self, s: State) -> None:
        """Takes automatic steps until somebody is asked or the match is over."""
        agenda = s.agenda
        while agenda:
            step = agenda[-1]
            kind = step & KIND
            if kind < AUTOMATIC:
                return
            self.answers[kind].enter(self, s, (step >> SEAT_SHIFT & 15) - 1)

    def begin_turn(self, s: State, seat: int) -> None:
        """Pushes the steps of a turn, the first section's on top."""
        s.turn = seat
        s.captures = 0
        s.bonus = 0
        s.tally = self.no_tally
        for section in reversed(self.sections):
            section.turn(self, s, seat)

    def income(self, s: State, seat: int) -> int:
        armies = 0
        for section in self.sections:
            armies += section.income(self, s, seat)
        return armies

    def receive(self, s: State, seat: int, armies: int) -> int:
        """What the seat gets of these armies under the arena's limit."""
        return max(0, min(armies, MOST_ARMIES - self.army_count(s, seat) - s.pool[seat]))

    def army_count(self, s: State, seat: int) -> int:
        if s.shares:
            return sum([armies[seat] for armies in s.shares])
        owner, armies = s.owner, s.armies
        total = 0
        for place, holder in enumerate(owner):
            if holder == seat:
                total += armies[place]
        return total

    def own(self, s: State, place: int, seat: int) -> None:
        """Gives a place to a force, or to nobody, and keeps the counters."""
        region = self.board.region_of[place]
        regions = len(self.board.region_bonus)
        before = s.owner[place]
        if before != NOBODY:
            s.held[before] -= 1
            s.regions[before * regions + region] -= 1
        s.owner[place] = seat
        if seat != NOBODY:
            s.held[seat] += 1
            s.regions[seat * regions + region] += 1

    def add(self, s: State, place: int, seat: int, armies: int) -> None:
        """Puts armies of a seat on a place, or takes off as many as are below zero; control may change."""
        s.armies[place] += armies
        if s.shares:
            self.share(s, place, seat, armies)

    def share(self, s: State, place: int, seat: int, armies: int) -> None:
        """Counts a seat's armies on a shared place. Strictly the most give control, a tie gives it to nobody."""
        shares = list(s.shares[place])
        shares[seat] += armies
        s.shares = (*s.shares[:place], tuple(shares), *s.shares[place + 1 :])
        most = max(shares)
        controller = shares.index(most) if most and shares.count(most) == 1 else NOBODY
        if controller != s.owner[place]:
            self.own(s, place, controller)
            if most and s.armies[place] != armies:  # neither cleared nor taken just now
                self.tell(s, CONTROLLED, controller, target=place)

    def knowers(self, seat: int) -> int:
        """The mask of the seats that see the seat's cards: its team."""
        mask = 0
        for mate, team in enumerate(self.teams):
            if team == self.teams[seat]:
                mask |= 1 << mate
        return mask

    def region_income(self, s: State, seat: int) -> int:
        board = self.board
        regions = len(board.region_bonus)
        armies = 0
        for region in range(regions):
            if s.regions[seat * regions + region] == board.region_size[region]:
                armies += board.region_bonus[region]
        return armies

    def eliminate(self, s: State, seat: int, by: int) -> None:
        """Takes a seat out of the match, which may end it; a neutral force is only told."""
        if seat >= s.seats:
            self.tell(s, ELIMINATED, by, piece=seat)
            return
        order = max(s.fell) + 1
        s.fell = tuple(order if other == seat else s.fell[other] for other in range(s.seats))
        self.tell(s, ELIMINATED, by, piece=seat)
        self.end_if_alone(s)

    def share_out(self, s: State, seat: int, by: int) -> None:
        """Lets the sections share out what an eliminated seat leaves."""
        for section in self.sections:
            section.eliminated(self, s, seat, by)

    def forfeit(self, s: State, seat: int) -> None:
        """The seat is lost to the caretaker from here on."""
        s.lost |= 1 << seat
        self.tell(s, FORFEITED, seat)
        self.end_if_alone(s)

    def end_if_alone(self, s: State) -> bool:
        """Ends the match when one team, or one sound team, is left; a team goes on while all its members do."""
        beaten = {self.teams[seat] for seat in range(s.seats) if s.fell[seat]}
        alive = {team for team in self.teams if team not in beaten}
        sound = {self.teams[seat] for seat in range(s.seats) if not s.lost >> seat & 1} - beaten
        if len(sound) > 1:
            return False
        self.finish(s, CONQUEST if len(alive) == 1 else LAST_SOUND)
        return True

    def standing(self, s: State, seat: int, won: bool = False) -> tuple[int, int, int, int, int, int]:
        """What a seat is placed by, best first: in play, won, sound, on the way, land with bonuses, armies."""
        if s.fell[seat]:
            return 0, s.fell[seat], 0, 0, 0, 0
        sound = 0 if s.lost >> seat & 1 else 1
        if self.even or s.ending == GOAL:
            return 1, int(won), sound, 0, 0, 0
        progress = 0
        for section in self.sections:
            progress += section.progress(self, s, seat)
        return 1, 0, sound, progress, s.held[seat] + self.region_income(s, seat), self.army_count(s, seat)

    def team_standing(self, s: State, seat: int, winner: int) -> list[int]:
        """The standings of a seat and its mates as one: beaten if one of them is, sound while one is."""
        mates = [mate for mate in range(s.seats) if self.teams[mate] == self.teams[seat]]
        columns = list(zip(*[self.standing(s, mate, mate == winner) for mate in mates], strict=True))
        in_play, won, sound = columns[:3]
        return [min(in_play), max(won), max(sound), *[sum(column) for column in columns[3:]]]

    def finish(self, s: State, ending: int, winner: int = NOBODY) -> None:
        """Places the seats, with ties, and clears the agenda. A goal has a winner; all who survive it tie."""
        s.ending = ending
        standings = [self.team_standing(s, seat, winner) for seat in range(s.seats)]
        places: list[int] = []
        for mine in standings:
            places.append(1 + len([other for other in standings if other > mine]))
        s.places = tuple(places)
        s.agenda.clear()
        for section in self.sections:
            section.finished(self, s)
        self.tell(s, FINISHED, NOBODY, amount=ending)

    def tell(
        self,
        s: State,
        kind: int,
        seat: int,
        source: int = NO_PLACE,
        target: int = NO_PLACE,
        piece: int = NO_PIECE,
        card: int = NO_CARD,
        amount: int = 0,
        audience: int = EVERYBODY,
    ) -> None:
        events = s.events
        if events is not None:
            events.append(Event(kind, seat, source, target, piece, card, amount, audience))
