'use strict';
// What the bot thinks: every option is given a worth, and the best one is taken with its highest amount.

const NOBODY = 255;

/** A column of numbers of two bytes each. */
function words(column) {
  return Array.from({ length: column.length / 2 }, (_, index) => column.readUInt16LE(2 * index));
}

/** The position as one seat sees it, on a board of the catalog. */
class Position {
  constructor(board, observation) {
    this.board = board;
    this.seat = observation.seat;
    this.owners = observation.owners;
    this.armies = words(observation.armies);
  }

  /** Neighbours of a place that belong to another seat. */
  enemies(place) {
    const { neighbours } = this.board.places[place];
    return neighbours.filter((other) => this.owners[other] !== this.seat && this.owners[other] !== NOBODY);
  }

  /** By how much a place outnumbers its weakest enemy; negative far from the front. */
  lead(place) {
    const armies = this.enemies(place).map((other) => this.armies[other]);
    return armies.length ? this.armies[place] - Math.min(...armies) : -1000;
  }

  /** The part of a place's region that the seat holds. */
  share(place) {
    const { region } = this.board.places[place];
    const places = this.board.places.map((_, other) => other);
    const all = places.filter((other) => this.board.places[other].region === region);
    return all.filter((other) => this.owners[other] === this.seat).length / all.length;
  }
}

/** What an option is worth, by the name of its verb; stopping is worth nothing. */
const WORTH = {
  stop: () => 0,
  claim: (position, option) => position.share(option.target),
  place: (position, option) => position.lead(option.target),
  bonus: (position, option) => position.lead(option.target),
  attack: (position, { source, target }) =>
    position.armies[source] - position.armies[target] - 1.5 + position.share(target),
  fortify_from: (position, { source }) => (position.enemies(source).length ? -1 : position.armies[source] - 1.5),
  fortify: (position, { source, target }) => {
    const useful = !position.enemies(source).length && position.enemies(target).length;
    return useful ? position.armies[source] - 1.5 : -1;
  },
};

/** The options of a decision, one by one, with their verbs by name. */
function optionsOf(options, verbs) {
  const lows = words(options.lows);
  const highs = words(options.highs);
  return Array.from(options.verbs, (verb, index) => ({
    verb: verbs.get(verb),
    source: options.sources[index],
    target: options.targets[index],
    low: lows[index],
    high: highs[index],
  }));
}

/** The index of the best option, and its highest amount. */
function decide(game, decision) {
  const position = new Position(game.board, decision.observation);
  const options = optionsOf(decision.options, game.verbs);
  const worths = options.map((option) => (WORTH[option.verb] ?? (() => 1))(position, option));
  const best = worths.indexOf(Math.max(...worths));
  return { option: best, amount: options[best].high };
}

/** The answer that is always legal: the first option with its lowest amount. */
function safest(decision) {
  return { option: 0, amount: decision.options.lows.readUInt16LE(0) };
}

module.exports = { decide, safest };
