import { mkdirSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { appointments } from './checks/appointments.mjs';
import { bulkReplays } from './checks/bulk-replays.mjs';
import { conversations } from './checks/conversations.mjs';
import { deliveries, duplicates } from './checks/deliveries.mjs';
import { endpoints } from './checks/endpoints.mjs';
import { operations } from './checks/operations.mjs';
import { pauses } from './checks/pauses.mjs';
import { reconciliations } from './checks/reconciliations.mjs';
import { replays } from './checks/replays.mjs';
import { requests } from './checks/requests.mjs';
import { sessions } from './checks/sessions.mjs';
import { signatures } from './checks/signatures.mjs';
import { tasks } from './checks/tasks.mjs';
import { ways } from './checks/ways.mjs';
import { Client } from './client.mjs';
import { Farm } from './farm.mjs';
import { historiesOf } from './histories.mjs';
import { Journal } from './journal.mjs';
import { Load } from './load.mjs';
import { differences, uncompletedRebuilds } from './read-models.mjs';
import { gather } from './truth.mjs';

/** Enough attempts even if kills cut some. Waits alternate, so that a delivery in the wrong tier is attempted too early. */
const WAITS_MS = [0, 900, 200, 700, 300, 1_200, 400, 1_500];
const SETTLED_WITHIN_MS = 90_000;
const LOOKING_EVERY_MS = 250;

const VARIABLES = { RETRY_SCHEDULE: WAITS_MS.map((wait) => `${wait}ms`).join(','), LOG_LEVEL: 'warn' };

const OF_CLIENTS = { ...requests, ...conversations, ...ways, ...appointments, ...sessions };
const OF_WEBHOOKS = { ...endpoints, ...deliveries, ...signatures, ...replays, ...pauses };
const OF_TASKS = { ...tasks, ...bulkReplays, ...reconciliations };
const ALWAYS = { ...OF_CLIENTS, ...OF_WEBHOOKS, ...OF_TASKS, ...operations };

const say = (line) => process.stdout.write(`${line}\n`);

/** One service on a new directory under load, with troubles, then checks. */
export class Run {
  constructor({ name, folder, chance, serviceOf }) {
    this.name = name;
    this.chance = chance;
    this.folder = join(folder, name);
    mkdirSync(this.folder, { recursive: true });
    this.logs = { clientLog: join(this.folder, 'client.jsonl'), receiverLog: join(this.folder, 'receivers.jsonl') };
    this.service = serviceOf(this.folder, VARIABLES);
  }

  async play({ before = async () => {}, trouble, checks }) {
    const began = performance.now();
    this.farm = await Farm.start(this.logs.receiverLog);
    try {
      await before(this);
      await this.service.start();
      await this.underLoad(trouble);
      const settledMs = await this.settle();
      return await this.judge({ ...ALWAYS, ...checks }, { began, settledMs });
    } finally {
      await this.service.kill();
      await this.farm.stop();
    }
  }

  async underLoad(trouble) {
    const journal = new Journal(this.logs.clientLog);
    await this.farm.register(new Client(this.service, journal, 'setup'));
    const load = new Load({ service: this.service, farm: this.farm, journal, chance: this.chance.fork() });
    await trouble(this);
    this.load = loadavg()[0] / availableParallelism();
    await load.finish();
    this.troubles = load.troubles;
  }

  async settle() {
    const began = performance.now();
    const reader = new Client(this.service, null, 'reader');
    while (performance.now() - began < SETTLED_WITHIN_MS) {
      const events = await reader.list('/v1/events');
      if (events.every(({ delivery_summary: { pending } }) => pending === 0)) break;
      await pause(LOOKING_EVERY_MS);
    }
    return performance.now() - began;
  }

  async judge(checks, { began, settledMs }) {
    const client = new Client(this.service, null, 'checker');
    const told = await gather(client, this.logs);
    const truth = {
      ...told,
      histories: historiesOf(told.asked, this.service.endpointsAreStaleMs),
      waits: WAITS_MS,
      outages: this.service.outages,
      kills: this.service.kills,
      serviceLog: this.service.log,
    };
    const findings = {
      'nothing went wrong on the way': () => [...this.troubles, ...this.service.mishaps],
      'every rebuild was completed': () => uncompletedRebuilds(this.service),
      'what lists show is what the log makes': () => differences(this.service, this.folder),
      ...checks,
    };
    const tally = { passed: 0, failed: 0 };
    for (const [name, check] of Object.entries(findings)) this.report(name, await found(check, truth), tally);
    this.summarise(truth, { settledMs, tookMs: performance.now() - began });
    return tally;
  }

  report(name, violations, tally) {
    if (violations.length === 0) return void tally.passed++;
    tally.failed++;
    say(`FAILED  ${this.name}: ${name}: ${violations.length}`);
    new Journal(join(this.folder, 'violations.jsonl')).write({ name, violations });
    for (const each of violations.slice(0, 3)) say(`        ${each.slice(0, 400)}`);
  }

  summarise({ asked, events, received, kills, ...truth }, { settledMs, tookMs }) {
    const cut = received.filter(({ answer }) => answer === 'cut').length;
    const twice = duplicates({ received }).length;
    const share = ((100 * twice) / Math.max(1, received.length)).toFixed(2);
    const works = [...truth.tasks.values()].map((task) => ({
      from: Date.parse(task.started_at),
      to: Date.parse(task.completed_at),
    }));
    const paused = [...truth.histories.values()].flatMap((history) => history.pauses);
    const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
    say(
      `${this.name}: ${this.service.starts} starts (slowest ${seconds(this.service.slowestStartMs)}), ` +
        `${asked.length} requests, ${asked.reduce((sum, { cuts }) => sum + cuts, 0)} cut, ${events.length} events, ` +
        `${received.length} POSTs, ${cut} cut, ${twice} needless (${share} %), ` +
        `${works.length} tasks and ${paused.length} pauses, ${cutIn(works, kills)} and ${cutIn(paused, kills)} of them through a kill, ` +
        `at a load of ${this.load.toFixed(1)} per core; settled in ${seconds(settledMs)}, took ${seconds(tookMs)}`,
    );
  }
}

/** How many of the spans had a kill in their midst. */
function cutIn(spans, kills) {
  return spans.filter(({ from, to }) => kills.some((at) => at > from && at < to)).length;
}

async function found(check, truth) {
  try {
    return await check(truth);
  } catch (error) {
    return [error.stack];
  }
}
