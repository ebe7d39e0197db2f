import type { App } from '../../e2e/harness/app.js';
import type { Client } from '../../e2e/harness/client.js';

/** A project, and a client with a key of it. */
export interface OwnProject {
  readonly project: string;
  readonly client: Client;
}

export async function ownProject(app: App, name = 'of a test'): Promise<OwnProject> {
  const admin = await app.admin();
  const project = (await admin.post('/admin/v1/projects', { name })).body.id as string;
  const { secret } = (await admin.post(`/admin/v1/projects/${project}/api_keys`, { name: 'key' })).body;
  return { project, client: app.as(secret) };
}
