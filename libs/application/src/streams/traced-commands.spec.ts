import type { Decider } from '@domain/kernel/decider';
import { DomainError } from '@domain/kernel/domain-error';
import { ENVELOPE } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { RecordedTraces } from '@testing/recorded-traces';
import { StreamCache } from './stream-cache.js';
import { StreamRunner } from './stream-runner.js';

type Counted = { readonly type: 'Counted'; readonly at: number };

const counter: Decider<number, number, Counted> = {
  initial: 0,
  decide(upTo, count) {
    if (count > upTo) throw new DomainError('parameter_invalid', 'It is more already.');
    return Array.from({ length: upTo - count }, () => ({ type: 'Counted', at: 1 }) as const);
  },
  evolve: (count) => count + 1,
};

let traces: RecordedTraces;
let store: FakeEventStore;
let streams: StreamRunner;
beforeEach(() => {
  const clock = new FakeClock();
  [traces, store] = [new RecordedTraces(), new FakeEventStore()];
  streams = new StreamRunner(store, new StreamCache(store), clock, new FakeIds(clock), traces.tracer);
});

const traceparents = async () => (await store.read('counter-1')).map(({ metadata }) => metadata?.traceparent);

describe('a command that is traced', () => {
  it('has a span with one for its append, which tell the category and how many events', async () => {
    await traces.tracer.run('request', {}, () => streams.run('counter-1', counter, 2, ENVELOPE));
    expect(await traces.spans()).toMatchObject([
      { name: 'append', below: 'command', fields: { stream: 'counter', events: 2 } },
      { name: 'command', below: 'request', fields: { stream: 'counter', events: 2 } },
      { name: 'request', below: undefined },
    ]);
  });

  it('leaves the span that it was given in on each of its events', async () => {
    const above = await traces.tracer.run('request', {}, async ({ traceparent }) => {
      await streams.run('counter-1', counter, [1, 3], ENVELOPE);
      await streams.run('counter-1', counter, [4, 5], [ENVELOPE, { $correlationId: 'cor_2' }]);
      return traceparent;
    });
    expect(await traceparents()).toEqual(Array(5).fill(above));
  });

  it('leaves the one that its envelope names', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
    await traces.tracer.run('request', {}, () => streams.run('counter-1', counter, 2, { ...ENVELOPE, traceparent }));
    expect(await traceparents()).toEqual([traceparent, traceparent]);
  });

  it('leaves its own where nothing else is traced, such as in a round of a timer', async () => {
    await streams.run('counter-1', counter, 1, ENVELOPE);
    expect(await traceparents()).toEqual([expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/)]);
  });

  it('that is refused says by which error', async () => {
    await streams.run('counter-1', counter, 2, ENVELOPE);
    await expect(streams.run('counter-1', counter, 1, ENVELOPE)).rejects.toThrow('It is more already.');
    const refused = (await traces.spans()).find(({ hasFailed }) => hasFailed);
    expect(refused).toMatchObject({ name: 'command', fields: { 'error.type': 'parameter_invalid' } });
  });
});

it('a command that is not traced leaves nothing of a trace', async () => {
  const clock = new FakeClock();
  await new StreamRunner(store, new StreamCache(store), clock, new FakeIds(clock)).run('counter-1', counter, 2, ENVELOPE);
  expect((await store.read('counter-1')).map(({ metadata }) => metadata)).toEqual([
    ENVELOPE,
    { $correlationId: ENVELOPE.$correlationId },
  ]);
});
