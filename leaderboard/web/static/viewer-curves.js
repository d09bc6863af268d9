// How the seats stood over time: territories, armies, luck. A click goes there.

import { html, letterOf, seatClass, signed, svg } from "./viewer-dom.js";
import { seatsText } from "./viewer-panels.js";

const HEIGHT = 134;
const LETTER = 11; // the height of a letter
const EDGE = { left: 30, right: 16, top: 8, bottom: 20 };
const KINDS = [
  { name: "territories", title: "Territories", write: String },
  { name: "armies", title: "Armies", write: String },
  { name: "luck", title: "Dice luck", write: signed },
];

export class Curves {
  // `seek` takes a number of frames.
  constructor(film, seek) {
    this.film = film;
    this.charts = KINDS.map((kind) => new Chart(kind, film, seek));
    this.element = html("div", { class: "curves" }, ...this.charts.map((chart) => chart.element));
  }

  draw() {
    for (const chart of this.charts) chart.draw();
  }

  show(at) {
    for (const chart of this.charts) chart.show(at);
  }
}

// Time runs in turns: turn k reaches from k - 1 to k, and the set-up lies before.
class Chart {
  constructor(kind, film, seek) {
    this.kind = kind;
    this.film = film;
    this.seek = seek;
    this.at = 0;
    this.readout = html("span", { class: "readout" });
    this.grid = svg("g", { class: "grid" });
    this.lines = svg("g", {});
    this.cursor = svg("line", { class: "cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
    this.drawing = svg("svg", { class: "chart", height: HEIGHT, role: "img" }, this.grid, this.lines, this.cursor);
    this.element = html("figure", { class: "curve", "data-curve": kind.name }, html("figcaption", {}, kind.title, this.readout), this.drawing);
    new ResizeObserver(() => this.draw()).observe(this.drawing);
    this.listen();
  }

  listen() {
    const go = (event) => this.seek(this.frameAt(this.timeAt(event)));
    this.drawing.addEventListener("pointerdown", (event) => {
      this.drawing.setPointerCapture(event.pointerId);
      go(event);
    });
    this.drawing.addEventListener("pointermove", (event) => {
      if (event.buttons) go(event);
      this.tell(Math.floor(this.timeAt(event)));
    });
    this.drawing.addEventListener("pointerleave", () => this.tell(null));
  }

  get last() {
    return Math.max(this.film.turns.length - 1, 1);
  }

  timeAt(event) {
    const box = this.drawing.getBoundingClientRect();
    const share = (event.clientX - box.left - EDGE.left) / (box.width - EDGE.left - EDGE.right);
    return Math.min(Math.max(share, 0), 1) * this.last;
  }

  frameAt(time) {
    const turn = Math.min(Math.floor(time) + 1, this.film.turns.length - 1);
    const [from, to] = [this.film.startOf(turn), this.film.endOf(turn)];
    return Math.round(from + Math.min(time - turn + 1, 1) * Math.max(to - from, 0));
  }

  timeOf(at) {
    const turn = this.film.turnAt(at);
    if (turn === 0) return 0;
    const [from, to] = [this.film.turns[turn].frame, this.film.endOf(turn)];
    return turn - 1 + (to > from ? (at - from) / (to - from) : 0);
  }

  x(time) {
    return EDGE.left + (time / this.last) * (this.width - EDGE.left - EDGE.right);
  }

  y(value) {
    return EDGE.top + ((this.high - value) / (this.high - this.low)) * (HEIGHT - EDGE.top - EDGE.bottom);
  }

  draw() {
    this.width = this.drawing.clientWidth;
    if (!this.width) return;
    const values = this.film.turns.flatMap((turn) => turn[this.kind.name]);
    this.low = Math.min(0, ...values);
    this.high = Math.max(1, ...values);
    this.grid.replaceChildren(...this.gridLines());
    this.lines.replaceChildren(...this.film.seats.map((_, seat) => this.line(seat)), ...this.letters());
    this.drawing.setAttribute("aria-label", `${this.kind.title} over ${this.last} turns`);
    this.show(this.at);
    this.tell(null);
  }

  gridLines() {
    const levels = [...new Set([this.low, 0, this.high])];
    const turns = [svg("text", { class: "first", x: EDGE.left, y: HEIGHT - 4 }, "turn 1"), svg("text", { x: this.width - EDGE.right, y: HEIGHT - 4 }, this.last)];
    return turns.concat(levels.flatMap((level) => [
      svg("line", { x1: EDGE.left, x2: this.width - EDGE.right, y1: this.y(level), y2: this.y(level) }),
      svg("text", { x: EDGE.left - 5, y: this.y(level) + 4 }, this.kind.write(Math.round(level), 0)),
    ]));
  }

  line(seat) {
    const points = this.film.turns.map((turn, number) => `${this.x(number).toFixed(1)} ${this.y(turn[this.kind.name][seat]).toFixed(1)}`);
    return svg("path", { class: `run ${seatClass(seat)}`, d: `M${points.join("L")}` });
  }

  // At the ends of the lines, the lower ones moved up where they would cover each other.
  letters() {
    const values = this.film.turns.at(-1)[this.kind.name];
    const seats = values.map((value, seat) => ({ seat, y: this.y(value) + 4 })).sort((a, b) => b.y - a.y);
    let free = HEIGHT - EDGE.bottom + LETTER;
    return seats.map(({ seat, y }) => {
      free = Math.min(y, free) - LETTER;
      return svg("text", { class: seatClass(seat), x: this.width - EDGE.right + 4, y: free + LETTER }, letterOf(seat));
    });
  }

  show(at) {
    this.at = at;
    if (!this.width) return;
    const x = this.x(this.timeOf(at)).toFixed(1);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }

  // The values after a turn that somebody points at.
  tell(time) {
    const turn = time === null ? null : this.film.turns[Math.min(time + 1, this.film.turns.length - 1)];
    this.readout.textContent = turn ? `turn ${turn.number}: ${seatsText(turn[this.kind.name], this.kind.write)}` : "";
  }
}
