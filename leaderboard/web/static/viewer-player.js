// Time: how many frames are shown, and how fast they follow each other.

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32];
const PACE = 1.4; // frames a second at speed 1
const CATCHING_UP = 4; // so many times the frames that are behind, in a second
const SETUP = 3; // nobody watches forty claims one by one

export class Player {
  // `shown(moved)` is called after every change; `moved` tells that time went on by itself or by one step.
  constructor(film, shown) {
    this.film = film;
    this.shown = shown;
    this.at = 0;
    this.speed = 2;
    this.isPlaying = false;
    this.isFollowing = false; // the head of a running match
  }

  get frame() {
    return this.film.frames[this.at - 1];
  }

  get isAtEnd() {
    return this.at >= this.film.length;
  }

  seek(at, moved = false) {
    this.at = Math.min(Math.max(Math.round(at), 0), this.film.length);
    this.shown(moved);
  }

  // Going anywhere by hand stops what runs.
  go(at, moved = false) {
    this.isPlaying = this.isFollowing = false;
    this.seek(at, moved);
  }

  step(by) {
    this.go(this.at + by, by === 1);
  }

  turn(by) {
    const { film, at } = this;
    const turn = film.turnAt(at);
    if (by > 0) this.go(turn + 1 < film.turns.length ? film.startOf(turn + 1) : film.length);
    else this.go(at > film.startOf(turn) ? film.startOf(turn) : film.startOf(Math.max(turn - 1, 0)));
  }

  toggle() {
    if (this.isPlaying) return this.go(this.at);
    if (this.isAtEnd && !this.film.live) this.seek(this.film.startOf(Math.min(1, this.film.turns.length - 1)));
    this.isPlaying = true;
    this.shown(false);
    this.run();
  }

  // Goes to the head of a running match and stays there.
  follow() {
    this.isPlaying = this.isFollowing = true;
    this.seek(this.film.length);
    this.run();
  }

  faster(by) {
    const next = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.min(Math.max(next, 0), SPEEDS.length - 1)];
    this.shown(false);
  }

  // One loop at a time, as long as something is to be played.
  run() {
    if (this.isRunning) return;
    this.isRunning = true;
    let last = null;
    let due = 0;
    const tick = (now) => {
      this.isRunning = this.isPlaying && !this.isAtEnd;
      if (!this.isRunning) return this.rest();
      due += last === null ? 0 : (Math.min(now - last, 250) / 1000) * this.rate();
      last = now;
      if (due >= 1) this.seek(this.at + Math.floor(due), true);
      due %= 1;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  // Frames a second; who follows a running match makes up for what came at once.
  rate() {
    const setup = this.film.turns[this.film.turnAt(this.at)].seat === null ? SETUP : 1;
    const rate = PACE * this.speed * setup;
    return this.isFollowing ? Math.max(rate, CATCHING_UP * (this.film.length - this.at)) : rate;
  }

  // Who has played up to the head of a running match waits there for more.
  rest() {
    if (!this.isPlaying) return;
    this.isPlaying = this.isFollowing = this.film.live;
    this.shown(false);
  }
}
