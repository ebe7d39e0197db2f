import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ProjectedRow } from '../read-models/projection.js';
import { MAX_BOOKED_SHOWN, sessionsProjection, type SessionRow } from './sessions.projection.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const from = (stream: string, event: object) =>
  ({ stream, event }) as unknown as Parameters<typeof sessionsProjection.project>[1];
const opened = from('session-sess_1', {
  type: 'SessionOpened',
  at: 1,
  sessionId: 'sess_1',
  projectId: 'prj_1',
  direction: 'inbound',
  metadata: '{}',
});
const booked = (n: number) =>
  from(`appointment-apt_${n}`, {
    type: 'AppointmentBooked',
    at: n,
    appointmentId: `apt_${n}`,
    projectId: 'prj_1',
    sessionId: 'sess_1',
  });

describe('the row of a call on which much is booked', () => {
  it('has every booking, and keeps none of its earlier versions in memory', async () => {
    const earlier: WeakRef<object>[] = [];
    let row: ProjectedRow<SessionRow> | null = sessionsProjection.project(null, opened, 'sess_1');
    for (let n = 2; n < 6; n++) {
      if (row) earlier.push(new WeakRef(row.row));
      row = sessionsProjection.project(row, booked(n), 'sess_1');
    }
    expect(row?.row.appointmentIds).toEqual(['apt_2', 'apt_3', 'apt_4', 'apt_5']);
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(earlier.map((version) => version.deref())).toEqual(Array(4).fill(undefined));
    expect(row?.text?.()).toContain('apt_5');
  });

  it('has the first thousand, and goes on to tell when the last was made', () => {
    let row: ProjectedRow<SessionRow> | null = sessionsProjection.project(null, opened, 'sess_1');
    for (let n = 1; n <= MAX_BOOKED_SHOWN + 5; n++) row = sessionsProjection.project(row, booked(n), 'sess_1');
    const { appointmentIds = [], lastBookedAt } = row?.row ?? {};
    expect([appointmentIds.length, appointmentIds.at(-1), lastBookedAt]).toEqual([1_000, 'apt_1000', 1_005]);
  });
});
