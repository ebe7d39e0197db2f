import { DuckDBInstance } from '@duckdb/node-api';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Run } from './harness/app.js';
import { book, change, COMMANDS } from './harness/ledger.js';
import { Processes } from './harness/processes.js';
import { sized, TEST_MS } from './harness/size.js';

jest.setTimeout(TEST_MS);

const INSTANTS = sized(200);
const CHANGES = 120;
const DAY_MS = 86_400_000;
const KIM = { phone: '+4915112345678', email: 'kim@example.com', name: 'Kim', external_id: 'kim-1', metadata: { vip: true } };
/** What the files have of an appointment, all as its answers show it. */
const SHOWN = [
  'id',
  'status',
  'version',
  'customer_id',
  'session_id',
  'conversation_id',
  'external_id',
  'service',
  'resource_id',
  'starts_at',
  'ends_at',
  'time_zone',
  'location',
  'notes',
  'reschedule',
  'cancellation',
  'failure',
  'source',
  'metadata',
  'created_at',
  'confirmed_at',
  'updated_at',
] as const;
type Shown = Readonly<Record<(typeof SHOWN)[number], unknown>>;

let processes: Processes;
let app: App;
let folder: string;
/** Every answer that the client got about an appointment, in their order. */
const answers: (Shown & { readonly id: string; readonly updated_at: string })[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
  processes = await Processes.start({});
  app = processes.gateway;
  await app.api.post('/v1/customers', KIM);
  await changeAppointments();
});
afterAll(async () => {
  await processes.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Books and changes appointments one after another, each change one that is accepted or refused by chance. */
async function changeAppointments(): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < CHANGES; n++) {
    const id = ids[(n * 7) % Math.max(ids.length, 1)];
    const commands = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[];
    const command = commands[(n * 5) % commands.length]!;
    const { status, body } =
      n % 3 === 0 || id === undefined
        ? await book(app.api, { notes: n % 2 ? `note ${n}, "quoted"` : null, metadata: { n }, customer: { phone: KIM.phone } })
        : await change(app.api, id, command, COMMANDS[command]?.());
    if (status >= 300) continue;
    if (status === 201) ids.push(body.id);
    answers.push(body);
  }
}

const file = (name: string) => join(folder, name);

function snapshot(...args: readonly string[]): Promise<Run> {
  return app.run('projections.mjs', ['snapshot', ...args, '--folder', file('workbench')]);
}

async function taken(name: string, format: string, ...args: readonly string[]): Promise<string> {
  const path = file(`${name}.${format}`);
  const { code, stderr } = await snapshot(name, '--format', format, '--out', path, ...args);
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
  return path;
}

const linesIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const shown = (row: Readonly<Record<string, unknown>>) => Object.fromEntries(SHOWN.map((name) => [name, row[name]]));
const byId = (one: { id?: unknown }, other: { id?: unknown }) => (String(one.id) < String(other.id) ? -1 : 1);

describe('a snapshot', () => {
  it('equals what a client had noted for itself, at any instant', async () => {
    const [first, last] = [Date.parse(answers[0]!.updated_at), Date.parse(answers.at(-1)!.updated_at)];
    for (let n = 0; n < INSTANTS; n++) {
      const instant = new Date(first + Math.round(((last - first) * n) / (INSTANTS - 1))).toISOString();
      const noted = new Map(answers.filter(({ updated_at }) => updated_at <= instant).map((each) => [each.id, shown(each)]));
      const rows = linesIn(await taken('appointments', 'ndjson', '--as-of', instant, '--personal-data'));
      expect([instant, rows.map(shown)]).toEqual([instant, [...noted.values()].toSorted(byId)]);
    }
  });

  it('is as of a position, too', async () => {
    const rows = linesIn(await taken('appointments', 'ndjson'));
    const middle = rows.map(({ position }) => position as string).toSorted()[Math.floor(rows.length / 2)]!;
    const then = linesIn(await taken('appointments', 'ndjson', '--as-of', middle));
    expect(then.length).toBeGreaterThan(0);
    for (const { position } of then) expect((position as string) <= middle).toBe(true);
    expect(then).toEqual(expect.arrayContaining(rows.filter(({ position }) => position === middle).map(unmasked)));
  });

  it('is read by DuckDB, in each format alike', async () => {
    const database = await DuckDBInstance.create(':memory:');
    const connection = await database.connect();
    try {
      for (const format of ['parquet', 'ndjson', 'csv']) {
        const path = await taken('appointments', format);
        const sql = `select count(*)::int as rows, count(distinct service)::int as services, max(version)::int as version from '${path}'`;
        const [found] = (await connection.runAndReadAll(sql)).getRowObjectsJS();
        const known = new Map(answers.map((each) => [each.id, each]));
        expect([format, found]).toEqual([
          format,
          { rows: known.size, services: 1, version: Math.max(...[...known.values()].map(({ version }) => version as number)) },
        ]);
      }
    } finally {
      connection.closeSync();
      database.closeSync();
    }
  });

  it('shows personal data only where that is asked for', async () => {
    const text = readFileSync(await taken('customers', 'csv'), 'utf8');
    for (const personal of [KIM.phone, KIM.email, KIM.name, KIM.external_id, 'vip']) expect(text).not.toContain(personal);
    expect(text).toMatch(/,masked_[0-9a-f]{32},/);
    const [row] = linesIn(await taken('customers', 'ndjson', '--personal-data'));
    expect(row).toMatchObject(KIM);
  });

  it('has the rows of one project', async () => {
    const other = await app.otherProject();
    const { body } = await book(other);
    const { project_id: project } = linesIn(await taken('appointments', 'ndjson')).find(({ id }) => id === body.id)!;
    expect(linesIn(await taken('appointments', 'ndjson', '--project', String(project))).map(({ id }) => id)).toEqual([body.id]);
    expect(linesIn(await taken('projects', 'ndjson', '--project', String(project))).map(({ id }) => id)).toEqual([project]);
  });
});

describe('a snapshot that cannot be taken', () => {
  const before = new Date(Date.now() - 32 * DAY_MS).toISOString();
  const file = ['--out', '/tmp/never.csv'] as const;

  it.each([
    ['of no read model', ['songs', '--format', 'csv', ...file]],
    ['of none that is named', ['--format', 'csv', ...file]],
    ['in no format', ['customers', ...file]],
    ['in an unknown format', ['customers', '--format', 'xlsx', ...file]],
    ['to no file', ['customers', '--format', 'csv']],
    ['to a folder that is not there', ['customers', '--format', 'csv', '--out', '/nowhere/customers.csv']],
    ['to a folder', ['customers', '--format', 'csv', '--out', '/tmp']],
    ['as of no time', ['customers', '--format', 'csv', ...file, '--as-of', 'yesterday']],
    ['as of a time to come', ['customers', '--format', 'csv', ...file, '--as-of', '2999-01-01T00:00:00Z']],
    ['of a project without its id', ['customers', '--format', 'csv', ...file, '--project', 'default']],
    ['of an unknown project', ['customers', '--format', 'csv', ...file, '--project', 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0']],
    ['of deliveries that have been dropped', ['deliveries', '--format', 'csv', ...file, '--as-of', before]],
    ['of events whose deliveries have been dropped', ['events', '--format', 'csv', ...file, '--as-of', before]],
  ])('%s ends with 2 and a reason, and leaves no file', async (_, args) => {
    const { code, stdout, stderr } = await snapshot(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/\w/);
    expect(readdirSync('/tmp')).not.toContain('never.csv');
  });

  it('for a wrong password ends with 1', async () => {
    const path = file[1];
    const args = ['snapshot', 'customers', '--format', 'csv', '--out', path, '--folder', join(folder, 'other')];
    expect((await app.run('projections.mjs', args, { ADMIN_PASSWORD: 'wrong' })).code).toBe(1);
  });
});

/** Masks differ from file to file. */
function unmasked({ notes: _notes, metadata: _metadata, ...row }: Readonly<Record<string, unknown>>): unknown {
  return expect.objectContaining(row);
}
