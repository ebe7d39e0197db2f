import { request } from 'node:http';

const SILENT_AT_MOST_MS = 45_000;

/**
 * Asks for server-sent events. Resolves to `events`, `lastId` and how it ended (`done`, `left` by this client after so many events, or
 * `broken`), or to the JSON of a refusal. Rejects where nothing is answered.
 */
export function readStream(url, options, body, leaveAfter = Infinity) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, timeout: SILENT_AT_MOST_MS }, (response) => {
      const isStream = response.headers['content-type'] === 'text/event-stream';
      const reading = isStream ? new Reading(leaveAfter, () => sent.destroy()) : new Refusal(response.statusCode);
      response.setEncoding('utf8').on('data', (chunk) => reading.take(chunk));
      response.on('error', () => undefined);
      response.once('close', () => resolve(reading.found));
      if (leaveAfter === 0) reading.leave?.();
    });
    sent.once('timeout', () => sent.destroy(new Error('silent for too long')));
    sent.on('error', reject);
    sent.end(body);
  });
}

class Refusal {
  text = '';

  constructor(status) {
    this.status = status;
  }

  take(chunk) {
    this.text += chunk;
  }

  get found() {
    return { status: this.status, text: this.text };
  }
}

class Reading {
  events = [];
  lastId = '';
  rest = '';
  hasLeft = false;

  constructor(leaveAfter, destroy) {
    Object.assign(this, { leaveAfter, destroy });
  }

  take(chunk) {
    const blocks = (this.rest + chunk).split('\n\n');
    this.rest = blocks.pop();
    for (const block of blocks) if (!this.hasLeft) this.read(block);
  }

  read(block) {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
    );
    this.lastId = fields.get('id') ?? this.lastId;
    if (!fields.has('event')) return;
    this.events.push({ event: fields.get('event'), data: JSON.parse(fields.get('data')) });
    if (this.events.length >= this.leaveAfter) this.leave();
  }

  leave() {
    this.hasLeft = true;
    this.destroy();
  }

  get found() {
    const { events, lastId, hasLeft } = this;
    const isDone = events.at(-1)?.event === 'done';
    return { status: 200, events, lastId, ended: isDone ? 'done' : hasLeft ? 'left' : 'broken' };
  }
}
