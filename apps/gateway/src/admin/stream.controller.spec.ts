import type { AdminSessions } from '@application/admin/admin-sessions';
import { EventStream } from '../http/server-sent-events/event-stream.js';
import type { LiveChanges } from './live-changes.js';
import { SessionStreams } from './session-streams.js';
import type { SessionWatch } from './session-watch.js';
import { StreamController } from './stream.controller.js';

let controller: StreamController;
/** Why the next stream does not begin. */
let failure: Error | null;

beforeEach(() => {
  failure = null;
  const sessions = { find: (token: string) => Promise.resolve({ id: token }) } as unknown as AdminSessions;
  const watch = { watch: () => () => undefined } as unknown as SessionWatch;
  const begin = () => (failure ? Promise.reject(failure) : Promise.resolve(new EventStream()));
  const queries = { execute: () => Promise.resolve({}) };
  controller = new StreamController(queries as never, new SessionStreams(sessions, watch), { begin } as unknown as LiveChanges);
});

const open = (session: string) =>
  controller.open({ query: { project_id: 'prj_1' }, headers: { authorization: `Bearer ${session}` } } as never, {} as never);

const full = expect.objectContaining({ code: 'service_unavailable' });

describe('the streams of a gateway', () => {
  it('are 200, four of each session', async () => {
    for (let session = 0; session < 50; session++) {
      for (let n = 0; n < 4; n++) await open(`adm_${session}`);
      await expect(open(`adm_${session}`)).rejects.toEqual(full);
    }
    await expect(open('adm_another')).rejects.toEqual(full);
  });

  it('leave their places when they close, or do not begin', async () => {
    const streams = [await open('adm_1'), await open('adm_1'), await open('adm_1')];
    failure = new Error('the store is away');
    await expect(open('adm_1')).rejects.toBe(failure);
    failure = null;
    await open('adm_1');
    await expect(open('adm_1')).rejects.toEqual(full);
    streams[0]!.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    await open('adm_1');
  });
});
