// Beside the board: what happens now, how the seats stand, and what happened before.

import { html, letterOf, seatChip, seatClass, signed, svg } from "./viewer-dom.js";
import { landOf } from "./viewer-film.js";

const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
const LINES = 60; // of the log

function die(face, seat, isLost) {
  const pips = PIPS[face].map((spot) => svg("circle", { cx: 6 + 6 * (spot % 3), cy: 6 + 6 * Math.floor(spot / 3), r: 2 }));
  const classes = `die ${seatClass(seat)}${isLost ? " lost" : ""}`;
  return svg("svg", { class: classes, viewBox: "0 0 24 24", "data-face": face }, svg("rect", { x: 1, y: 1, width: 22, height: 22, rx: 5 }), ...pips);
}

// The dice of a roll, best against best; those that lost an army are pale.
function dice(frame, defender) {
  const [attack, defence] = frame.dice.map((faces) => faces.slice().sort((a, b) => b - a));
  const pairs = Math.min(attack.length, defence.length);
  const wins = attack.map((face, pair) => pair < pairs && face > defence[pair]);
  const label = `Dice ${attack.join(" ")} against ${defence.join(" ")}`;
  return html(
    "span",
    { class: "dice", role: "img", "aria-label": label },
    ...attack.map((face, pair) => die(face, frame.seat, pair < pairs && !wins[pair])),
    html("span", { class: "against" }, "against"),
    ...defence.map((face, pair) => die(face, defender, wins[pair])),
  );
}

export class Now {
  constructor(film) {
    this.film = film;
    this.chip = html("span", { class: "now-seat" });
    this.text = html("p", { class: "now-text", "aria-live": "polite" });
    this.dice = html("div", { class: "now-dice" });
    this.element = html("div", { class: "now" }, this.chip, this.text, this.dice);
  }

  // `before` is the position that the frame changed.
  show(frame, before, isPlaying) {
    this.text.setAttribute("aria-live", isPlaying ? "off" : "polite");
    this.text.textContent = frame ? frame.text : "Before the first action";
    this.chip.replaceChildren(...(frame?.seat === undefined ? [] : [seatChip(frame.seat)]));
    this.dice.replaceChildren(...(frame?.dice ? [dice(frame, before.owners[frame.target])] : []));
  }
}

export class Seats {
  constructor(film) {
    this.film = film;
    this.rows = film.seats.map((seat, number) => this.row(seat, number));
    const heads = ["Land", "Armies", "Cards", "Luck"].map((name) => html("th", { scope: "col", class: "n" }, name));
    heads[3].title = "Armies that the dice brought above what they bring on average";
    this.element = html(
      "table",
      { class: "seats" },
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "Seat"), ...heads)),
      html("tbody", {}, ...this.rows.map((row) => row.element)),
    );
  }

  row(seat, number) {
    const cells = ["territories", "armies", "cards", "luck"].map((name) => html("td", { class: "n", "data-of": name }));
    const agent = seat.url ? html("a", { href: seat.url }, seat.agent) : seat.agent;
    const version = seat.version ? [html("span", { class: "soft" }, ` ${seat.version}`)] : [];
    const rank = html("span", { class: "rank" });
    const name = html("span", {}, html("span", { class: "agent" }, agent, ...version), " ", rank);
    const head = html("th", { scope: "row" }, html("div", {}, seatChip(number), name));
    return { cells, rank, element: html("tr", { "data-seat": number }, head, ...cells) };
  }

  show(position, turn, isOver) {
    const land = landOf(position);
    this.rows.forEach(({ cells, element, rank }, seat) => {
      const { territories, armies } = land[seat];
      const values = [territories, armies, position.cards[seat], signed(position.luck[seat])];
      write(rank, isOver && this.film.result ? ordinal(this.film.result.places[seat]) : "");
      values.forEach((value, column) => write(cells[column], String(value)));
      element.classList.toggle("turn", this.film.turns[turn].seat === seat && !isOver);
      element.classList.toggle("out", position.out.includes(seat));
    });
  }
}

function write(cell, text) {
  if (cell.textContent !== text) cell.textContent = text;
}

function ordinal(place) {
  return `${place}${["th", "st", "nd", "rd"][place] ?? "th"}`;
}

// The last frames in words, the newest first.
export class Log {
  constructor(film) {
    this.film = film;
    this.at = 0;
    this.element = html("ol", { class: "log", tabindex: "0", "aria-label": "What happened" });
  }

  show(at) {
    if (at === this.at + 1) {
      this.element.prepend(this.line(at - 1));
      while (this.element.children.length > LINES) this.element.lastChild.remove();
    } else if (at !== this.at) {
      const count = Math.min(at, LINES);
      this.element.replaceChildren(...Array.from({ length: count }, (_, back) => this.line(at - 1 - back)));
    }
    this.at = at;
  }

  line(number) {
    const frame = this.film.frames[number];
    const chip = frame.seat === undefined ? [] : [seatChip(frame.seat)];
    const roll = frame.dice ? [html("span", { class: "roll" }, ` ${frame.dice.map((faces) => faces.join(" ")).join(" / ")}`)] : [];
    return html("li", { "data-kind": frame.kind, "data-frame": number }, ...chip, html("span", {}, frame.text, ...roll));
  }
}

export function seatsText(values, write) {
  return values.map((value, seat) => `${letterOf(seat)} ${write(value)}`).join("  ");
}
