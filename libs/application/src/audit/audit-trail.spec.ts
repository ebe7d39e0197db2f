import type { AuditEvent } from '@domain/audit/audit.events';
import { StoreUnavailable } from '@ports/event-store.port';
import { audited, REQUEST } from '@testing/audit-events';
import { ENVELOPE } from '@testing/envelopes';
import { LedgerWorld } from '@testing/ledger-world';
import type { ListPage } from '../read-models/list-page.query.js';
import { auditEntriesProjection, auditStream } from './audit-entries.projection.js';
import { AuditRetentionSweeper } from './audit-retention.sweeper.js';
import { AuditTrail } from './audit-trail.js';
import { ListAuditEntriesHandler } from './audit.handlers.js';
import { ListAuditEntries } from './audit.queries.js';

const DAY = 86_400_000;
const { name } = auditEntriesProjection.schema;

let world: LedgerWorld;
let trail: AuditTrail;
beforeEach(async () => {
  world = await (await LedgerWorld.create()).hosting({ projections: [auditEntriesProjection] });
  trail = trailOf(world);
});
afterEach(() => world.close());

const trailOf = ({ streams, ports, ids, clock }: LedgerWorld) => new AuditTrail(streams, ports.events, ids, clock);
const record = (changes = {}, by = trail) => by.record({ ...REQUEST, ...changes }, ENVELOPE);
const stored = (at = world.clock.now()) => world.ports.events.read<AuditEvent>(auditStream(at));

async function listed(): Promise<readonly number[]> {
  const queries = { execute: (query: ListPage<object>) => world.pages.execute(query) };
  const list = new ListAuditEntriesHandler(queries as never, world.clock);
  const page = { limit: 100, order: 'desc', startingAfter: null, endingBefore: null } as const;
  const { items } = await list.execute(new ListAuditEntries([], page));
  return items.map(({ row }) => row.status);
}

describe('the audit trail', () => {
  it('is a stream for each day, whose events bear their requests', async () => {
    const first = world.clock.now();
    await record();
    await world.clock.advance(DAY);
    await record({ status: 201 });
    expect((await stored(first)).map(({ event }) => event)).toEqual([audited(expect.any(String) as never, first)]);
    expect((await stored()).map(({ event, metadata }) => [event.status, metadata])).toEqual([[201, ENVELOPE]]);
    expect(await listed()).toEqual([201, 200]);
  });

  it('takes together what comes while an append is under way, and loses none of it', async () => {
    const append = jest.spyOn(world.ports.events, 'append');
    await Promise.all(Array.from({ length: 300 }, (_, n) => record({ status: 200 + n })));
    expect(append.mock.calls.map(([, events]) => events.length)).toEqual([1, 200, 99]);
    expect((await stored()).map(({ event }) => event.status)).toEqual(Array.from({ length: 300 }, (_, n) => 200 + n));
  });

  it('has what several gateways record at once', async () => {
    const other = trailOf(world.beside());
    for (let round = 0; round < 5; round++) {
      const both = Promise.all([record({ status: 200 }), record({ status: 201 }, other)]);
      for (let step = 0; step < 5; step++) await world.clock.advance(20);
      await both;
    }
    expect((await stored()).map(({ event }) => event.status).toSorted()).toEqual([...Array(5).fill(200), ...Array(5).fill(201)]);
  });

  it('goes on in a new process after the last event of the day, without reading the others', async () => {
    for (let n = 0; n < 5; n++) await record();
    const later = world.beside();
    const read = jest.spyOn(later.ports.events, 'read');
    await record({}, trailOf(later));
    expect(read.mock.calls).toEqual([[auditStream(world.clock.now()), { direction: 'backwards', limit: 1 }]]);
    expect(await stored()).toHaveLength(6);
  });

  it('refuses what the store does not take, and goes on with the next', async () => {
    const append = jest.spyOn(world.ports.events, 'append').mockRejectedValueOnce(new StoreUnavailable('the disk is full'));
    await expect(record()).rejects.toThrow('the disk is full');
    append.mockRestore();
    await record({ status: 201 });
    expect((await stored()).map(({ event }) => event.status)).toEqual([201]);
  });
});

describe('the entries of a day', () => {
  const sweep = async () => {
    const { events, readModels } = world.ports;
    await world.sweep(new AuditRetentionSweeper(events, readModels, world.clock));
  };
  const row = async (id: string) => (await world.ports.readModels.getMany(name, [id]))[0];

  it('are listed for ninety days, and dropped once the last of them is as old', async () => {
    const at = world.clock.now();
    await record();
    const [{ event: { entryId } } = never()] = await stored(at);
    await listed();
    world.clock.set(at + 90 * DAY - 1);
    expect(await listed()).toEqual([200]);
    world.clock.set(at + 90 * DAY);
    expect(await listed()).toEqual([]);
    await sweep();
    expect(await stored(at)).toHaveLength(1);
    world.clock.set(at + 91 * DAY);
    await record({ status: 201 });
    expect(await listed()).toEqual([201]);
    await sweep();
    expect(await listed()).toEqual([201]);
    expect(await stored(at)).toEqual([]);
    expect(await row(entryId)).toMatchObject({
      deleted: true,
      row: { address: '', sessionId: null, subject: null, retireAt: null },
    });
  });

  it('are dropped by the next sweep where a rebuild has read them before their stream was dropped', async () => {
    const at = world.clock.now();
    await record();
    const [{ event: { entryId } } = never()] = await stored(at);
    await listed();
    const before = await row(entryId);
    world.clock.set(at + 91 * DAY);
    await record();
    await listed();
    await sweep();
    const rebuild = await world.ports.readModels.rebuild(name);
    await rebuild.apply([before!], await world.ports.readModels.checkpoint(name));
    await rebuild.switchOver();
    expect(await row(entryId)).toEqual(before);
    await sweep();
    expect(await row(entryId)).toMatchObject({ deleted: true });
  });
});

function never(): never {
  throw new Error('nothing is stored');
}
