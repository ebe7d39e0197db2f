import type { FastifyReply } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import type { Customer } from '@domain/customer/customer';
import type { Logger } from '@platform/logging/logger';
import type { Metrics } from '@platform/operations/metrics';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import type { EventStream } from '../../http/server-sent-events/event-stream.js';
import { OpenStreams } from '../../http/server-sent-events/open-streams.js';
import { StreamedAnswers } from '../../http/server-sent-events/streamed-answers.js';
import { CustomerExports, MAX_EXPORTS, MAX_EXPORTS_OF_PROJECT } from './customer-exports.js';
import type { ExportedCustomer } from './exported-customer.js';

const KIB = 1_024;
const UNAVAILABLE = { code: 'service_unavailable' };

let clock: FakeClock;
let shutdown: Shutdown;
let exports: CustomerExports;
let failures: unknown[];
/** What is kept: so many items of 16 KiB, and what reading one costs. */
let kept: { items: number; costMs: number; failsAt: number };
let made: number;

beforeEach(() => {
  [clock, shutdown, made, failures] = [new FakeClock(), new Shutdown(), 0, []];
  kept = { items: 100, costMs: 0, failsAt: Infinity };
  const exported: Pick<ExportedCustomer, 'textsOf'> = {
    async *textsOf(): AsyncGenerator<string> {
      yield '{"items":[""';
      for (let n = 0; n < kept.items; n++) {
        if (n === kept.failsAt) throw new StoreUnavailable('away', true);
        clock.elapse(kept.costMs);
        made += 1;
        yield await Promise.resolve(`,"${'x'.repeat(16 * KIB)}"`);
      }
      yield ']}';
    },
  };
  const streams = new OpenStreams(shutdown, { gauge: () => undefined } as unknown as Metrics);
  const logger = { failure: (_: string, error: unknown) => failures.push(error) } as unknown as Logger;
  const answers = new StreamedAnswers(shutdown, streams, logger);
  exports = new CustomerExports(exported as ExportedCustomer, answers, clock, shutdown);
});

const reply = { headers: () => undefined, raw: { once: () => undefined }, request: { method: 'GET', id: 'req_1' } };
const begin = (projectId = 'prj_1') => exports.begin(reply as unknown as FastifyReply, { projectId } as Customer, projectId);

function readFrom(stream: EventStream): { text: string } {
  const read = { text: '' };
  stream.setEncoding('utf8').on('data', (text: string) => void (read.text += text));
  return read;
}

describe('the export of a customer', () => {
  it('is read to its end, and is one JSON value', async () => {
    const stream = await begin();
    const read = readFrom(stream);
    await clock.advance(1_000);
    expect([stream.readableEnded, JSON.parse(read.text).items.length]).toEqual([true, 101]);
  });

  it('reads no further than its reader does', async () => {
    const stream = await begin();
    await clock.advance(60_000);
    expect(made).toBeLessThan(10);
    const read = readFrom(stream);
    await clock.advance(1_000);
    expect([JSON.parse(read.text).items.length, stream.readableEnded]).toEqual([101, true]);
  });

  it('goes on with nothing once its reader is gone', async () => {
    kept = { ...kept, items: Infinity, costMs: 1 };
    const stream = await begin();
    readFrom(stream);
    await clock.advance(1_000);
    stream.destroy();
    await settle();
    const before = made;
    await clock.advance(60_000);
    expect([made - before <= 2, clock.pending, failures]).toEqual([true, 0, []]);
  });

  it('takes at most a quarter of a core with all others together', async () => {
    kept = { ...kept, items: Infinity, costMs: 10 };
    const streams = [await begin(), await begin('prj_2')];
    streams.forEach(readFrom);
    const before = [made, clock.elapsed()] as const;
    await clock.advance(20_000);
    const share = ((made - before[0]) * kept.costMs) / (clock.elapsed() - before[1]);
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.27);
  });

  it('is refused with its status where nothing can be read, and takes no place', async () => {
    kept.failsAt = 0;
    for (let n = 0; n < 3 * MAX_EXPORTS; n++) await expect(begin()).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('is broken off where the store fails in the middle of it', async () => {
    kept.failsAt = 50;
    const stream = await begin();
    const read = readFrom(stream);
    await clock.advance(1_000);
    expect([stream.destroyed, stream.readableEnded, failures]).toEqual([true, false, []]);
    expect(() => JSON.parse(read.text) as unknown).toThrow(SyntaxError);
  });

  it('is broken off when the process is asked to end, and no other begins', async () => {
    const stream = await begin();
    shutdown.begin();
    await settle();
    expect([stream.destroyed, stream.readableEnded]).toEqual([true, false]);
    await expect(begin()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('has few places for a project and for all, and gives its place back', async () => {
    const open: EventStream[] = [];
    for (let n = 0; n < MAX_EXPORTS; n++) open.push(await begin(`prj_${Math.floor(n / MAX_EXPORTS_OF_PROJECT)}`));
    await expect(begin('prj_0')).rejects.toMatchObject(UNAVAILABLE);
    await expect(begin('prj_of_another')).rejects.toMatchObject({ ...UNAVAILABLE, details: { retryAfter: 10 } });
    open[0]?.destroy();
    await settle();
    await expect(begin('prj_1')).rejects.toMatchObject(UNAVAILABLE);
    await begin('prj_0');
  });
});
