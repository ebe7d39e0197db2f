import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY } from './gateway-process.mjs';

const ANSWER_WITHIN_MS = 45_000;
const GIVE_UP_AFTER_MS = 120_000;
const REFUSED_AT_MOST_MS = 10_000;
const ASKED_AGAIN_MS = 1_000;

/** A client that retries a request under the same key until it has a final answer, and logs every attempt. */
export class Client {
  agent = new Agent({ keepAlive: true, maxSockets: 64 });
  keys = 0;

  constructor(service, journal, name) {
    this.service = service;
    this.journal = journal;
    this.name = name;
  }

  /**
   * Sends a change until it has a final answer. `note` is logged for the checks; with `keyless` in it the request has no
   * key and may be executed several times.
   */
  async change(method, path, body, note) {
    const key = `${this.name}-${++this.keys}`;
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

  /** Reads a resource and retries through kills. */
  async lookUp(path) {
    const begun = Date.now();
    for (;;) {
      const answer = await this.send({ method: 'GET', path }).catch(() => null);
      if (answer?.status === 200) return answer.body;
      if ((answer && isFinal(answer)) || Date.now() - begun > GIVE_UP_AFTER_MS) throw new Error(`GET ${path}: ${answer?.text}`);
      await pause(50);
    }
  }

  /** Reads a page. One that is refused for a while, as by a store that was away, is asked for again. */
  async read(path) {
    const begun = Date.now();
    for (;;) {
      const { status, text } = await this.send({ method: 'GET', path });
      if (status === 200) return JSON.parse(text);
      if (status !== 503 || Date.now() - begun > REFUSED_AT_MOST_MS) throw new Error(`GET ${path}: ${status} ${text}`);
      await pause(ASKED_AGAIN_MS);
    }
  }

  /** Reads all pages of a list. */
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

  /** The text of the metrics of every process. */
  async metrics() {
    const urls = await this.service.addresses();
    const answers = await Promise.all(
      urls.map((url) => exchange(new URL('/metrics', url), { method: 'GET', agent: this.agent })),
    );
    return answers.map(({ text }) => text);
  }

  async send({ method, path, body, key }) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${API_KEY}`,
      ...(key && { 'idempotency-key': key }),
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return exchange(new URL(path, await this.service.address()), { method, headers, agent: this.agent }, text);
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

/** Whether a retry under the same key would only repeat the answer. */
function isFinal({ status, body }) {
  return status < 500 && status !== 429 && body?.error?.code !== 'idempotency_key_in_use';
}

/** Runs `work` for each item, at most `atOnce` at a time. */
export async function forEach(items, work, atOnce = 16) {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
