import { Logger } from '@nestjs/common';
import { FakeClock, settle } from '@testing/fake-clock';
import { StubbornWriter } from '@testing/stubborn-writer';
import type { WriteAnswer } from './requests.js';
import { WriteQueue } from './write-queue.js';

const outcomeOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

describe('requests that are not stored are told to the log', () => {
  let writer: StubbornWriter;
  let clock: FakeClock;
  let queue: WriteQueue;
  const ask = () => queue.ask({ kind: 'probe' });
  const full = { refused: 'not-stored', reason: 'database or disk is full', disk: true } as const;
  let told: unknown[];
  beforeEach(() => {
    writer = new StubbornWriter();
    clock = new FakeClock();
    queue = new WriteQueue(writer, clock);
    told = [];
    for (const level of ['error', 'warn'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((...[line]: readonly unknown[]) => void told.push(line));
    }
  });
  afterEach(() => jest.restoreAllMocks());

  async function answered(answer: WriteAnswer): Promise<void> {
    const outcome = outcomeOf(ask());
    await settle();
    writer.answer([answer]);
    await outcome;
  }

  it('with the reason, once, and so is the end of it', async () => {
    for (let times = 0; times < 100; times++) await answered(full);
    expect(told).toEqual(['writes are not stored: database or disk is full']);
    for (let position = 1; position < 5; position++) {
      await answered(position);
      await clock.advance(5_000);
    }
    expect(told.slice(1)).toEqual(['writes are stored again']);
  });

  it('at most once a minute, whatever comes between', async () => {
    for (let second = 0; second < 180; second++) {
      await answered(full);
      await answered(second + 1);
      await clock.advance(1_000);
    }
    expect(told).toEqual(Array(3).fill('writes are not stored: database or disk is full'));
  });

  it('anew after an end, however soon', async () => {
    await answered(full);
    await clock.advance(10_000);
    await answered(1);
    for (let second = 0; second < 45; second++) {
      await clock.advance(1_000);
      await answered(full);
    }
    expect(told.slice(1)).toEqual(['writes are stored again', 'writes are not stored: database or disk is full']);
  });

  it('never as over while it goes on', async () => {
    await answered(full);
    await clock.advance(9_999);
    await answered(1);
    await answered(full);
    await clock.advance(9_999);
    await answered(2);
    expect(told).toEqual(['writes are not stored: database or disk is full']);
    await clock.advance(1);
    await answered(3);
    expect(told.slice(1)).toEqual(['writes are stored again']);
  });

  it('each cause for itself, though another was told just before', async () => {
    await answered(full);
    for (let times = 0; times < 3; times++) await answered({ ...full, reason: 'disk I/O error' });
    expect(told.slice(1)).toEqual(['writes are not stored: disk I/O error']);
  });

  it('when the disk does not answer, and when the writer is lost', async () => {
    const outcome = outcomeOf(ask());
    await clock.advance(60_000);
    writer.lose('the writer ended');
    await outcome;
    expect(told).toEqual(['writes are not stored: the disk does not answer in time', 'writes are not stored: the writer ended']);
  });

  it('but not when a request itself is to blame', async () => {
    await answered({ refused: 'not-stored', reason: 'too much', disk: false });
    expect(told).toEqual([]);
  });
});
