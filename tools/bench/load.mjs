import autocannon from 'autocannon';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { stopAll } from './processes.mjs';
import { contest, now, percentiles } from './rounds.mjs';

const CONNECTIONS = 64;
const FIRST_REQUESTS = 256;
const WARM_UP = { requests: 8_000, maxRuns: 6 };

/** So many requests over 64 connections, one at a time on each. An answer without `expect` is an error. */
export async function rush(url, requests, amount, expect = '') {
  const latencies = [];
  const from = now();
  let endedAt = from;
  let unexpected = '';
  const verifyBody = (body) => body.includes(expect);
  const running = autocannon({ url, connections: CONNECTIONS, amount, requests, verifyBody, timeout: 60, sampleInt: 20 });
  running.on('response', (_client, _status, _bytes, ms) => {
    latencies.push(ms);
    endedAt = now();
  });
  running.on('reqMismatch', (body) => (unexpected ||= body));
  const { errors, non2xx, mismatches } = await running;
  if (errors + non2xx + mismatches > 0) {
    throw new Error(`${errors} errors, ${non2xx} refusals, ${mismatches} unexpected answers: ${unexpected}`);
  }
  return { from, endedAt, latencies };
}

/** A closed loop on a server: each connection waits for its answer. */
export class ClosedLoop {
  made = 0;
  perSecond = 0;

  /**
   * @param makeRequests makes the requests of a run
   * @param expect a part of each answer
   * @param settled resolves once the work behind so many requests is done, if that is later than their answers
   */
  constructor(server, makeRequests, { expect, settled } = {}) {
    Object.assign(this, { server, makeRequests, expect, settled });
  }

  /** As many requests as the last run made in this time, so that each is answered before the figures are taken. */
  async run(seconds) {
    const amount = Math.max(FIRST_REQUESTS, CONNECTIONS * Math.round((this.perSecond * seconds) / CONNECTIONS));
    const cpu = this.server.cpuMs();
    const { from, endedAt, latencies } = await rush(this.server.url, this.makeRequests(), amount, this.expect);
    this.made += amount;
    await this.settled?.(this.made);
    this.perSecond = (amount * 1_000) / ((this.settled ? now() : endedAt) - from);
    const cpuMicros = ((this.server.cpuMs() - cpu) * 1_000) / amount;
    return { perSecond: this.perSecond, cpuMicros, ...percentiles(latencies) };
  }

  /** A compiler that is still at work is no steady state; a busy machine takes longer, but not for ever. */
  async warmUp({ quick }) {
    for (let runs = 0; runs < WARM_UP.maxRuns && (runs < 2 || this.made < WARM_UP.requests); runs += 1) {
      await this.run(quick ? 2 : 6);
    }
  }
}

/** Warms up servers, those of the builds and the limit's, measures closed loops on them in turn, and stops all. */
export async function loopsInTurn(plan, servers, loopOn, { measure = (loop) => loop.run(plan.seconds), beside = [] } = {}) {
  const loops = {};
  for (const [name, server] of Object.entries(servers)) loops[name] = loopOn(server, name);
  const run = ({ key }) => measure(loops[key]);
  try {
    for (const loop of Object.values(loops)) await loop.warmUp(plan);
    return await contest(plan, run, () => run({ key: 'limit' }));
  } finally {
    await stopAll([...Object.values(servers), ...beside]);
  }
}

/**
 * So many requests a second, evenly and whatever becomes of them; autocannon would make those of each second at its start.
 * Resolves to the text of each answer, when its request was sent, and the time from when it was due to the answer.
 */
export async function atRate(url, [request], { rate, seconds }) {
  const pool = new Pool(url);
  const from = now();
  const ask = async (dueAt) => {
    const { method, path, headers, body } = request.setupRequest(request, {});
    const sentAt = now();
    const answer = await pool.request({ method, path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return { text, sentAt, ms: now() - dueAt };
  };
  const asked = [];
  for (let number = 0; number < rate * seconds; number += 1) {
    const dueAt = from + (number * 1_000) / rate;
    await pause(Math.max(0, dueAt - now()));
    asked.push(ask(dueAt));
  }
  const answered = await Promise.all(asked);
  await pool.close();
  return answered;
}
