import fc from 'fast-check';
import type { DomainEvent } from '@domain/kernel/decider';
import { booked, cancelled, confirmed, rescheduled } from '@testing/appointment-events';
import { opened, posted, replied } from '@testing/conversation-events';
import { claimed, frozen, result, scheduled } from '@testing/delivery-events';
import { issueOpened } from '@testing/issue-events';
import { LedgerWorld } from '@testing/ledger-world';
import type { StoredRow } from '@ports/read-models.port';
import { INSTALLATION } from '../../projects/projects.projection.js';
import { emittedId } from '../../webhooks/fan-out/emitted-events.js';
import { PROJECTIONS } from '../projections.js';
import { ProjectionRows } from './projection-rows.js';
import { ListRowChangesHandler } from './row.handlers.js';
import { ListRowChanges, type RowChange } from './row.queries.js';

interface Story {
  readonly stream: string;
  /** Without the rest, or with some of it, in any order. */
  readonly first: readonly object[];
  readonly rest: readonly object[];
}

const progress = (examined: number) => ({ examined, total: 9, matched: 1, created: 0, skipped: {}, details: {} });
const contact = { phone: null, email: 'kim@example.com', name: 'Kim', externalId: null, metadata: '{}' };

/** What may happen to the nth of each kind. Appointments of one call are told to be of the first two calls. */
const STORIES: Readonly<Record<string, (n: number) => Story>> = {
  conversations: (n) => ({
    stream: `conversation-conv_${n}`,
    first: [{ ...opened, conversationId: `conv_${n}` }],
    rest: [posted('msg_1', 2_000_000), replied('msg_1', 2_000_100), posted('msg_2', 2_000_200), replied('msg_2', 2_000_300)],
  }),
  customers: (n) => ({
    stream: `customer-cust_${n}`,
    first: [{ type: 'CustomerCreated', at: 5, customerId: `cust_${n}`, projectId: 'prj_1', ...contact }],
    rest: [
      { type: 'CustomerUpdated', at: 6, changes: { name: 'Lee' } },
      { type: 'CustomerUpdated', at: 7, changes: { email: null } },
      { type: 'CustomerDeleted', at: 8 },
    ],
  }),
  projects: (n) => ({
    stream: `project-prj_${n}`,
    first: [{ type: 'ProjectCreated', at: 1, projectId: `prj_${n}`, name: 'salon' }],
    rest: [
      { type: 'ProjectUpdated', at: 2, changes: { name: 'another salon' } },
      { type: 'ProjectUpdated', at: 3, changes: { rateLimits: { read: 5 } } },
      { type: 'ApiKeyRevoked', at: 4, keyId: 'key_1' },
    ],
  }),
  tasks: (n) => ({
    stream: `task-task_${n}`,
    first: [
      {
        type: 'TaskCreated',
        at: 1,
        taskId: `task_${n}`,
        projectId: null,
        kind: 'k',
        endpointId: null,
        dryRun: false,
        parameters: {},
      },
    ],
    rest: [
      { type: 'TaskStarted', at: 2, progress: progress(0) },
      { type: 'TaskAdvanced', at: 3, progress: progress(4), cursor: 'here' },
      { type: 'TaskCompleted', at: 4, progress: progress(9) },
      { type: 'TaskExpired', at: 5 },
    ],
  }),
  issues: (n) => ({
    stream: `issue-endpoint_failing-we_${n}`,
    first: [
      issueOpened(1, { issueId: `iss_${n}`, kind: 'endpoint_failing', subject: { object: 'webhook_endpoint', id: `we_${n}` } }),
    ],
    rest: [
      { type: 'IssueClosed', at: 2, issueId: `iss_${n}`, overSince: 1, lastSeenAt: 2, count: 3, posted: false },
      { type: 'IssueDismissed', at: 3, issueId: `iss_${n}` },
      issueOpened(4, {
        issueId: `iss_another_${n}`,
        kind: 'endpoint_failing',
        subject: { object: 'webhook_endpoint', id: `we_${n}` },
      }),
    ],
  }),
  sessions: (n) => ({
    stream: `session-sess_${n}`,
    first: [
      {
        type: 'SessionOpened',
        at: 1,
        sessionId: `sess_${n}`,
        projectId: 'prj_1',
        externalId: null,
        direction: 'inbound',
        from: null,
        to: null,
        customerId: null,
        conversationId: null,
        metadata: '{}',
      },
    ],
    rest: [
      { type: 'SessionTurnAdded', at: 2, turnId: 'turn_1', role: 'user', content: 'hello', spokenAt: 2 },
      { type: 'SessionClosed', at: 3, outcome: 'no_action', endReason: null, summary: 'short', endedAt: 3 },
    ],
  }),
  appointments: (n) => ({
    stream: `appointment-apt_${n}`,
    first: [{ ...booked, appointmentId: `apt_${n}`, sessionId: `sess_${n % 2}` }],
    rest: [confirmed, rescheduled, confirmed, cancelled],
  }),
  deliveries: (n) => ({
    stream: `deliveries-${eventOf(n)}`,
    first: [frozen, scheduled(`whd_${n}`)],
    rest: [
      { ...claimed(200), deliveryId: `whd_${n}` },
      { type: 'DeliveryRetryScheduled', at: 300, deliveryId: `whd_${n}`, result: result(1, 500), dueAt: 400, overdueAt: 500 },
      scheduled(`whd_again_${n}`),
      { type: 'DeliverySucceeded', at: 600, deliveryId: `whd_${n}`, result: result(2, 200) },
    ],
  }),
};

/** The id of the event that booking the nth appointment emits. */
function eventOf(n: number): string {
  return (
    emittedId({ stream: `appointment-apt_${n}`, revision: 0, event: { ...booked, appointmentId: `apt_${n}` } } as never) ?? ''
  );
}

const story: fc.Arbitrary<{ stream: string; batches: readonly (readonly object[])[] }> = fc
  .record({ kind: fc.constantFrom(...Object.keys(STORIES)), n: fc.nat(4), picks: fc.array(fc.nat(9), { maxLength: 8 }) })
  .map(({ kind, n, picks }) => {
    const { stream, first, rest } = STORIES[kind]!(n);
    return { stream, batches: [first, ...picks.map((pick) => [rest[pick % rest.length] ?? {}])] };
  });

/** Appends the stories in turns, so that the streams lie mixed in the log. */
async function write(
  { ports: { events } }: LedgerWorld,
  stories: readonly (typeof story extends fc.Arbitrary<infer S> ? S : never)[],
) {
  const open = [...new Map(stories.map((each) => [each.stream, { ...each, next: 0, revision: -1 }])).values()];
  while (open.some(({ next, batches }) => next < batches.length)) {
    for (const each of open) {
      const batch = each.batches[each.next++];
      if (!batch) continue;
      const news = batch.map((event, index) => ({ id: `${each.stream} ${each.next} ${index}`, event: event as DomainEvent }));
      each.revision = (await events.append(each.stream, news, each.revision < 0 ? 'none' : each.revision)).revision;
    }
  }
}

/** The row after these changes, each of which must begin where the one before ended; without members that are null. */
function after(changes: readonly RowChange[]): object {
  const row: Record<string, unknown> = {};
  for (const { changes: members } of changes) {
    for (const [name, [was, is]] of Object.entries(members)) {
      expect(row[name] ?? null).toEqual(was);
      row[name] = is;
    }
  }
  return withoutNulls(row);
}

const withoutNulls = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

describe('the members of a row', () => {
  it('are each a column of files, or left out of them for a reason, whatever happened', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(story, { minLength: 20, maxLength: 40 }), async (stories) => {
        const world = await (await LedgerWorld.create()).hosting({ projections: PROJECTIONS });
        try {
          await write(world, stories);
          await world.clock.advance(3_000);
          for (const { schema, columns } of PROJECTIONS) {
            for (const { row } of await rowsOf(world, schema.name)) {
              expect([schema.name, Object.keys(row).filter((member) => !(member in columns))]).toEqual([schema.name, []]);
              seen.add(schema.name);
            }
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: 2 },
    );
    expect([...seen].toSorted()).toEqual([...Object.keys(STORIES), 'events'].toSorted());
  });
});

describe('the history of a row', () => {
  it('begins with nothing and ends with the row, whatever happened to it and around it', async () => {
    const changedMoreThanOnce = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(story, { minLength: 20, maxLength: 40 }), async (stories) => {
        const world = await (await LedgerWorld.create()).hosting({ projections: PROJECTIONS });
        try {
          await write(world, stories);
          await world.clock.advance(3_000);
          const { events, readModels } = world.ports;
          const handler = new ListRowChangesHandler(new ProjectionRows(world.fresh, readModels), events, world.lists);
          for (const { schema, streamsOf } of PROJECTIONS) {
            for (const { id, row, position } of streamsOf ? await rowsOf(world, schema.name) : []) {
              const page = { limit: 100, order: 'asc', startingAfter: null, endingBefore: null } as const;
              const { items } = await handler.execute(new ListRowChanges(schema.name, id, page));
              expect([schema.name, after(items)]).toEqual([schema.name, withoutNulls(row)]);
              expect(items.at(-1)?.record.position).toBe(position);
              if (items.length > 1) changedMoreThanOnce.add(schema.name);
            }
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: 8 },
    );
    expect([...changedMoreThanOnce].toSorted()).toEqual([...Object.keys(STORIES), 'events'].toSorted());
  });
});

async function rowsOf({ ports }: LedgerWorld, name: string): Promise<readonly StoredRow[]> {
  const rows: StoredRow[] = [];
  for (const projectId of ['prj_1', INSTALLATION]) {
    const query = { projectId, filter: [], order: 'asc', limit: 1_000, includeDeleted: true } as const;
    rows.push(...(await ports.readModels.page(name, query)));
  }
  return rows;
}
