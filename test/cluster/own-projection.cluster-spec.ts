import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App } from '../e2e/harness/app.js';
import type { Client } from '../e2e/harness/client.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { book, makeEvents } from '../e2e/harness/ledger.js';
import { sized, STEP_MS, TEST_MS } from '../e2e/harness/size.js';
import { OwnBuild } from './own-projection/own-build.js';

jest.setTimeout(TEST_MS);

const NAME = 'bookings-by-day';
const EVENTS = sized(100_000);
const APPOINTMENTS = Math.ceil(EVENTS / 4);
const BOOKED_LATER = 5;

let folder: string;
let installation: Installation;
let own: OwnBuild;
let projections: App;
let gateway: App;
let delivery: App;
let admin: Client;
beforeAll(async () => {
  [installation, folder] = [new Installation(), mkdtempSync(join(tmpdir(), 'own-projection-'))];
  own = OwnBuild.with('bookings-by-day.projection.ts', 'bookingsByDayProjection');
  [gateway, projections, delivery] = (await Promise.all(
    (['gateway', 'projections', 'delivery'] as const).map((part) => App.start({}, installation, part)),
  )) as [App, App, App];
  admin = await gateway.admin();
  await makeEvents(gateway.api, EVENTS, APPOINTMENTS);
});
afterAll(async () => {
  await Promise.all([gateway, projections, delivery].map((app) => app.kill()));
  await installation.dispose();
  own.remove();
  rmSync(folder, { recursive: true, force: true });
});

const standing = () => admin.get(`/admin/v1/projections/${NAME}`);

it('a projection that only a new projections app knows is built from the whole log and told by gateways that do not know it', async () => {
  expect((await standing()).status).toBe(404);

  const fresh = await App.start({}, installation, 'projections', own.bundle);
  expect(await projections.stop()).toBe(0);
  projections = fresh;

  await eventually(async () => {
    const { body } = await standing();
    expect(body).toMatchObject({ name: NAME, state: 'live', version: 1, lag_ms: 0 });
    expect(body.rows).toBeGreaterThan(0);
  }, STEP_MS);
  const { body } = await standing();
  expect(body.columns.map(({ name, type, unit, personal }: Column) => [name, type, unit, personal])).toEqual([
    ['id', 'text', null, false],
    ['project_id', 'text', null, false],
    ['created_at', 'time', null, false],
    ['service', 'text', null, false],
    ['day', 'time', null, false],
    ['bookings', 'integer', 'appointments', false],
    ['deleted', 'boolean', null, false],
    ['position', 'text', null, false],
  ]);
  const { body: all } = await admin.get('/admin/v1/projections');
  expect(all.data.map(({ name }: Column) => name)).toContain(NAME);

  for (let n = 0; n < BOOKED_LATER; n++) await book(gateway.api, { service: `service ${n}` });
  await eventually(async () => expect((await standing()).body.rows).toBe(body.rows + BOOKED_LATER));
});

/** Runs the workbench of the build that knows the projection, on the stores themselves: it rejects where that ends with another code than 0. */
async function workbench(...args: readonly string[]): Promise<string> {
  const all = [join(own.bundle, 'workbench.js'), ...args, '--direct', '--folder', join(folder, 'workbench')];
  return (await promisify(execFile)(process.execPath, all, { env: installation.variables })).stdout;
}

it('its rows are verified and taken home by a workbench of the same build', async () => {
  const verified = JSON.parse(await workbench('verify', NAME)) as object;
  expect(verified).toMatchObject({ projection: NAME, differences: 0 });

  const out = join(folder, 'bookings.ndjson');
  await workbench('snapshot', NAME, '--format', 'ndjson', '--out', out);
  const rows = readFileSync(out, 'utf8').split('\n').filter(Boolean);
  const booked = rows.map((row) => (JSON.parse(row) as { bookings: number }).bookings);
  expect(booked.reduce((sum, each) => sum + each, 0)).toBe(APPOINTMENTS + BOOKED_LATER);
});

it('`status` of a workbench that does not know it lists it', async () => {
  const { code, stdout } = await gateway.run('projections.mjs', ['status']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(NAME)]);
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly personal: boolean;
}
