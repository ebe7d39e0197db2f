// Load in a process of its own: keep-alive sockets, one request each at a time, answers read by content-length. In a closed loop, or
// with `rate` so many requests a second, whose latency counts from when they were due.
import { connect } from 'node:net';
import { randomInt } from 'node:crypto';
import { bodies } from './bodies.mjs';

const { url, connections, seconds, warmup, kind, key, threads, path, expect, rate } = JSON.parse(process.argv[2]);
const { hostname, port, host } = new URL(url);
const latencies = [];
let counting = false;
let answered = 0;
let failures = 0;
let firstFailure = null;
let over = false;
let made = 0;
let turns = 0;
const run = randomInt(2 ** 32);
const begun = performance.now();

function post() {
  const n = made++;
  const body = JSON.stringify(bodies[kind]({ run, n, threads }));
  const head = [
    `POST /v1/messages HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${key}`,
    `idempotency-key: ${run}-${n}`,
    `content-type: application/json`,
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return head.join('\r\n') + '\r\n\r\n' + body;
}

const get = () => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`;
const next = kind === 'get' ? get : post;

/** When the next request is due. */
const nextDue = () => (rate ? begun + (turns++ * 1_000) / rate : performance.now());

/** A success that says what was to be done; without `expect`, any success. */
const isExpected = (answer) => answer.charCodeAt(9) === 50 && (expect === undefined || answer.includes(expect));

function note(answer) {
  answered += 1;
  if (isExpected(answer)) return;
  failures += 1;
  firstFailure ??= answer.slice(0, 1_000);
}

function client() {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let dueAt = 0;
    let received = '';
    const send = () => (over ? socket.end(resolve) : socket.write(next()));
    const ask = () => {
      dueAt = nextDue();
      const wait = dueAt - performance.now();
      if (wait > 0) setTimeout(send, wait);
      else send();
    };
    socket.setEncoding('latin1');
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received += chunk;
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? NaN);
      if (received.length < head + 4 + length) return;
      if (counting) latencies.push(performance.now() - dueAt);
      note(received);
      received = '';
      ask();
    });
  });
}

const all = Array.from({ length: connections }, client);
await new Promise((resolve) => setTimeout(resolve, warmup * 1_000));
counting = true;
const from = performance.now();
await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
const elapsed = (performance.now() - from) / 1_000;
counting = false;
over = true;
await Promise.all(all);
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? null;
process.stdout.write(
  JSON.stringify({
    perSecond: latencies.length / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    max: at(1),
    answered,
    failures,
    firstFailure,
  }),
  () => process.exit(0),
);
