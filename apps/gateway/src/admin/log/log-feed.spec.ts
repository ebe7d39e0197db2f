import type { FastifyReply } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import type { Logger } from '@platform/logging/logger';
import type { Metrics } from '@platform/operations/metrics';
import { StoreUnavailable, type EventStore, type FeedBatch, type Recorded } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import type { EventStream } from '../../http/server-sent-events/event-stream.js';
import { OpenStreams } from '../../http/server-sent-events/open-streams.js';
import { StreamedAnswers } from '../../http/server-sent-events/streamed-answers.js';
import { LogFeed } from './log-feed.js';
import { readLogQuery } from './log-query.js';

const positionOf = (place: number) => String(place).padStart(20, '0');
const noted = (place: number, text: string): Recorded => ({
  id: String(place),
  stream: 'note-1',
  revision: place - 1,
  position: positionOf(place),
  event: { type: 'Noted', at: 0, text } as Recorded['event'],
});

let clock: FakeClock;
let shutdown: Shutdown;
let feed: LogFeed;
let failures: unknown[];
/** What the log is: batches of one event each, and what reading one costs. */
let log: { events: number; text: string; costMs: number; fails: boolean };
let fetched: number;

beforeEach(() => {
  [clock, shutdown, fetched, failures] = [new FakeClock(), new Shutdown(), 0, []];
  log = { events: 100, text: 'x', costMs: 0, fails: false };
  const store: Partial<EventStore> = {
    head: () => Promise.resolve(positionOf(log.events)),
    holds: (position) => Promise.resolve(position <= positionOf(log.events)),
    async *subscribe(from, { signal }): AsyncIterable<FeedBatch> {
      for (let place = Number(from) + 1; place <= log.events && !signal.aborted; place++) {
        if (log.fails) throw new StoreUnavailable('away', true);
        clock.elapse(log.costMs);
        fetched += 1;
        yield { events: [noted(place, log.text)], upTo: positionOf(place) };
      }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
  const streams = new OpenStreams(shutdown, { gauge: () => undefined } as unknown as Metrics);
  const logger = { failure: (_: string, error: unknown) => failures.push(error) } as unknown as Logger;
  feed = new LogFeed(store as EventStore, clock, new StreamedAnswers(shutdown, streams, logger), shutdown);
});

const reply = { headers: () => undefined, raw: { once: () => undefined }, request: { method: 'GET', id: 'req_1' } };
const begin = (query = {}) => feed.begin(reply as unknown as FastifyReply, readLogQuery(query));

function readFrom(stream: EventStream): string[] {
  const lines: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)));
  return lines;
}

describe('the feed of the log', () => {
  it('takes at most a quarter of a core, however many read it', async () => {
    log.costMs = 10;
    const read = [readFrom(await begin()), readFrom(await begin())];
    await clock.advance(4_000);
    const [one = [], other = []] = read;
    expect(one.length + other.length).toBeGreaterThan(60);
    const underWay = 2;
    expect((fetched - underWay) * log.costMs).toBeLessThanOrEqual(clock.elapsed() / 4);
  });

  it('reads no further than its reader does', async () => {
    log.text = 'x'.repeat(16 * 1_024);
    const stream = await begin();
    await clock.advance(60_000);
    expect(fetched).toBeLessThan(10);
    const lines = readFrom(stream);
    await clock.advance(60_000);
    expect([lines.length, stream.readableEnded]).toEqual([100, true]);
  });

  it('goes on with nothing once its reader is gone', async () => {
    const stream = await begin({ follow: 'true' });
    readFrom(stream);
    await clock.advance(1_000);
    stream.destroy();
    await settle();
    expect(clock.pending).toBe(0);
  });

  it('ends when the process is asked to end, after a whole line', async () => {
    log.costMs = 10;
    const stream = await begin({ follow: 'true' });
    const lines = readFrom(stream);
    await clock.advance(500);
    shutdown.begin();
    await settle();
    expect(stream.readableEnded).toBe(true);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ stream: 'note-1' });
  });

  it('breaks off where the log cannot be read', async () => {
    log.fails = true;
    const stream = await begin();
    readFrom(stream);
    await settle();
    expect([stream.destroyed, stream.readableEnded, failures]).toEqual([true, false, []]);
  });

  it.each(['yesterday', positionOf(101), '1'])('begins after no position such as %s', async (after) => {
    await expect((async () => begin({ after }))()).rejects.toMatchObject({
      code: 'parameter_invalid',
      details: { param: 'after' },
    });
  });
});
