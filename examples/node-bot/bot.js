'use strict';
// Plays on a referee of Conquest Arena, from nothing but the .proto files and docs/wire.md.

const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { parseArgs } = require('node:util');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');
const { decide, safest } = require('./strategy.js');

const FIRST_WAIT = 100; // milliseconds before it connects again; twice as many each time
const LONGEST_WAIT = 10_000;
const REPLACED = 4; // exit code: another process plays with this token
const WRONG_USE = 2;
const HOPELESS = new Set([
  grpc.status.UNAUTHENTICATED,
  grpc.status.PERMISSION_DENIED,
  grpc.status.INVALID_ARGUMENT,
  grpc.status.FAILED_PRECONDITION,
  grpc.status.RESOURCE_EXHAUSTED,
  grpc.status.UNIMPLEMENTED,
]);

const { conquest } = grpc.loadPackageDefinition(
  loader.loadSync(['conquest/v1/referee.proto', 'conquest/v1/catalog.proto'], {
    includeDirs: [path.join(__dirname, '../../proto')],
    keepCase: true,
    longs: String, // handles have 64 bits
    enums: String,
    defaults: true,
  }),
);

/** Boards and verbs, asked for once each. */
class Catalog {
  constructor(address, credentials) {
    this.client = new conquest.v1.CatalogService(address, credentials);
    this.games = new Map();
  }

  ask(method, request) {
    return new Promise((resolve, reject) => {
      this.client[method](request, (error, response) => (error ? reject(error) : resolve(response)));
    });
  }

  async game(started) {
    const options = Object.fromEntries(started.options.map(({ name, value }) => [name, Number(value)]));
    const key = JSON.stringify([started.variant, options]);
    if (!this.games.has(key)) {
      const { board } = await this.ask('GetBoard', { variant: started.variant, options });
      const { verbs } = await this.ask('ListVerbs', {});
      this.games.set(key, { board, verbs: new Map(verbs.map(({ number, name }) => [number, name])) });
    }
    return this.games.get(key);
  }
}

/** One agent: its matches outlive its streams. */
class Bot {
  constructor(address, credentials, token) {
    this.referee = new conquest.v1.RefereeService(address, credentials, {
      'grpc.max_receive_message_length': -1,
      'grpc.keepalive_time_ms': 20_000,
    });
    this.catalog = new Catalog(address, credentials);
    this.metadata = new grpc.Metadata();
    this.metadata.set('authorization', `Bearer ${token}`);
    this.games = new Map(); // by handle
    this.asked = new Map(); // by handle, the last decision
    this.wait = FIRST_WAIT;
  }

  /** Plays, and connects again whenever the stream is lost; gives an exit code when there is no more hope. */
  async run() {
    for (;;) {
      try {
        await this.play();
      } catch (error) {
        console.error(error.details || error);
        const [reason] = error.metadata?.get('conquest-reason') ?? [];
        if (reason === 'REPLACED') return REPLACED;
        if (HOPELESS.has(error.code)) return WRONG_USE;
      }
      await sleep(this.wait * (0.5 + Math.random() / 2));
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    }
  }

  /** One stream, from hello to its end. */
  async play() {
    const call = this.referee.Play(this.metadata);
    call.write({ hello: { api_version: 1, client: 'node-bot 0.1.0', orders: { defence_dice: 2 } } });
    for await (const response of call) await this.take(response, call);
  }

  async take(response, call) {
    if (response.ping) call.write({ pong: { nonce: response.ping.nonce } });
    if (response.welcome) {
      console.error(`connected to ${response.welcome.server} as ${response.welcome.agent}`);
      this.wait = FIRST_WAIT;
    }
    for (const started of response.started) this.games.set(started.handle, await this.catalog.game(started));
    const actions = [
      ...response.decisions.map((decision) => this.answer(decision)),
      ...response.refusals.flatMap((refusal) => this.answerAgain(refusal)),
    ];
    if (actions.length) call.write({ actions });
    for (const { handle, result } of response.finished) this.close(handle, `over, places ${result.places}`);
    for (const { handle, message } of response.aborted) this.close(handle, `given up: ${message}`);
  }

  answer(decision) {
    const { handle, number } = decision;
    this.asked.set(handle, decision);
    const began = process.hrtime.bigint();
    try {
      const answer = decide(this.games.get(handle), decision);
      return { handle, number, ...answer, thinking_us: Number((process.hrtime.bigint() - began) / 1000n) };
    } catch (error) {
      console.error(error);
      return { handle, number, fault: { kind: 'CONDUCT_KIND_CRASH', detail: String(error) } };
    }
  }

  /** An illegal answer may be given again; all other refusals are only told. */
  answerAgain({ handle, number, reason, message }) {
    console.error(`refused: ${message}`);
    const decision = this.asked.get(handle);
    if (reason !== 'ERROR_REASON_ILLEGAL' || decision?.number !== number) return [];
    return [{ handle, number, ...safest(decision) }];
  }

  close(handle, how) {
    console.error(`a match is ${how}`);
    this.games.delete(handle);
    this.asked.delete(handle);
  }
}

function main() {
  const { values } = parseArgs({
    options: { server: { type: 'string' }, token: { type: 'string' }, ca: { type: 'string' }, tls: { type: 'boolean' } },
  });
  if (!values.server || !values.token) {
    console.error('usage: node bot.js --server HOST:PORT --token TOKEN [--tls] [--ca CERTIFICATES.pem]');
    process.exit(WRONG_USE);
  }
  const trusted = values.ca ? fs.readFileSync(values.ca) : null;
  const plain = !values.tls && !trusted;
  const credentials = plain ? grpc.credentials.createInsecure() : grpc.credentials.createSsl(trusted);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));
  new Bot(values.server, credentials, values.token).run().then((code) => process.exit(code));
}

main();
