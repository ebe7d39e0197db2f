import type { Recorded } from '@ports/event-store.port';
import { audited } from '@testing/audit-events';
import { booked } from '@testing/appointment-events';
import { opened } from '@testing/conversation-events';
import { frozen, scheduled } from '@testing/delivery-events';
import { issueOpened } from '@testing/issue-events';
import type { ProjectedRow, Projection } from '../read-models/projection.js';
import { PROJECTIONS } from './projections.js';

const customer = { customerId: 'cust_1', phone: null, email: 'a@b.example', name: null, externalId: null, metadata: '{}' };
const session = { sessionId: 'sess_1', externalId: null, direction: 'inbound', from: null, to: null, customerId: null };
const task = { taskId: 'task_1', kind: 'deliveries.retry', endpointId: null, dryRun: false, parameters: {} };
const skipped = { skippedEventId: 'skip_1', position: '1', stream: 'note-1', revision: 0, rows: [], error: 'Error', frames: [] };

/** By projection: a stream and its events. */
const PASTS: Readonly<Record<string, readonly [stream: string, ...events: readonly object[]]>> = {
  conversations: ['conversation-conv_1', opened],
  customers: ['customer-cust_1', { type: 'CustomerCreated', at: 1, projectId: 'prj_1', ...customer }],
  projects: ['project-prj_1', { type: 'ProjectCreated', at: 1, projectId: 'prj_1', name: 'Salon' }],
  sessions: [
    'session-sess_1',
    { type: 'SessionOpened', at: 1, projectId: 'prj_1', conversationId: null, metadata: '{}', ...session },
  ],
  appointments: ['appointment-apt_1', booked],
  tasks: ['task-task_1', { type: 'TaskCreated', at: 1, projectId: 'prj_1', ...task }],
  events: ['appointment-apt_1', booked],
  deliveries: ['deliveries-evt_1', frozen, scheduled()],
  issues: ['issue-endpoint_failing-we_1', issueOpened(1)],
  skipped_events: ['skipped-fan-out', { type: 'EventSkipped', at: 1, attempt: 1, eventType: 'NoteWritten', ...skipped }],
  'audit-entries': ['audit-2026-03-01', audited('aud_1', 1)],
};

const UNKNOWN = { type: 'SomethingOfALaterVersion', at: 2_000_000, deliveryId: 'whd_1', issueId: 'iss_1' };

type Row = ProjectedRow<object> | null;

/** The row after these events, without its text. */
function rowAfter({ project, rowIds }: Projection, stream: string, events: readonly object[]): Row {
  const row = events.reduce<Row>((before, event, revision) => {
    const record = { id: 'id', stream, revision, position: String(revision), event } as Recorded<never>;
    const [id] = rowIds(record);
    return id === undefined ? before : (project(before as never, record, id) ?? before);
  }, null);
  return row && { ...row, text: row.text?.() as never };
}

describe('an event of a type that this program does not know', () => {
  it.each(PROJECTIONS.map((projection) => [projection.schema.name, projection] as const))(
    'leaves the row among %s as it is',
    (name, projection) => {
      const [stream, ...past] = PASTS[name] ?? [''];
      const known = rowAfter(projection, stream, past);
      expect(known).not.toBeNull();
      expect(rowAfter(projection, stream, [...past, UNKNOWN])).toEqual(known);
    },
  );

  it('of an event that is being delivered leaves its row as it is', () => {
    const events = PROJECTIONS.find(({ schema }) => schema.name === 'events')!;
    const record = { id: 'id', stream: 'deliveries-evt_1', revision: 7, position: '7', event: UNKNOWN } as never;
    expect(events.project({ projectId: 'prj_1', createdAt: 1, deleted: false, row: {} } as never, record, 'evt_1')).toBeNull();
  });
});
