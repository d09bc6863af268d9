// A film: its frames, its turns, and the position after any frame. docs/viewer.md has the form of the data.

const EVERY = 64; // frames between two positions that are kept

export class Film {
  constructor(data) {
    Object.assign(this, data);
    const { owners, armies, cards } = data.start;
    this.kept = [{ owners, armies, cards, luck: data.seats.map(() => 0), out: [] }];
    this.keep();
  }

  get length() {
    return this.frames.length;
  }

  // Takes what happened since: further frames, and turns by their number.
  append({ frames, turns }) {
    this.frames.push(...frames);
    for (const turn of turns) this.turns[turn.number - this.turns[0].number] = turn;
    this.keep();
  }

  keep() {
    while (this.kept.length * EVERY <= this.length) {
      this.kept.push(this.positionAt(this.kept.length * EVERY));
    }
  }

  // The position after so many frames.
  positionAt(count) {
    const nearest = Math.min(Math.floor(count / EVERY), this.kept.length - 1);
    const from = this.kept[nearest];
    const position = Object.fromEntries(Object.entries(from).map(([name, list]) => [name, list.slice()]));
    for (let number = nearest * EVERY; number < count; number++) redraw(position, this.frames[number]);
    return position;
  }

  // The number of the turn that is shown after so many frames.
  turnAt(count) {
    let low = 0;
    let high = this.turns.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.turns[middle].frame < count) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // So many frames are shown where a turn has just begun.
  startOf(turn) {
    return turn === 0 ? 0 : Math.min(this.turns[turn].frame + 1, this.length);
  }

  // Where a turn ends, counted in frames.
  endOf(turn) {
    return turn + 1 < this.turns.length ? this.turns[turn + 1].frame : this.length;
  }

  // So many frames are shown at this moment of an address: a turn, an action of the record, or a frame itself.
  find(name, number) {
    if (name === "at") return number;
    if (name === "turn") return this.startOf(Math.min(Math.max(number - this.turns[0].number, 0), this.turns.length - 1));
    const frame = this.frames.findIndex(({ action }) => action >= number);
    return frame < 0 ? this.length : frame + 1;
  }

  // What a turn is called.
  titleOf(turn) {
    const { seat, round, number } = this.turns[turn];
    if (seat === null) return "The set-up";
    return `Turn ${number} · round ${round} of ${this.rounds}`;
  }
}

function redraw(position, frame) {
  if (frame.luck !== undefined) {
    position.luck[frame.seat] += frame.luck;
    position.luck[position.owners[frame.target]] -= frame.luck;
  }
  for (const [place, owner, armies] of frame.changes ?? []) {
    position.owners[place] = owner;
    position.armies[place] = armies;
  }
  for (const [seat, count] of frame.cards ?? []) position.cards[seat] = count;
  if (frame.eliminated !== undefined) position.out.push(frame.eliminated);
}

// Of every seat: its territories and all its armies.
export function landOf(position) {
  const seats = position.cards.map(() => ({ territories: 0, armies: 0 }));
  position.owners.forEach((owner, place) => {
    if (owner < 0) return;
    seats[owner].territories += 1;
    seats[owner].armies += position.armies[place];
  });
  return seats;
}
