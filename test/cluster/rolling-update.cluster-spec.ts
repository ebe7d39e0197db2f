import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { App, type Part } from '../e2e/harness/app.js';
import type { Answer, Client } from '../e2e/harness/client.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { book, nextSlot } from '../e2e/harness/ledger.js';
import { Backend, LOCAL_HOOKS, type Hook } from '../e2e/harness/receiver.js';
import { NextRelease } from './next-release.js';
import { OwnEngines } from './own-engines.js';

const PARTS = ['projections', 'gateway', 'delivery'] as const;
const LISTS = ['/v1/conversations', '/v1/appointments', '/v1/deliveries'] as const;
const READ_EVERY_MS = 10;

let engines: OwnEngines;
let installation: Installation;
let backend: Backend;
let next: NextRelease;
let hook: Hook;
const running: Record<(typeof PARTS)[number], App[]> = { delivery: [], projections: [], gateway: [] };

const start = (part: Part, bundle?: string) => App.start(LOCAL_HOOKS, installation, part, bundle);

beforeAll(async () => {
  [engines, backend] = await Promise.all([OwnEngines.start(), Backend.start()]);
  next = NextRelease.of(['conversations', 'appointments', 'deliveries']);
  installation = new Installation(engines.servers);
  await Promise.all(PARTS.map(async (part) => (running[part] = await Promise.all([start(part), start(part)]))));
  hook = backend.hook(200);
  const { status, text } = await gateway().post('/v1/webhook_endpoints', { url: hook.url });
  if (status !== 201) throw new Error(`the endpoint was refused: ${text}`);
});

afterAll(async () => {
  await Promise.all(PARTS.flatMap((part) => running[part]).map((app) => app.kill()));
  await installation.dispose();
  await Promise.all([engines.dispose(), backend.close()]);
  next.remove();
});

const gateway = (): Client => running.gateway[0]!.api;

/** A client that goes on through the update, and what it was told. */
class Caller {
  readonly conversations: string[] = [];
  readonly appointments: string[] = [];
  /** Answers of lists that were none. */
  readonly failures: string[] = [];
  readonly refusals: string[] = [];
  /** Appointments that a list after their booking did not have first. */
  readonly unseen: string[] = [];
  private readonly id = randomUUID();
  private stopped = false;
  private count = 0;
  private readonly calling = Promise.all([this.call(), ...LISTS.map((path) => this.read(path))]);

  async stop(): Promise<void> {
    this.stopped = true;
    await this.calling;
  }

  private async call(): Promise<void> {
    while (!this.stopped) {
      const key = `${this.id}-${++this.count}`;
      const said = await this.answered((to) => to.say(key, 'Hello', {}, { 'idempotency-key': key }));
      const starts_at = nextSlot();
      const booked = await this.answered((to) => book(to, { starts_at }, { 'idempotency-key': `${key}-book` }));
      if (said.status === 200) this.conversations.push(said.body.conversation_id as string);
      else this.refusals.push(said.text);
      if (booked.status === 201) this.appointments.push(booked.body.id as string);
      else this.refusals.push(booked.text);
      const { body } = await this.answered((to) => to.get('/v1/appointments?limit=1'));
      if (body.data?.[0]?.id !== booked.body.id) this.unseen.push(booked.text);
    }
  }

  private async read(path: string): Promise<void> {
    while (!this.stopped) {
      const { status, text } = await this.answered((to) => to.get(path));
      if (status !== 200) this.failures.push(`${path}: ${text}`);
      await pause(READ_EVERY_MS);
    }
  }

  /** Asks another gateway where one has just ended, as a load balancer does. */
  private async answered(ask: (to: Client) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask(gateway()).catch(() => null);
      if (answer) return answer;
      await pause(50);
    }
  }
}

const isReady = (app: App) => eventually(async () => expect(await readiness(app)).toMatchObject({ status: 'ready' }));

async function readiness(app: App) {
  return (await app.as(null).get('/ready')).body as { readonly status: string; readonly failing?: readonly string[] };
}

/** Starts a process beside those of a part, and then ends one of the others, until none of them is left. */
async function update(part: (typeof PARTS)[number], bundle?: string): Promise<void> {
  for (const old of Array.from(running[part])) {
    const fresh = await start(part, bundle);
    if (part === 'gateway') await isReady(fresh);
    running[part] = [...running[part].filter((app) => app !== old), fresh];
    expect(await old.stop()).toBe(0);
  }
}

/** In the order of `docs/operations.md`: the rows of the other release first, and its host last. */
async function updateAll(bundle?: string): Promise<void> {
  const hosts = running.projections;
  const beside = await start('projections', bundle);
  await update('gateway', bundle);
  await update('delivery', bundle);
  running.projections = [beside];
  for (const old of hosts) expect(await old.stop()).toBe(0);
}

/** The versions that `status` shows of the conversations. */
async function versions(): Promise<readonly number[]> {
  const { body } = await (await running.gateway[0]!.admin()).get('/admin/v1/projections');
  const all = body.data as readonly { readonly name: string; readonly version: number }[];
  return all.filter(({ name }) => name === 'conversations').map(({ version }) => version);
}

async function listed(path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; cursor !== 'null';) {
    const { status, body } = await gateway().get(`${path}?limit=100${cursor && `&starting_after=${cursor}`}`);
    expect(status).toBe(200);
    ids.push(...(body.data as { id: string }[]).map(({ id }) => id));
    cursor = String(body.next_cursor);
  }
  return ids;
}

const lists = async (caller: Caller) => {
  expect(caller.refusals).toEqual([]);
  expect(caller.failures).toEqual([]);
  expect(caller.unseen).toEqual([]);
  expect(await listed('/v1/conversations')).toEqual(expect.arrayContaining(caller.conversations));
  expect(await listed('/v1/appointments')).toEqual(expect.arrayContaining(caller.appointments));
};

describe('a rolling update that raises the versions of rows', () => {
  let caller: Caller;
  beforeEach(async () => {
    caller = new Caller();
    while (caller.appointments.length <= 20) await pause(READ_EVERY_MS);
  });
  afterEach(() => caller.stop());

  it('has a gateway of the next release say which rows it waits for, while no process makes them', async () => {
    const early = await start('gateway', next.bundle);
    expect(await readiness(early)).toMatchObject({
      status: 'not_ready',
      failing: ['rows_of_conversations', 'rows_of_appointments', 'rows_of_deliveries'],
    });
    expect(await early.stop()).toBe(0);
  });

  it('costs no list, no request and no event, also where the next release is killed while it makes its rows', async () => {
    const killed = await start('projections', next.bundle);
    await eventually(async () => expect(await versions()).toHaveLength(2));
    await killed.kill();
    await updateAll(next.bundle);
    await caller.stop();
    await lists(caller);
    await eventually(() => {
      const delivered = new Set(hook.requests.map(({ body }) => (JSON.parse(body) as Delivered).data.object.id));
      expect(caller.appointments.filter((id) => !delivered.has(id))).toEqual([]);
    });
  });

  it('costs nothing on the way back either, and shows both versions meanwhile', async () => {
    const now = Math.max(...(await versions()));
    const back = await start('projections');
    await eventually(async () => expect([...(await versions())].sort()).toEqual([now - 1, now]));
    await update('gateway');
    await update('delivery');
    const hosts = running.projections;
    running.projections = [back];
    for (const old of hosts) expect(await old.stop()).toBe(0);
    await caller.stop();
    await lists(caller);
    await eventually(async () => expect(await versions()).toEqual([now - 1]));
  });
});

interface Delivered {
  readonly data: { readonly object: { readonly id: string } };
}
