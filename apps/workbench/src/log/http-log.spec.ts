import { START, type FeedBatch } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import type { AdminSession } from '../service/admin-session.js';
import { ServiceFailure } from '../service/service-failure.js';
import { HttpLog } from './http-log.js';

const position = (number: number) => String(number).padStart(20, '0');
const lineOf = (number: number) =>
  JSON.stringify({
    position: position(number),
    stream: 'a-1',
    revision: number,
    type: 'Noted',
    at: '2026-03-01T09:00:00.000Z',
    data: {},
    envelope: null,
  });

let clock: FakeClock;
/** What the service answers, in turn: events, and whether the answer breaks off after them. */
let answers: { events: number[]; breaksOff?: boolean }[];
let asked: string[];
let log: HttpLog;
beforeEach(() => {
  [clock, answers, asked] = [new FakeClock(), [], []];
  const session = {
    clock,
    get: () => Promise.resolve({ data: [{ head: position(5) }] }),
    async *lines(path: string): AsyncGenerator<string> {
      asked.push(new URL(path, 'http://service').searchParams.get('after') ?? '');
      const { events, breaksOff } = answers.shift() ?? { events: [] };
      yield* events.map(lineOf);
      if (breaksOff) throw new ServiceFailure('broke off', null);
    },
  };
  log = new HttpLog(session as unknown as AdminSession);
});

async function read(signal = new AbortController().signal) {
  const batches: FeedBatch[] = [];
  const reading = (async () => {
    for await (const batch of log.subscribe(START, { signal, atOnce: 2 })) batches.push(batch);
  })();
  await settle();
  await clock.advance(1_000);
  await reading;
  return { revisions: batches.flatMap(({ events }) => events.map(({ revision }) => revision)), upTo: batches.at(-1)?.upTo };
}

describe('the log over HTTP', () => {
  it('ends with the last event that there was at first', async () => {
    answers = [{ events: [1, 2, 3, 5] }];
    expect(await read()).toEqual({ revisions: [1, 2, 3, 5], upTo: position(5) });
    expect(asked).toEqual(['']);
  });

  it('goes on where an answer ends early, until one brings nothing', async () => {
    answers = [{ events: [1, 2] }, { events: [3] }, { events: [] }];
    expect(await read()).toEqual({ revisions: [1, 2, 3], upTo: position(3) });
    expect(asked).toEqual(['', position(2), position(3)]);
  });

  it('has come no further than its last event, whatever the service has', async () => {
    answers = [{ events: [1] }];
    expect(await read()).toEqual({ revisions: [1], upTo: position(1) });
  });

  it('goes on after the last whole batch where an answer breaks off', async () => {
    answers = [{ events: [1, 2, 3], breaksOff: true }, { events: [3, 4, 5] }];
    expect(await read()).toEqual({ revisions: [1, 2, 3, 4, 5], upTo: position(5) });
    expect(asked).toEqual(['', position(2)]);
  });
});
