import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { App, type Run } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { ENGINE } from './harness/installation.js';
import { book, change } from './harness/ledger.js';
import { type PlantedRow, plantedRows } from './harness/planted-rows.js';
import { Processes } from './harness/processes.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CLOCK = pathToFileURL(join(__dirname, 'harness/clock-ahead.mjs')).href;

let processes: Processes;
let app: App;
let admin: Client;
let folders: string;
let folder: string;
beforeAll(async () => {
  processes = await Processes.start({});
  app = processes.gateway;
  admin = await app.admin();
  folders = mkdtempSync(join(tmpdir(), 'workbench-'));
  folder = join(folders, 'own');
});
afterAll(async () => {
  await processes.dispose();
  rmSync(folders, { recursive: true, force: true });
});

const workbench = (...words: readonly string[]) => app.run('projections.mjs', [...words, '--url', app.url, '--folder', folder]);
const resultsOf = ({ stdout }: Run) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const verify = async (name: string) => {
  const run = await workbench('verify', name);
  const [counts, ...differences] = resultsOf(run);
  return { code: run.code, counts, differences };
};

/** An appointment that was booked, confirmed and cancelled, and is in the rows as such. */
async function cancelled(): Promise<string> {
  const { id } = (await book(app.api, { notes: 'by the window' })).body;
  await change(app.api, id, 'confirm');
  await change(app.api, id, 'cancel');
  await eventually(async () => {
    const { row } = (await admin.get(`/admin/v1/projections/appointments/rows/${id}`)).body;
    expect(row.status).toBe('cancelled');
  });
  return id;
}

const explained = async (id: string) => resultsOf(await workbench('explain', 'appointments', id));

/** Plants a fault in a row for as long as the work takes. */
async function withPlanted<T>(id: string, faulty: (row: PlantedRow) => PlantedRow | null, work: () => Promise<T>): Promise<T> {
  const rows = await plantedRows(app.stores, 'appointments');
  try {
    const right = await rows.find(id);
    const planted = faulty(right);
    await (planted ? rows.put(planted) : rows.remove(id));
    try {
      return await work();
    } finally {
      if (planted && planted.id !== id) await rows.remove(planted.id);
      await rows.put(right);
    }
  } finally {
    await rows.close();
  }
}

/** How the log and the rows are read: by asking the service, and on the cluster straight from the stores. */
const WAYS: readonly (readonly [string, ...string[]])[] = [
  ['by the service'],
  ...(ENGINE === 'cluster' ? [['by their stores', '--direct'] as const] : []),
];

describe('the rows of a service', () => {
  it.each(WAYS)('are those that its log makes, as told %s', async (_, ...way) => {
    await cancelled();
    await app.api.say('thread', 'hello');
    const run = await workbench('verify', ...way);
    const names = (await admin.get('/admin/v1/projections')).body.data.map(({ name }: { name: string }) => name);
    expect([run.code, resultsOf(run)]).toEqual([
      0,
      names.map((projection: string) => ({ projection, rows: expect.any(Number), expired: 0, differences: 0 })),
    ]);
    expect(resultsOf(run).find(({ projection }) => projection === 'appointments').rows).toBeGreaterThan(0);
  });

  it('are those that its log makes while it goes on', async () => {
    let isOver = false;
    const busy = (async () => {
      while (!isOver) await change(app.api, (await book(app.api)).body.id, 'confirm');
    })();
    const found = await verify('appointments').finally(() => (isOver = true));
    await busy;
    expect(found).toMatchObject({ code: 0, counts: { differences: 0 } });
  });

  it('are wrong by a member that no event made so', async () => {
    const id = await cancelled();
    const flipped = (row: PlantedRow) => ({ ...row, row: { ...row.row, service: 'flipped' } });
    const { code, counts, differences } = await withPlanted(id, flipped, () => verify('appointments'));
    expect([code, counts.differences]).toEqual([1, 1]);
    const members = { service: { expected: 'haircut', stored: 'flipped' } };
    expect(differences).toEqual([{ projection: 'appointments', row: id, kind: 'differs', members, culprit: 'no_event' }]);
  });

  it('lack an event, which is named', async () => {
    const id = await cancelled();
    const [, confirmed, lost] = await explained(id);
    const earlier = { status: 'confirmed', ...beforeOf(lost) };
    const lacking = (row: PlantedRow) => ({ ...row, position: confirmed.id, row: { ...row.row, ...earlier } });
    const { code, differences } = await withPlanted(id, lacking, () => verify('appointments'));
    expect(code).toBe(1);
    expect(differences).toMatchObject([
      {
        row: id,
        kind: 'differs',
        members: { status: { expected: 'cancelled', stored: 'confirmed' } },
        culprit: { position: lost.id, type: 'AppointmentCancelled', at: lost.at },
      },
    ]);
  });

  it('have one too many', async () => {
    const id = await cancelled();
    const surplus = 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
    const { code, differences } = await withPlanted(
      id,
      (row) => ({ ...row, id: surplus }),
      () => verify('appointments'),
    );
    expect(code).toBe(1);
    expect(differences).toMatchObject([{ row: surplus, kind: 'surplus', culprit: 'no_event' }]);
    expect(differences[0].members.status).toEqual({ expected: null, stored: 'cancelled' });
  });

  it('lack one, whose first event is named', async () => {
    const id = await cancelled();
    const [booked] = await explained(id);
    const { code, differences } = await withPlanted(
      id,
      () => null,
      () => verify('appointments'),
    );
    expect(code).toBe(1);
    const culprit = { position: booked.id, type: 'AppointmentBooked', at: booked.at };
    expect(differences).toMatchObject([{ row: id, kind: 'missing', culprit }]);
    expect(differences[0].members.status).toEqual({ expected: 'cancelled', stored: null });
  });

  it('are of another fold', async () => {
    const id = await cancelled();
    const other = (row: PlantedRow) => ({ ...row, row: { state: 'CANCELLED' } });
    const { code, differences } = await withPlanted(id, other, () => verify('appointments'));
    expect(code).toBe(1);
    expect(differences).toMatchObject([{ row: id, kind: 'differs', culprit: 'no_event' }]);
    expect(differences[0].members.state).toEqual({ expected: null, stored: 'CANCELLED' });
  });
});

/** What the members that a step changed were before it; those that were not there stay away. */
function beforeOf({ changes }: { changes: Record<string, readonly [unknown, unknown]> }): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).map(([name, [was]]) => [name, was]));
}

/** EventStoreDB tells events of a dropped stream until it is scavenged. */
const MAY_KEEP = ENGINE === 'cluster';

describe('rows whose time is over', () => {
  it('are not compared, whether or not the folder has them', async () => {
    const service = await App.start({ NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_AHEAD_MS: '0' });
    const [former, fresh] = [join(folders, 'former'), join(folders, 'fresh')];
    const run = (...words: readonly string[]) => service.run('projections.mjs', [...words, '--url', service.url]);
    try {
      const { id } = (await book(service.api)).body;
      const event = (
        await eventually(async () => {
          const { body } = await service.api.get(`/v1/events?object_id=${id}`);
          expect(body.data).toHaveLength(1);
          return body;
        })
      ).data[0].id;
      expect((await run('fold', 'events', '--folder', former)).code).toBe(0);
      let ahead = 31 * DAY;
      await eventually(async () => {
        await service.restart({ CLOCK_AHEAD_MS: String((ahead += 17 * HOUR)) });
        expect((await service.api.get(`/v1/events/${event}`)).status).toBe(404);
        if (!MAY_KEEP) expect(resultsOf(await run('log', '--category', 'deliveries'))).toEqual([]);
      });
      for (const place of [former, fresh]) {
        const checked = await run('verify', 'events', '--folder', place);
        const [events] = resultsOf(checked);
        const expired = MAY_KEEP ? expect.any(Number) : 1;
        expect([checked.code, events]).toEqual([0, { projection: 'events', rows: 1, expired, differences: 0 }]);
      }
    } finally {
      await service.dispose();
    }
  });
});

describe('the folder of a workbench', () => {
  it('is one file, which any SQLite client reads', async () => {
    const id = await cancelled();
    const run = await workbench('fold', 'appointments');
    expect([run.code, resultsOf(run)]).toEqual([
      0,
      [expect.objectContaining({ projection: 'appointments', table: 'appointments_rows', skipped: 0 })],
    ]);
    const files = readdirSync(folder).filter((name) => !name.startsWith('.') && statSync(join(folder, name)).size > 0);
    expect(files.filter((name) => name !== 'store.sqlite-shm')).toEqual(['store.sqlite']);
    const db = new DatabaseSync(join(folder, 'store.sqlite'), { readOnly: true });
    expect(db.prepare('SELECT status, notes FROM appointments_rows WHERE id = ?').get(id)).toEqual({
      status: 'cancelled',
      notes: 'by the window',
    });
    db.close();
  });

  it('has rows as of an earlier position beside the others', async () => {
    const id = await cancelled();
    await workbench('fold', 'appointments');
    const [, confirmed] = await explained(id);
    for (const instant of [confirmed.id, confirmed.at]) {
      const [{ table }] = resultsOf(await workbench('fold', 'appointments', '--as-of', instant));
      const db = new DatabaseSync(join(folder, 'store.sqlite'), { readOnly: true });
      const statusIn = (name: string) => db.prepare(`SELECT status FROM ${name} WHERE id = ?`).get(id);
      expect([statusIn(table), statusIn('appointments_rows')]).toEqual([{ status: 'confirmed' }, { status: 'cancelled' }]);
      db.close();
    }
  });

  it('is of one log', async () => {
    const other = await Processes.start({});
    try {
      const run = await other.gateway.run('projections.mjs', ['fold', '--url', other.gateway.url, '--folder', folder]);
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('another log')]);
    } finally {
      await other.dispose();
    }
  });
});

describe('the log of a workbench', () => {
  it('is without personal data unless it is asked for', async () => {
    const phone = '+4915112345678';
    await app.api.post('/v1/customers', { name: 'Kim Lee', phone });
    const told = await workbench('log', '--category', 'customer', '--category', 'phone');
    expect([told.code, told.stdout.includes(phone), told.stdout.includes('Kim Lee')]).toEqual([0, false, false]);
    expect(resultsOf(told).map(({ type }) => type)).toEqual(expect.arrayContaining(['Claimed', 'CustomerCreated']));
    const [created] = resultsOf(await workbench('log', '--category', 'customer', '--type', 'CustomerCreated', '--personal-data'));
    expect(created).toMatchObject({ category: 'customer', data: { name: 'Kim Lee', phone } });
  });
});

describe('the words of a command', () => {
  it.each([
    [[]],
    [['songs']],
    [['fold', 'songs']],
    [['fold', '--bogus']],
    [['fold', '--as-of', 'yesterday']],
    [['fold', '--as-of', '2999-01-01']],
    [['fold', '--as-of', '9'.repeat(20)]],
    [['fold', 'deliveries', '--as-of', '2020-01-01']],
    [['explain', 'appointments', 'apt_nothing']],
    [['status', 'events']],
    [['retry']],
  ])('%j end it with 2', async (words) => {
    const { code, stdout, stderr } = await workbench(...words);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/./)]);
  });

  it.each(['status', 'rebuild', 'tasks', 'skipped', 'retry', 'fold', 'verify', 'explain', 'log'])(
    'of %s are told',
    async (name) => {
      const { code, stdout } = await workbench(name, '--help');
      expect([code, stdout]).toEqual([0, expect.stringContaining(`-- ${name}`)]);
    },
  );

  it('that lead to no service, and a wrong password, end it with 1', async () => {
    const away = await app.run('projections.mjs', ['status', '--url', 'http://127.0.0.1:1']);
    expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('does not answer')]);
    const wrong = await app.run('projections.mjs', ['status', '--url', app.url], { ADMIN_PASSWORD: 'not the password' });
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
  });
});
