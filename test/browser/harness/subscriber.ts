import type { App } from '../../e2e/harness/app.js';
import type { Client } from '../../e2e/harness/client.js';
import { eventually } from '../../e2e/harness/eventually.js';
import { book } from '../../e2e/harness/ledger.js';
import type { Hook } from '../../e2e/harness/receiver.js';
import { ownProject, type OwnProject } from './own-project.js';

export interface Subscriber extends OwnProject {
  /** The id of its endpoint. */
  readonly endpoint: string;
  readonly secret: string;
}

/** A project of its own with one endpoint. */
export async function subscriber(app: App, hook: Hook, more: object = {}): Promise<Subscriber> {
  const own = await ownProject(app);
  const { id, secret } = (await own.client.post('/v1/webhook_endpoints', { url: hook.url, ...more })).body;
  return { ...own, endpoint: id, secret };
}

/** Books an appointment, and returns the id of its event once it is read. */
export async function emit(client: Client, more: object = {}): Promise<string> {
  const { body } = await book(client, more);
  return eventually(async () => {
    const [event] = (await client.get(`/v1/events?object_id=${body.id}`)).body.data;
    return String(event.id);
  });
}
