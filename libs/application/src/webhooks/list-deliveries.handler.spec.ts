import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { openEmbeddedEngine, type EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import type { Condition, StoredRow } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { Cursors } from '../paging/cursor.js';
import { PagedLists } from '../paging/paged-list.js';
import { FlushRequests } from '../read-models/flush-requests.js';
import { FreshRows } from '../read-models/fresh-rows.js';
import { RowPages } from '../read-models/row-pages.js';
import { deliveriesProjection, endpointStatus } from './deliveries.projection.js';
import type { DeliveryStatus } from '@domain/delivery/delivery';
import { ListDeliveries } from './delivery.commands.js';
import { ListDeliveriesHandler } from './list-deliveries.handler.js';

const MANY = 12_000;
const STATUSES = ['pending', 'retrying', 'succeeded', 'failed'] as const;
const TYPES = ['appointment.created', 'appointment.cancelled'];

/** The n-th of many deliveries: nine of ten succeed, and a few very old ones failed at a tenth endpoint. */
function membersOf(n: number) {
  const isRare = n < 20;
  const status: DeliveryStatus = isRare ? 'failed' : n % 10 === 0 ? STATUSES[(n / 10) % 3]! : 'succeeded';
  const endpointId = isRare ? 'we_rare' : `we_${n % 3}`;
  return {
    status,
    endpointId,
    endpointStatus: endpointStatus(endpointId, status),
    eventId: `evt_${Math.floor(n / 4)}`,
    eventType: TYPES[n % 2]!,
    appointmentId: `apt_${Math.floor(n / 40)}`,
    trigger: n % 7 === 0 ? 'replay' : 'event',
    responseStatusClass: status === 'succeeded' ? '2xx' : status === 'pending' ? null : n % 20 === 0 ? 'none' : '5xx',
    lastErrorCode: n % 20 === 0 && status !== 'succeeded' ? 'timeout' : null,
  };
}

const place = (n: number) => String(n + 1).padStart(20, '0');
const rows = Array.from({ length: MANY }, (_, n): StoredRow => {
  const at = { createdAt: 1_000_000 + Math.floor(n / 3), sortId: place(n), position: place(n) };
  return { id: `whd_${n}`, projectId: n % 100 === 50 ? 'other' : 'p', ...at, deleted: n % 100 === 51, row: membersOf(n) };
});

let directory: string;
let ports: EmbeddedPorts;
let handler: ListDeliveriesHandler;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'list-'));
  ports = await openEmbeddedEngine(directory, new FakeClock());
  const { events, readModels } = ports;
  await readModels.define(deliveriesProjection.schema);
  await readModels.apply('deliveries', rows, place(MANY));
  const lists = new PagedLists(new Cursors(new NodeCryptoSecrets(Buffer.alloc(32, 7))));
  handler = new ListDeliveriesHandler(
    readModels,
    new RowPages(events, new FreshRows(events, readModels, new FlushRequests()), lists),
  );
});
afterAll(async () => {
  await ports.engine.close();
  rmSync(directory, { recursive: true, force: true });
});

const eq = (field: string, value: string): Condition => ({ field, op: 'eq', value });
const among = (field: string, ...value: readonly string[]): Condition => ({ field, op: 'in', value });

function matches({ createdAt, row }: StoredRow, { field, op, value }: Condition): boolean {
  const known = field === 'createdAt' ? createdAt : (row as Record<string, unknown>)[field];
  if (op === 'in') return (value as readonly unknown[]).includes(known);
  if (op === 'gte') return Number(known) >= Number(value);
  return op === 'lt' ? Number(known) < Number(value) : known === value;
}

function expected(conditions: readonly Condition[], order: 'asc' | 'desc'): readonly string[] {
  const shown = rows.filter((row) => row.projectId === 'p' && !row.deleted && conditions.every((each) => matches(row, each)));
  return (order === 'asc' ? shown : shown.toReversed()).map(({ id }) => id);
}

async function walked(conditions: readonly Condition[], order: 'asc' | 'desc' = 'desc', limit = 100) {
  const pages: string[][] = [];
  let startingAfter: string | null = null;
  do {
    const request = { limit, order, startingAfter, endingBefore: null };
    const page = await handler.execute(new ListDeliveries('p', conditions, request));
    expect(page.hasMore).toBe(page.nextCursor !== null);
    pages.push(page.items.map(({ id }) => id));
    startingAfter = page.nextCursor;
  } while (startingAfter !== null);
  return pages;
}

const RARE = eq('endpointId', 'we_rare');

describe('the list of all deliveries', () => {
  it.each<[string, readonly Condition[]]>([
    ['an endpoint', [RARE]],
    ['a status', [eq('status', 'failed')]],
    ['several statuses', [among('status', 'failed', 'cancelled')]],
    ['an event', [eq('eventId', 'evt_3')]],
    ['an appointment', [eq('appointmentId', 'apt_0')]],
    ['an endpoint and a status', [RARE, among('status', 'failed', 'retrying')]],
    ['an endpoint and a status of a time', [RARE, among('status', 'failed'), { field: 'createdAt', op: 'lt', value: 1_000_004 }]],
    ['types of events of a time', [among('eventType', ...TYPES), { field: 'createdAt', op: 'lt', value: 1_000_004 }]],
    ['no type of event', [among('eventType')]],
    ['nothing but a time', [{ field: 'createdAt', op: 'lt', value: 1_000_004 }]],
  ])('by %s is one page as soon as that holds what there is, whatever else there is', async (_, conditions) => {
    expect(await walked(conditions)).toEqual([expected(conditions, 'desc')]);
  });

  it('by other members together has short and empty pages of five thousand rows each, and misses nothing', async () => {
    const conditions = [
      eq('trigger', 'event'),
      among('eventType', ...TYPES),
      { field: 'createdAt', op: 'lt', value: 9e9 } as const,
    ];
    const old = [
      eq('eventType', TYPES[1]!),
      eq('responseStatusClass', '2xx'),
      { field: 'createdAt', op: 'lt', value: 1_000_020 } as const,
    ];
    expect((await walked(conditions)).flat()).toEqual(expected(conditions, 'desc'));
    expect(await walked(old)).toEqual([expected(old, 'desc')]);
    const lost = [eq('responseStatusClass', '2xx'), eq('trigger', 'nobody')];
    expect(await walked(lost)).toEqual([[], [], []]);
  });

  it('goes along the narrowest of several members', async () => {
    const conditions = [eq('trigger', 'replay'), eq('responseStatusClass', '5xx'), RARE];
    expect(await walked(conditions)).toEqual([expected(conditions, 'desc')]);
  });

  it('by any members, of any time, in either order, is what meets them all', async () => {
    const member = <Value extends Condition>(...choices: readonly Value[]) =>
      fc.option(fc.constantFrom(...choices), { nil: null });
    const asked = fc.tuple(
      member(eq('endpointId', 'we_1'), RARE),
      member(among('status', 'succeeded'), among('status', 'pending', 'retrying', 'failed'), among('status', ...STATUSES)),
      member(eq('eventType', TYPES[0]!), among('eventType', ...TYPES)),
      member(eq('appointmentId', 'apt_7')),
      member(eq('trigger', 'replay')),
      member(eq('responseStatusClass', 'none'), eq('responseStatusClass', '5xx')),
      member(eq('lastErrorCode', 'timeout')),
      member<Condition>({ field: 'createdAt', op: 'gte', value: 1_001_000 }, { field: 'createdAt', op: 'lt', value: 1_002_000 }),
    );
    await fc.assert(
      fc.asyncProperty(asked, fc.constantFrom('asc' as const, 'desc' as const), async (chosen, order) => {
        const conditions = chosen.filter((each) => each !== null);
        expect((await walked(conditions, order)).flat()).toEqual(expected(conditions, order));
      }),
      { numRuns: 30 },
    );
  });
});
