import openapiTypescript, { astToString } from 'openapi-typescript';

/** Where the documents say that the service is reached. */
export const DOCUMENTED_ADDRESS = 'http://127.0.0.1:3000';

const BEGINNING = '// Made by npm run docs:openapi from docs/openapi/admin.json.\n';

const toText = (document) => `${JSON.stringify(document, null, 1)}\n`;

/** By path: the files that are made from the documents of both interfaces, as they are served at `DOCUMENTED_ADDRESS`. */
export async function openapiFiles({ client, admin }) {
  return {
    'docs/openapi/v1.json': toText(client),
    'docs/openapi/admin.json': toText(admin),
    'apps/console/src/api/admin-api.d.ts': BEGINNING + astToString(await openapiTypescript(structuredClone(admin))),
  };
}
