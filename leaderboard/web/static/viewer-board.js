// The board as a drawing: who holds what, and what happened last.

import { calm, html, letterOf, seatClass, svg } from "./viewer-dom.js";

const BADGE = { font: 12, small: 9.5, height: 17 }; // in pixels of the screen
const NARROW = 560;

// Every seat has a weave beside its colour: lines, dots, a grid.
const WEAVES = [
  "M-2 2 2-2M-2 12 12-2M8 12 12 8",
  "M-2 8 2 12M-2-2 12 12M8-2 12 2",
  "M4 5a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
  "M0 3H10M0 8H10",
  "M3 0V10M8 0V10",
  "M0 5H10M5 0V10",
];

let boards = 0; // on this page

export class Board {
  constructor(map, film) {
    this.number = boards++;
    this.map = map;
    this.film = film;
    this.shown = map.places.map(() => "");
    this.marks = svg("g", { class: "marks", "aria-hidden": "true" });
    this.weaves = WEAVES.map((d, seat) => weave(d, `weave-${this.number}-${seat}`));
    this.lands = map.places.map((place, number) => this.land(place, number));
    this.badges = map.places.map((place) => this.badge(place));
    this.element = svg(
      "svg",
      { class: "board", viewBox: `0 0 ${map.width} ${map.height}`, role: "img", "aria-label": `Board ${film.title}` },
      svg("defs", {}, ...this.weaves, ...film.seats.map((_, seat) => arrowHead(seat, `head-${this.number}-${seat}`))),
      svg("rect", { class: "sea", width: map.width, height: map.height }),
      ...map.decor.map((d) => svg("path", { class: "decor", d })),
      svg("path", { class: "coast", d: map.places.map((place) => place.path).join("") }),
      svg("g", {}, ...this.lands),
      svg("path", { class: "frontiers", d: map.frontiers }),
      ...map.links.map((link) => svg("path", { class: "link", d: link.path })),
      ...map.blocked.map((link) => svg("path", { class: "blocked", d: link.path })),
      this.marks,
      svg("g", {}, ...this.badges),
    );
    this.stage = html("div", { class: "stage" }, this.element);
    const zoom = html("button", { type: "button", class: "zoom", "aria-pressed": "false" }, "Zoom");
    zoom.addEventListener("click", () => {
      zoom.setAttribute("aria-pressed", String(this.stage.classList.toggle("near")));
      this.pan("instant");
    });
    this.frame = html("div", { class: "board-frame" }, this.stage, zoom);
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  land(place, number) {
    const { name, region } = this.film.places[number];
    return svg(
      "g",
      { class: "place seat-none", "data-place": number },
      svg("title", {}, `${name} (${this.film.regions[region].name})`),
      svg("path", { class: "land", d: place.path }),
      svg("path", { class: "weave", d: place.path, fill: "none" }),
    );
  }

  badge(place) {
    return svg("g", { class: "badge", "data-x": place.x, "data-y": place.y }, svg("rect"), svg("text"));
  }

  // Badges and weaves keep their size on the screen, whatever the size of the board.
  fit() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width) return;
    this.unit = Math.max(this.map.width / width, this.map.height / height); // of the map in a pixel
    const font = width < NARROW ? BADGE.small : BADGE.font;
    this.scale = (this.unit * font) / BADGE.font;
    for (const pattern of this.weaves) pattern.setAttribute("patternTransform", `scale(${0.8 * this.unit})`);
    for (const badge of this.badges) {
      badge.setAttribute("transform", `translate(${badge.dataset.x} ${badge.dataset.y}) scale(${this.scale})`);
    }
    if (this.last) this.mark(...this.last);
  }

  // `frame` led to the position; `moved` tells that it was just played.
  show(position, frame, moved) {
    const captured = [];
    this.lands.forEach((land, place) => {
      const owner = position.owners[place];
      const armies = position.armies[place];
      const now = `${owner} ${armies}`;
      if (this.shown[place] === now) return;
      if (Number.parseInt(this.shown[place], 10) !== owner) captured.push(place);
      this.shown[place] = now;
      this.paint(land, this.badges[place], owner, armies);
    });
    this.last = [frame, moved && !calm() ? captured : []];
    this.mark(...this.last);
    this.last[1] = []; // a flash is shown once
    if (moved) this.pan(calm() ? "instant" : "smooth");
  }

  // Brings what happened to the middle, where only a part of the board is in sight.
  pan(behavior) {
    const { stage, last } = this;
    const centre = stage.scrollWidth > stage.clientWidth && last ? this.centreOf(last[0]) : null;
    if (!centre) return;
    const left = centre.x * stage.scrollWidth - stage.clientWidth / 2;
    stage.scrollTo({ left, top: centre.y * stage.scrollHeight - stage.clientHeight / 2, behavior });
  }

  paint(land, badge, owner, armies) {
    land.setAttribute("class", `place ${seatClass(owner)}`);
    land.dataset.owner = owner;
    land.dataset.armies = armies;
    land.lastChild.setAttribute("fill", owner < 0 ? "none" : `url(#weave-${this.number}-${owner})`);
    badge.setAttribute("class", `badge ${seatClass(owner)}`);
    const [box, text] = badge.children;
    text.replaceChildren(svg("tspan", { class: "letter" }, letterOf(owner)), String(armies));
    const width = 9 + 7.2 * (String(armies).length + 1);
    box.setAttribute("x", -width / 2);
    box.setAttribute("y", -BADGE.height / 2);
    box.setAttribute("width", width);
    box.setAttribute("height", BADGE.height);
    box.setAttribute("rx", BADGE.height / 2);
  }

  mark(frame, captured) {
    const places = this.map.places;
    const outlines = (frame?.changes ?? []).map(([place]) => svg("path", { class: "outline", d: places[place].path }));
    const flashes = captured.map((place) => svg("path", { class: "flash", d: places[place].path }));
    const arrows = frame?.source === undefined ? [] : this.arrows(frame);
    this.marks.replaceChildren(...flashes, ...outlines, ...arrows);
  }

  // From source to target; round the edge of the map where that is the shorter way.
  arrows({ source, target, seat, dice }) {
    const from = this.map.places[source];
    const to = this.map.places[target];
    const round = Math.abs(to.x - from.x) > 0.6 * this.map.width ? Math.sign(to.x - from.x) * this.map.width : 0;
    const classes = `${dice ? "arrow" : "arrow march"} ${seatClass(seat)}`;
    const lines = [this.arrow(from, { x: to.x - round, y: to.y }, classes, seat)];
    if (round) lines.push(this.arrow({ x: from.x + round, y: from.y }, to, classes, seat));
    return lines;
  }

  arrow(from, to, classes, seat) {
    const unit = this.scale ?? 1;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    const gap = Math.min(13 * unit, length / 3); // the badge of the target stays free
    const end = { x: to.x - (dx / length) * gap, y: to.y - (dy / length) * gap };
    const bend = Math.min(length * 0.12, 40 * unit);
    const middle = { x: (from.x + end.x) / 2 + (dy / length) * bend, y: (from.y + end.y) / 2 - (dx / length) * bend };
    const d = `M${from.x} ${from.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}`;
    return svg(
      "g",
      { class: classes },
      svg("path", { class: "halo", d, "stroke-width": 5.5 * unit }),
      svg("path", { class: "shaft", d, "stroke-width": 2.6 * unit, "marker-end": `url(#head-${this.number}-${seat})` }),
    );
  }

  // Where something happened, as shares of width and height.
  centreOf(frame) {
    const places = [frame?.source, frame?.target, ...(frame?.changes ?? []).map(([place]) => place)]
      .filter((place) => place !== undefined)
      .map((place) => this.map.places[place]);
    if (!places.length) return null;
    const mean = (name) => places.reduce((sum, place) => sum + place[name], 0) / places.length;
    return { x: mean("x") / this.map.width, y: mean("y") / this.map.height };
  }
}

function weave(d, id) {
  const pattern = { id, width: 10, height: 10, patternUnits: "userSpaceOnUse" };
  return svg("pattern", pattern, svg("path", { class: "thread", d }));
}

function arrowHead(seat, id) {
  const size = { viewBox: "0 0 10 10", refX: 5, refY: 5, markerWidth: 3.6, markerHeight: 3.6, orient: "auto" };
  return svg("marker", { id, class: seatClass(seat), ...size }, svg("path", { class: "head", d: "M0 0 10 5 0 10 2.5 5z" }));
}
