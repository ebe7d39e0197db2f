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
const LISTS = ['/v1/conversations', '/v1/appointments'] as const;

let engines: OwnEngines;
let installation: Installation;
let backend: Backend;
let next: NextRelease;
let hook: Hook;
const running: Record<(typeof PARTS)[number], App[]> = { projections: [], gateway: [], delivery: [] };

const start = (part: Part, bundle?: string) => App.start(LOCAL_HOOKS, installation, part, bundle);

beforeAll(async () => {
  [engines, backend] = await Promise.all([OwnEngines.start(), Backend.start()]);
  next = NextRelease.of(['conversations', 'appointments']);
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
  /** Of lists. */
  readonly statuses = new Set<number>();
  readonly refusals: string[] = [];
  private stopped = false;
  private count = 0;
  readonly calling = this.call();

  async stop(): Promise<void> {
    this.stopped = true;
    await this.calling;
  }

  private async call(): Promise<void> {
    while (!this.stopped) {
      const key = `update-${++this.count}`;
      const said = await this.answered(() => gateway().say(key, 'Hello', {}, { 'idempotency-key': key }));
      const starts_at = nextSlot();
      const booked = await this.answered(() => book(gateway(), { starts_at }, { 'idempotency-key': `${key}-book` }));
      if (said.status === 200) this.conversations.push(said.body.conversation_id as string);
      else this.refusals.push(said.text);
      if (booked.status === 201) this.appointments.push(booked.body.id as string);
      else this.refusals.push(booked.text);
      for (const path of LISTS) this.statuses.add((await this.answered(() => gateway().get(path))).status);
    }
  }

  /** Asks another gateway where one has just ended, as a load balancer does. */
  private async answered(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask().catch(() => null);
      if (answer) return answer;
      await pause(50);
    }
  }
}

/** Starts a process of the next release beside those that run, and then ends one of the old ones, until none is left. */
async function update(part: (typeof PARTS)[number]): Promise<void> {
  for (const old of Array.from(running[part])) {
    const fresh = await start(part, next.bundle);
    running[part] = [...running[part].filter((app) => app !== old), fresh];
    expect(await old.stop()).toBe(0);
  }
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

it('a rolling update that raises the version of a schema loses nothing, and costs lists that are away for a while', async () => {
  const caller = new Caller();
  await eventually(() => expect(caller.appointments.length).toBeGreaterThan(20));
  for (const part of PARTS) await update(part);
  await eventually(async () => {
    for (const path of LISTS) expect((await gateway().get(path)).status).toBe(200);
  });
  await caller.stop();

  expect(caller.refusals).toEqual([]);
  expect([...caller.statuses].every((status) => status === 200 || status === 503)).toBe(true);
  expect(await listed('/v1/conversations')).toEqual(expect.arrayContaining(caller.conversations));
  expect(await listed('/v1/appointments')).toEqual(expect.arrayContaining(caller.appointments));
  await eventually(() => {
    const delivered = new Set(hook.requests.map(({ body }) => (JSON.parse(body) as Delivered).data.object.id));
    expect(caller.appointments.filter((id) => !delivered.has(id))).toEqual([]);
  });
});

interface Delivered {
  readonly data: { readonly object: { readonly id: string } };
}
