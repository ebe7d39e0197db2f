import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY } from './gateway-process.mjs';
import { readStream } from './streams.mjs';

const ANSWER_WITHIN_MS = 45_000;
export const GIVE_UP_AFTER_MS = 120_000;
const REFUSED_AT_MOST_MS = 10_000;
const ASKED_AGAIN_MS = 1_000;

/** Retries a request under the same key until its answer is final, and logs every attempt. */
export class Client {
  agent = new Agent({ keepAlive: true, maxSockets: 64 });
  keys = 0;

  constructor(service, journal, name) {
    this.service = service;
    this.journal = journal;
    this.name = name;
  }

  newKey() {
    return `${this.name}-${++this.keys}`;
  }

  /** `note` is logged for the checks; with `keyless` the request has no key and may be executed several times. */
  async change(method, path, body, note) {
    const key = this.newKey();
    const begun = Date.now();
    this.journal.write({ is: 'asked', key, method, path, body, ...note });
    const asked = { method, path, body, key: note.keyless ? undefined : key };
    for (let attempt = 1; ; attempt++) {
      const answer = await this.attempt(key, attempt, asked);
      if (answer && isFinal(answer)) return answer;
      if (Date.now() - begun > GIVE_UP_AFTER_MS) throw new Error(`no answer to ${key}`);
      await pause(20 + 10 * Math.min(attempt, 10));
    }
  }

  async attempt(key, attempt, asked) {
    try {
      const answer = await this.send(asked);
      const { status, text, replayed } = answer;
      this.journal.write({ is: 'answered', key, attempt, status, replayed, text });
      return answer;
    } catch (error) {
      this.journal.write({ is: 'cut', key, attempt, error: error.code ?? error.message });
      return null;
    }
  }

  async lookUp(path) {
    const begun = Date.now();
    for (;;) {
      const answer = await this.send({ method: 'GET', path }).catch(() => null);
      if (answer?.status === 200) return answer.body;
      if ((answer && isFinal(answer)) || Date.now() - begun > GIVE_UP_AFTER_MS) throw new Error(`GET ${path}: ${answer?.text}`);
      await pause(50);
    }
  }

  /** Retries a page that is refused for a while, as during an outage. */
  async read(path) {
    const begun = Date.now();
    for (;;) {
      const { status, text } = await this.send({ method: 'GET', path });
      if (status === 200) return JSON.parse(text);
      if (status !== 503 || Date.now() - begun > REFUSED_AT_MOST_MS) throw new Error(`GET ${path}: ${status} ${text}`);
      await pause(ASKED_AGAIN_MS);
    }
  }

  async list(path) {
    const found = [];
    for (let cursor = ''; cursor !== null;) {
      const join = path.includes('?') ? '&' : '?';
      const page = await this.read(`${path}${join}limit=100${cursor && `&starting_after=${cursor}`}`);
      found.push(...page.data);
      cursor = page.next_cursor;
    }
    return found;
  }

  async metrics() {
    const urls = await this.service.addresses();
    const answers = await Promise.all(
      urls.map((url) => exchange(new URL('/metrics', url), { method: 'GET', agent: this.agent })),
    );
    return answers.map(({ text }) => text);
  }

  async send(asked) {
    const { url, options, text } = await this.requestOf(asked);
    return exchange(url, options, text);
  }

  /** Reads the answer as server-sent events; `leaveAfter` so many of them this client breaks the connection off. */
  async stream(asked, leaveAfter) {
    const { url, options, text } = await this.requestOf({ ...asked, headers: { accept: 'text/event-stream', ...asked.headers } });
    return readStream(url, options, text, leaveAfter);
  }

  async requestOf({ method, path, body, key, signal, headers: more }) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${API_KEY}`,
      ...(key && { 'idempotency-key': key }),
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...more,
    };
    return { url: new URL(path, await this.service.address()), options: { method, headers, signal, agent: this.agent }, text };
  }
}

function exchange(url, options, body) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, timeout: ANSWER_WITHIN_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.once('error', reject);
      response.once('end', () => {
        const replayed = response.headers['idempotent-replayed'] === 'true';
        resolve({ status: response.statusCode, replayed, text, body: parsed(text) });
      });
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.once('error', reject);
    sent.end(body);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a retry under the same key would return the same answer. That to a message whose reply is to come is none yet. */
export function isFinal({ status, body }) {
  return (
    status < 500 &&
    !(status === 202 && body?.object === 'message') &&
    status !== 429 &&
    body?.error?.code !== 'idempotency_key_in_use'
  );
}

export async function forEach(items, work, atOnce = 16) {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
