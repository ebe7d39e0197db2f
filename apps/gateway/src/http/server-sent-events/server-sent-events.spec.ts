import type { FastifyReply } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import type { Metrics } from '@platform/operations/metrics';
import { FakeClock, settle } from '@testing/fake-clock';
import type { EventStream } from './event-stream.js';
import { OpenStreams } from './open-streams.js';
import { ServerSentEvents } from './server-sent-events.js';

let clock: FakeClock;
let shutdown: Shutdown;
let events: ServerSentEvents;
let streams: OpenStreams;
let openStreams: () => number;
let headers: Record<string, string>;
let position: string;

beforeEach(() => {
  [clock, shutdown, headers, position] = [new FakeClock(), new Shutdown(), {}, '1'];
  const gauge = (_name: string, _help: string, read: () => number) => void (openStreams = read);
  streams = new OpenStreams(shutdown, { gauge } as unknown as Metrics);
  events = new ServerSentEvents(clock, shutdown, streams);
});

function begin(method = 'GET') {
  const reply = { request: { method }, headers: (more: object) => Object.assign(headers, more) };
  return events.begin(reply as unknown as FastifyReply, () => position);
}

function readFrom(stream: EventStream): string[] {
  const read: string[] = [];
  stream.setEncoding('utf8').on('data', (text: string) => read.push(text));
  return read;
}

describe('an answer of server-sent events', () => {
  it('is neither cached nor changed nor buffered, and begins with a comment', async () => {
    const read = readFrom(begin());
    await settle();
    expect(headers).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(read).toEqual([': open\nid: 1\n\n']);
  });

  it('has a comment every 15 s with the position so far', async () => {
    const read = readFrom(begin());
    position = '2';
    await clock.advance(14_999);
    expect(read).toHaveLength(1);
    await clock.advance(1);
    position = '3';
    await clock.advance(15_000);
    expect(read.slice(1)).toEqual([': alive\nid: 2\n\n', ': alive\nid: 3\n\n']);
  });

  it('has no comment for a reader that does not read', async () => {
    const stream = begin();
    while (!stream.isFull) stream.send('x'.repeat(1_024));
    const held = stream.readableLength;
    await clock.advance(600_000);
    expect(stream.readableLength).toBe(held);
  });

  it('leaves nothing behind when its client disconnects', async () => {
    const stream = begin();
    expect(openStreams()).toBe(1);
    stream.destroy();
    await settle();
    expect([openStreams(), clock.pending]).toEqual([0, 0]);
  });

  it('ends at once with a comment when the process is asked to end', async () => {
    const [one, other] = [begin(), begin()];
    const read = [readFrom(one), readFrom(other)];
    await settle();
    shutdown.begin();
    await streams.ended();
    expect(read.map((texts) => texts.at(-1))).toEqual([': the service shuts down\n\n', ': the service shuts down\n\n']);
    expect([one.readableEnded, other.readableEnded, openStreams()]).toEqual([true, true, 0]);
  });

  it('ends at once where the process is ending already, and where only its head is wanted', async () => {
    const head = begin('HEAD');
    shutdown.begin();
    const late = begin();
    for (const stream of [head, late]) readFrom(stream);
    await streams.ended();
    expect([head.readableEnded, late.readableEnded]).toEqual([true, true]);
  });
});
