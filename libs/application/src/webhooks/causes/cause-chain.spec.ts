import type { Envelope } from '@domain/kernel/envelope';
import type { Recorded } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { causeChainOf } from './cause-chain.js';

const ids = new FakeIds(new FakeClock(), 1);

let store: FakeEventStore;
beforeEach(() => void (store = new FakeEventStore()));

/** Appends an event with these causes; without any it is one of an earlier version. */
async function stored(stream: string, metadata?: Envelope): Promise<Recorded> {
  const before = (await store.read(stream)).length;
  const event = { type: 'Noted', at: 1 };
  await store.append(stream, [{ id: ids.uuid(), event, ...(metadata && { metadata }) }], before === 0 ? 'none' : before - 1);
  return (await store.read(stream)).at(-1) as Recorded;
}

const caused = ($causationId?: string, $correlationId = 'cor_1'): Envelope => ({
  $correlationId,
  ...($causationId !== undefined && { $causationId }),
});

async function chainOf(event: Recorded) {
  const { events, beginning } = await causeChainOf(store, event);
  return [...events.map(({ stream, revision }) => `${stream}@${revision}`), beginning];
}

describe('the causes of an event', () => {
  it('lead over the events of other streams to the request', async () => {
    await stored('conversation-1', caused('req_1'));
    await stored('appointment-1', caused('conversation-1@0'));
    const last = await stored('deliveries-1', caused('appointment-1@0'));
    expect(await chainOf(last)).toEqual(['deliveries-1@0', 'appointment-1@0', 'conversation-1@0', 'req_1']);
  });

  it('are the previous event of the stream with the same correlation where none is named', async () => {
    await stored('deliveries-1', caused('task_1'));
    await stored('deliveries-1', caused('req_2', 'cor_2'));
    expect(await chainOf(await stored('deliveries-1', caused()))).toEqual(['deliveries-1@2', 'deliveries-1@0', 'task_1']);
  });

  it('are unknown of an event of an earlier version', async () => {
    await stored('appointment-1');
    const last = await stored('deliveries-1', caused('appointment-1@0'));
    expect(await chainOf(last)).toEqual(['deliveries-1@0', 'appointment-1@0', null]);
  });

  it('are unknown where the stream of the cause is gone', async () => {
    expect(await chainOf(await stored('deliveries-1', caused('appointment-9@4')))).toEqual(['deliveries-1@0', null]);
  });

  it('are followed twenty events back', async () => {
    await stored('note-0', caused('req_1'));
    for (let n = 1; n < 21; n++) await stored(`note-${n}`, caused(`note-${n - 1}@0`));
    const [twentieth] = await store.read('note-19');
    const [next] = await store.read('note-20');
    expect((await chainOf(twentieth as Recorded)).at(-1)).toBe('req_1');
    const beyond = await chainOf(next as Recorded);
    expect([beyond.length, beyond.at(-1)]).toEqual([21, null]);
  });
});
