import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTED_ADDRESS, openapiFiles } from '../../tools/docs/openapi-files.mjs';
import { App } from './harness/app.js';

const root = join(__dirname, '../..');

let made: Readonly<Record<string, string>>;
beforeAll(async () => {
  const app = await App.start();
  const documentAt = async (path: string) => {
    const { text } = await app.as(null).get(path);
    return JSON.parse(text.replaceAll(app.url, DOCUMENTED_ADDRESS)) as object;
  };
  made = await openapiFiles({ client: await documentAt('/openapi.json'), admin: await documentAt('/admin/openapi.json') });
  await app.dispose();
});

it.each(['docs/openapi/v1.json', 'docs/openapi/admin.json', 'apps/console/src/api/admin-api.d.ts'])(
  '%s is what npm run docs:openapi makes of the routes as they are',
  (path) => {
    // A difference of a megabyte is of no use to a reader.
    expect(made[path] === readFileSync(join(root, path), 'utf8')).toBe(true);
  },
);
