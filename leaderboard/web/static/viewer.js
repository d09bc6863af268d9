// The match viewer. It is mounted on every
//
//     <div class="viewer" data-film="…" data-map="…" data-live="…" data-embed="…"></div>
//
// `data-film` and `data-map` are addresses, or `#id` of a JSON script in the page; `data-live` an address of
// server-sent events, `data-embed` the page that others may show in a frame. Each but the map may be left out.

import { Board } from "./viewer-board.js";
import { Controls, helpLine, isAlone, listenToKeys } from "./viewer-controls.js";
import { Curves } from "./viewer-curves.js";
import { html, seatChip } from "./viewer-dom.js";
import { Film } from "./viewer-film.js";
import { Log, Now, Seats } from "./viewer-panels.js";
import { Player } from "./viewer-player.js";
import { shareButtons } from "./viewer-share.js";

const ADDRESS_WAIT = 400; // browsers refuse to change the address too often

class Viewer {
  constructor(root, map, data) {
    this.root = root;
    this.map = map;
    this.begin(data);
    listenToKeys(this.root, () => this.player);
    addEventListener("hashchange", () => {
      if (this.goToAddress()) this.root.scrollIntoView({ block: "nearest" });
    });
  }

  // Another film of the same match: who looks at an earlier moment goes on looking at it.
  restart(data) {
    const { at, isFollowing } = this.player;
    this.player.go(at);
    this.begin(data);
    if (isFollowing) this.player.follow();
    else this.player.go(at);
  }

  begin(data) {
    const film = new Film(data);
    this.film = film;
    this.board = new Board(this.map, film);
    this.now = new Now(film);
    this.seats = new Seats(film);
    this.log = new Log(film);
    this.player = new Player(film, (moved) => this.show(moved));
    this.controls = new Controls(this.player);
    this.curves = new Curves(film, (at) => this.player.go(at));
    this.layOut();
    this.drawTime();
    if (!this.goToAddress()) {
      if (film.live) this.player.follow();
      else this.player.go(film.startOf(Math.min(1, film.turns.length - 1)));
    }
    clearTimeout(this.waiting); // the address stays as it came until somebody moves
  }

  layOut() {
    this.title = html("h2", { class: "title" });
    this.badge = html("span", { class: "live-badge" }, "live");
    this.notice = html("p", { class: "notice", role: "status" });
    this.root.replaceChildren(
      html("div", { class: "heading" }, this.title, this.badge, ...shareButtons(this.root.dataset.embed, () => this.address())),
      this.board.frame,
      this.now.element,
      this.controls.element,
      html("div", { class: "side" }, this.seats.element, html("h3", {}, "What happened"), this.log.element),
      this.curves.element,
      helpLine(),
      this.notice,
    );
  }

  show(moved) {
    const { film, player } = this;
    const { at, frame } = player;
    const turn = film.turnAt(at);
    const isOver = player.isAtEnd && !film.live;
    const position = film.positionAt(at);
    this.board.show(position, frame, moved);
    this.now.show(frame, frame?.dice ? film.positionAt(at - 1) : null, player.isPlaying);
    this.seats.show(position, turn, isOver);
    this.log.show(at);
    this.controls.show();
    this.curves.show(at);
    this.showTitle(turn, isOver);
    Object.assign(this.root.dataset, { at, frames: film.length, turn: film.turns[turn].number });
    this.keepAddress();
  }

  showTitle(turn, isOver) {
    const { seat } = this.film.turns[turn];
    const title = isOver ? ending(this.film.result) : this.film.titleOf(turn);
    const who = seat === null || isOver ? [] : [" ", seatChip(seat), ` ${this.film.seats[seat].agent}`];
    const key = `${title}${seat}${isOver}`;
    if (this.titled === key) return;
    this.titled = key;
    this.title.replaceChildren(title, ...who);
  }

  drawTime() {
    this.controls.draw();
    this.curves.draw();
    this.badge.hidden = !this.film.live;
  }

  // The moment that is shown, as the end of an address: a turn where it has just begun, else a step.
  address() {
    const { film, player } = this;
    const turn = film.turnAt(player.at);
    return player.at === film.startOf(turn) ? `#turn=${film.turns[turn].number}` : `#at=${player.at}`;
  }

  keepAddress() {
    clearTimeout(this.waiting);
    if (this.player.isFollowing || !isAlone()) return;
    this.waiting = setTimeout(() => history.replaceState(null, "", this.address()), ADDRESS_WAIT);
  }

  // Goes where the address says; false if it says nothing.
  goToAddress() {
    const [, name, number] = /^#(turn|at|action)=(\d{1,9})$/.exec(location.hash) ?? [];
    if (!name || !isAlone()) return false;
    this.player.go(this.film.find(name, Number(number)));
    return true;
  }

  // A running match

  take(news) {
    this.film.append(news);
    this.drawTime();
    this.player.shown(false);
    if (this.player.isPlaying) this.player.run();
  }

  end({ result, message }) {
    Object.assign(this.film, { live: false, result });
    this.root.dispatchEvent(new Event("viewer-end"));
    this.drawTime();
    this.say(message ?? "");
    this.player.shown(false);
    if (this.player.isPlaying) this.player.run();
  }

  say(text) {
    this.notice.textContent = text;
  }
}

function ending(result) {
  if (!result) return "The match was given up";
  const words = { conquest: "Won by conquest", round_limit: "Ended at the round limit", last_sound: "One sound seat was left" };
  return `${words[result.ending] ?? `Ended by ${result.ending.replaceAll("_", " ")}`} in round ${result.rounds}`;
}

async function load(address) {
  if (address.startsWith("#")) return JSON.parse(document.getElementById(address.slice(1)).textContent);
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`The server answers ${answer.status}.`);
  return answer.json();
}

// Messages: `snapshot` is a film as far as it goes, `frames` what follows, `end` the result, `notice` a remark.
function watch(address, root, map, viewer) {
  const source = new EventSource(address);
  const on = (name, take) => source.addEventListener(name, (event) => take(JSON.parse(event.data)));
  on("snapshot", (film) => {
    if (!viewer) viewer = new Viewer(root, map, film);
    else viewer.restart(film);
  });
  on("frames", (news) => viewer?.take(news));
  on("notice", ({ message }) => viewer?.say(message));
  on("end", (last) => {
    source.close();
    viewer?.end(last);
  });
}

async function mount(root) {
  const { film, map, live } = root.dataset;
  try {
    const [drawn, data] = await Promise.all([load(map), film ? load(film) : null]);
    const viewer = data ? new Viewer(root, drawn, data) : null;
    if (live && (!data || data.live)) watch(live, root, drawn, viewer);
  } catch (error) {
    root.replaceChildren(html("p", { class: "notice", role: "alert" }, `The match cannot be shown. ${error.message}`));
    throw error;
  }
}

for (const root of document.querySelectorAll(".viewer[data-map]")) mount(root);
