import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOf } from './event-log.mjs';
import { FAILURES } from './failures.mjs';
import { caughtUp, checkpoint, confirmation, event } from './wire.mjs';

/** Events between two checkpoints, times the client's multiplier. */
const CONSIDERED = 32;

/** Until the client cancels it or `subscriptions` ends it. */
export async function subscribe(double, call, options) {
  double.calls.subscribe += 1;
  const subscription = new Subscription(double, call, options);
  double.subscriptions.add(subscription);
  call.on('cancelled', () => subscription.stop());
  try {
    await subscription.run();
  } finally {
    double.subscriptions.delete(subscription);
  }
}

class Subscription {
  #double;
  #call;
  #filter;
  #every;
  #next;
  #considered = 0;
  #told = false;
  #stopped = false;
  #silent = false;

  constructor(double, call, options) {
    this.#double = double;
    this.#call = call;
    this.#filter = options.hasFilter() ? matches(options.getFilter()) : undefined;
    this.#every = options.hasFilter() ? CONSIDERED * Math.max(1, options.getFilter().getCheckpointintervalmultiplier()) : 0;
    this.#next = this.#start(options.getAll());
  }

  #start(from) {
    const { log, behaviours } = this.#double;
    if (from.hasStart()) return 0;
    if (from.hasEnd()) return log.all.length;
    const position = BigInt(from.getPosition().getCommitPosition());
    return placeOf(log.all, behaviours.has('a subscription begins after its position') ? position + 1n : position);
  }

  /** `end`, `cancelled`, `unavailable`, or `silent`: goes on without a word. */
  fail(kind) {
    if (kind === 'silent') return void (this.#silent = true);
    this.stop();
    if (kind === 'end') this.#call.end();
    else this.#call.emit('error', FAILURES[kind]());
  }

  stop() {
    this.#stopped = true;
    this.#double.log.grown.emit('grown');
  }

  /** Reads on demand: a slow client costs no memory. */
  async run() {
    const { log, behaviours } = this.#double;
    if (behaviours.has('a subscription is confirmed')) await this.#send(confirmation(randomUUID()));
    while (!this.#stopped) {
      const record = log.all[this.#next];
      if (record) await this.#consider(record);
      else await this.#wait();
    }
  }

  async #consider(record) {
    const { eventsPerSecond } = this.#double.limits;
    if (eventsPerSecond !== undefined) await sleep(1_000 / eventsPerSecond);
    this.#next += 1;
    this.#considered += 1;
    const isOne = this.#double.behaviours.has('commit and prepare position are one');
    const message = () => event(record, true, isOne ? record.position : record.position - 1n);
    if (!this.#filter || this.#filter(record)) await this.#send(message());
    if (this.#every > 0 && this.#considered % this.#every === 0) await this.#checkpoint(record);
  }

  async #wait() {
    const { log, behaviours } = this.#double;
    const grown = once(log.grown, 'grown');
    if (!this.#told) {
      this.#told = true;
      const last = log.all[this.#next - 1];
      if (this.#filter && last) await this.#checkpoint(last);
      if (behaviours.has('a subscription says when it has caught up')) await this.#send(caughtUp());
    }
    if (!log.all[this.#next] && !this.#stopped) await grown;
  }

  async #checkpoint({ position }) {
    if (this.#double.behaviours.has('a filtered subscription tells checkpoints')) await this.#send(checkpoint(position));
  }

  async #send(message) {
    if (this.#stopped || this.#silent) return;
    const isTaken = this.#call.write(message);
    this.#double.calls.sent += 1;
    if (isTaken || !this.#double.behaviours.has('a slow subscriber is not buffered for')) return;
    await Promise.race([once(this.#call, 'drain'), once(this.#call, 'close'), once(this.#call, 'cancelled')]);
  }
}

function matches(filter) {
  const [expression, textOf] = filter.hasStreamIdentifier()
    ? [filter.getStreamIdentifier(), ({ stream }) => stream]
    : [filter.getEventType(), ({ type }) => type];
  const regex = expression.getRegex() && new RegExp(expression.getRegex());
  const prefixes = expression.getPrefixList();
  return (record) => (regex ? regex.test(textOf(record)) : prefixes.some((prefix) => textOf(record).startsWith(prefix)));
}
