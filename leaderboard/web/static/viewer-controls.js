// Buttons, slider and keys.

import { html, letterOf, seatClass, svg } from "./viewer-dom.js";
import { SPEEDS } from "./viewer-player.js";

const ICONS = {
  start: "M6 5V19M19 5 9 12 19 19z",
  back: "M20 5 12 12 20 19zM11 5 3 12 11 19z",
  stepBack: "M16 5 7 12 16 19z",
  play: "M8 5 19 12 8 19z",
  pause: "M7 5H10V19H7zM14 5H17V19H14z",
  step: "M8 5 17 12 8 19z",
  forward: "M4 5 12 12 4 19zM13 5 21 12 13 19z",
  end: "M18 5V19M5 5 15 12 5 19z",
};
const HELP = [
  ["space", "play, pause"],
  ["← →", "one step"],
  ["shift ← →", "one turn"],
  ["home end", "start, end"],
  ["+ −", "speed"],
];

function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

function button(name, label, press) {
  const element = html("button", { type: "button", "data-do": name, "aria-label": label, title: label }, icon(name));
  element.addEventListener("click", press);
  return element;
}

export class Controls {
  constructor(player) {
    this.player = player;
    this.playButton = button("play", "Play", () => player.toggle());
    this.speed = html("select", { "aria-label": "Speed" }, ...SPEEDS.map((speed) => html("option", { value: speed }, `${speed}×`)));
    this.speed.addEventListener("change", () => player.faster(SPEEDS.indexOf(Number(this.speed.value)) - SPEEDS.indexOf(player.speed)));
    this.slider = html("input", { type: "range", min: 0, step: 1, "aria-label": "Time" });
    this.slider.addEventListener("input", () => player.go(Number(this.slider.value)));
    this.turns = svg("svg", { class: "turns", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.count = html("span", { class: "count" });
    this.live = html("button", { type: "button", class: "to-live" }, "Jump to live");
    this.live.addEventListener("click", () => player.follow());
    this.element = html(
      "div",
      { class: "controls", role: "group", "aria-label": "Playback" },
      html("div", { class: "time" }, this.slider, this.turns),
      html("div", { class: "buttons" }, ...this.buttons(), this.speed, this.count, this.live),
    );
  }

  buttons() {
    const { player } = this;
    return [
      button("start", "To the start", () => player.go(0)),
      button("back", "One turn back", () => player.turn(-1)),
      button("stepBack", "One step back", () => player.step(-1)),
      this.playButton,
      button("step", "One step on", () => player.step(1)),
      button("forward", "One turn on", () => player.turn(1)),
      button("end", "To the end", () => player.go(player.film.length)),
    ];
  }

  // Draws the turns again: there may be more of them.
  draw() {
    const { film } = this.player;
    const ends = film.turns.map((_, turn) => film.endOf(turn));
    this.slider.max = film.length;
    this.turns.setAttribute("viewBox", `0 0 ${Math.max(film.length, 1)} 1`);
    this.turns.replaceChildren(
      ...film.turns.map((turn, number) =>
        svg("rect", { class: seatClass(turn.seat), x: turn.frame, width: Math.max(ends[number] - turn.frame, 0), height: 1 }),
      ),
    );
  }

  show() {
    const { player } = this;
    const { film, at, isPlaying } = player;
    const turn = film.turns[film.turnAt(at)];
    const who = turn.seat === null ? "" : `, seat ${letterOf(turn.seat)}`;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", `${film.titleOf(film.turnAt(at))}${who}, step ${at} of ${film.length}`);
    this.count.textContent = `${at} / ${film.length}`;
    this.speed.value = player.speed;
    this.live.hidden = !film.live || player.isFollowing;
    const [name, label] = isPlaying ? ["pause", "Pause"] : ["play", "Play"];
    if (this.playButton.getAttribute("aria-label") === label) return;
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.replaceChildren(icon(name));
  }
}

export function helpLine() {
  const keys = HELP.flatMap(([key, does]) => [html("kbd", {}, key), ` ${does}  `]);
  return html("p", { class: "help" }, ...keys);
}

// Keys work anywhere on the page, but not where somebody types, nor with a button's own keys.
// Where a page shows several matches, keys are for the one that has the focus.
export function listenToKeys(root, playerNow) {
  const does = {
    " ": (player) => player.toggle(),
    ArrowLeft: (player, event) => (event.shiftKey ? player.turn(-1) : player.step(-1)),
    ArrowRight: (player, event) => (event.shiftKey ? player.turn(1) : player.step(1)),
    Home: (player) => player.go(0),
    End: (player) => player.go(player.film.length),
    "+": (player) => player.faster(1),
    "=": (player) => player.faster(1),
    "-": (player) => player.faster(-1),
  };
  document.addEventListener("keydown", (event) => {
    const act = does[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    if (!isAlone() && !root.contains(event.target)) return;
    event.preventDefault();
    act(playerNow(), event);
  });
}

export function isAlone() {
  return document.querySelectorAll(".viewer[data-map]").length === 1;
}

function isTaken({ key, target }) {
  if (target.matches?.("input[type=range]")) return false;
  if (target.closest?.("input, textarea, select, [contenteditable]")) return true;
  return key === " " && Boolean(target.closest?.("button, a, summary"));
}
