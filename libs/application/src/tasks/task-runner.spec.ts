import { Logger } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import type { Task } from '@domain/task/task';
import { MAX_OPEN_TASKS } from '@domain/task/task-slots.decider';
import { StoreUnavailable } from '@ports/event-store.port';
import { CopyingTask } from '@testing/copying-task';
import { ENVELOPE } from '@testing/envelopes';
import { settle } from '@testing/fake-clock';
import { NO_OLDER_RELEASE } from '@testing/hosting';
import { NotesWorld } from '@testing/notes-world';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { ExpiredTasksReactor } from './expired-tasks.reactor.js';
import { TaskDirectory } from './task-directory.js';
import { TaskRetentionSweeper } from './task-retention.sweeper.js';
import { tasksProjection, type TaskRow } from './tasks.projection.js';
import { FreshRows } from '../read-models/fresh-rows.js';
import { FlushRequests } from '../read-models/flush-requests.js';

Logger.overrideLogger(false);

const PROJECT = 'prj_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const DAY = 86_400_000;
const ENDPOINT = 'we_01J9Z3K8Q4T6V8X0A2C4E6G8J0';

let world: NotesWorld;
let kind: CopyingTask;
let tasks: TaskDirectory;

const hosted = () => ({ projections: [tasksProjection], taskKinds: [kind] });

beforeEach(async () => {
  kind = new CopyingTask();
  world = await NotesWorld.hosting(hosted());
  tasks = directoryOf(world);
});
afterEach(() => world.close());

function directoryOf({ ports, clock, ids }: NotesWorld): TaskDirectory {
  return new TaskDirectory(new StreamRunner(ports.events, new StreamCache(ports.events), clock, ids), NO_OLDER_RELEASE, clock);
}

async function wait(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await world.clock.advance(50);
    await settle();
  }
}

interface Asked {
  readonly count: number;
  readonly pace?: number;
  readonly endpointId?: string;
  readonly dryRun?: boolean;
  readonly projectId?: string | null;
}

async function ask({ count, pace, endpointId = null as never, dryRun = false, projectId = PROJECT }: Asked): Promise<string> {
  const taskId = world.ids.next('task');
  const parameters = { count, ...(pace !== undefined && { per_second: pace }) };
  const details = { taskId, projectId, kind: 'notes.copy', endpointId: endpointId ?? null, dryRun, parameters };
  await tasks.create(details, { commandId: taskId, envelope: ENVELOPE });
  world.clock.set(world.clock.now() + 1);
  return taskId;
}

const load = (taskId: string): Promise<Task> => tasks.load(PROJECT, taskId);
const statusOf = async (taskId: string) => (await load(taskId)).status;
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

describe('a task', () => {
  it('waits for its turn, is done by itself, and tells what came of it', async () => {
    const taskId = await ask({ count: 7 });
    expect(await load(taskId)).toMatchObject({ status: 'pending', progress: null });
    await wait(1_500);
    const progress = { examined: 7, total: 7, matched: 7, created: 7, skipped: { known: 0 }, details: {} };
    expect(await load(taskId)).toMatchObject({ status: 'completed', progress, error: null });
    expect(kind.copied).toEqual(upTo(7));
  });

  it('keeps to its pace and stores its progress as it goes', async () => {
    const taskId = await ask({ count: 30, pace: 3 });
    await wait(5_500);
    const { status, progress, cursor } = await load(taskId);
    expect(status).toBe('running');
    expect(progress?.created).toBeGreaterThanOrEqual(9);
    expect(progress?.created).toBeLessThanOrEqual(18);
    expect(cursor).toBe(String(progress?.created));
    await wait(8_000);
    expect(await statusOf(taskId)).toBe('completed');
  });

  it('goes on from its stored progress after the end of its process, and does each effect once', async () => {
    const taskId = await ask({ count: 12, pace: 3 });
    await wait(2_700);
    await world.stop();
    const done = kind.copied.length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(12);
    world = await world.reopened(hosted());
    tasks = directoryOf(world);
    await world.host.onApplicationBootstrap();
    await wait(6_000);
    expect(await load(taskId)).toMatchObject({ status: 'completed', progress: { examined: 12, created: 12 } });
    expect(kind.copied).toEqual(upTo(12));
  });

  it('that is cancelled stops within a second, and stays cancelled', async () => {
    const taskId = await ask({ count: 300, pace: 3 });
    await wait(3_000);
    const cancelled = await tasks.cancel(PROJECT, taskId, ENVELOPE);
    expect(cancelled.status).toBe('cancelled');
    await wait(1_200);
    const done = kind.copied.length;
    await wait(5_000);
    expect(kind.copied).toHaveLength(done);
    expect(await tasks.cancel(PROJECT, taskId, ENVELOPE)).toEqual(cancelled);
  });

  it('that is cancelled before its turn is never begun', async () => {
    const taskId = await ask({ count: 3 });
    await tasks.cancel(PROJECT, taskId, ENVELOPE);
    await wait(2_000);
    expect(kind.copied).toEqual([]);
    expect(await load(taskId)).toMatchObject({ status: 'cancelled', startedAt: null });
  });

  it('fails with the refusal that ends its work', async () => {
    kind.before = () => Promise.reject(new DomainError('resource_missing', 'No such note.'));
    const taskId = await ask({ count: 3 });
    await wait(1_500);
    expect(await load(taskId)).toMatchObject({ status: 'failed', error: { code: 'resource_missing', message: 'No such note.' } });
  });

  it('goes on after an outage of the store, however long', async () => {
    let isAway = true;
    kind.before = (_, next) => {
      if (isAway && next === 3) throw new StoreUnavailable('the disk is full');
    };
    const taskId = await ask({ count: 6 });
    await wait(120_000);
    expect(await statusOf(taskId)).toBe('running');
    isAway = false;
    await wait(6_000);
    expect(await load(taskId)).toMatchObject({ status: 'completed', progress: { created: 6 } });
  });

  it('fails where the program errs again and again', async () => {
    kind.before = () => {
      throw new TypeError('undefined is no note');
    };
    const taskId = await ask({ count: 3 });
    await wait(60_000);
    expect(await load(taskId)).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
  });

  it('of a kind that this program does not know is left to another', async () => {
    const taskId = world.ids.next('task');
    const details = { taskId, projectId: PROJECT, kind: 'later', endpointId: null, dryRun: false, parameters: {} };
    await tasks.create(details, { commandId: taskId, envelope: ENVELOPE });
    await wait(2_000);
    expect(await statusOf(taskId)).toBe('pending');
  });

  it('is gone for other projects, and thirty days after it was over', async () => {
    const taskId = await ask({ count: 3 });
    await wait(1_500);
    await expect(tasks.load('prj_01J9Z3K8Q4T6V8X0A2C4E6G8J1', taskId)).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(tasks.load(null, taskId)).rejects.toMatchObject({ code: 'resource_missing' });
    const { events, readModels } = world.ports;
    world.clock.set(world.clock.now() + 30 * DAY);
    await new TaskRetentionSweeper(readModels, tasks, world.clock).sweep(0, new AbortController().signal, ENVELOPE);
    await expect(load(taskId)).rejects.toMatchObject({ code: 'resource_missing' });
    await wait(1_500);
    const query = { projectId: PROJECT, filter: [], order: 'asc', limit: 10 } as const;
    expect(await readModels.page('tasks', query)).toEqual([]);
    const expired = await events.read(`task-${taskId}`, { direction: 'backwards', limit: 1 });
    const fresh = new FreshRows(events, readModels, new FlushRequests());
    await new ExpiredTasksReactor(events, fresh).handle(expired, new AbortController().signal);
    expect(await events.read(`task-${taskId}`)).toEqual([]);
  });
});

describe('of several tasks', () => {
  it('of one endpoint one runs after the other, those of others beside them', async () => {
    const first = await ask({ count: 6, pace: 3, endpointId: ENDPOINT });
    const second = await ask({ count: 6, endpointId: ENDPOINT });
    const other = await ask({ count: 6, endpointId: `${ENDPOINT.slice(0, -1)}1` });
    await wait(1_200);
    expect(await Promise.all([first, second, other].map(statusOf))).toEqual(['running', 'pending', 'completed']);
    await wait(3_000);
    expect(await Promise.all([first, second].map(statusOf))).toEqual(['completed', 'completed']);
  });

  it('one over the whole project runs alone, and a dry run beside it', async () => {
    const whole = await ask({ count: 9, pace: 3 });
    const behind = await ask({ count: 3, endpointId: ENDPOINT });
    const dry = await ask({ count: 9, pace: 1, dryRun: true });
    await wait(1_200);
    expect(await Promise.all([whole, behind, dry].map(statusOf))).toEqual(['running', 'pending', 'completed']);
    expect((await load(dry)).progress).toMatchObject({ matched: 9, created: 0 });
    await wait(5_000);
    expect(await statusOf(behind)).toBe('completed');
  });

  it('twenty may be open in a project; one that is over makes room', async () => {
    const all: string[] = [];
    for (let number = 0; number < MAX_OPEN_TASKS; number++) all.push(await ask({ count: 3, pace: 1 }));
    await expect(ask({ count: 3 })).rejects.toMatchObject({ code: 'task_limit_reached' });
    await expect(ask({ count: 3, projectId: null })).resolves.toBeDefined();
    await tasks.cancel(PROJECT, all.at(-1)!, ENVELOPE);
    await expect(ask({ count: 3 })).resolves.toBeDefined();
    await expect(ask({ count: 3 })).rejects.toMatchObject({ code: 'task_limit_reached' });
    await wait(6_000);
    await expect(ask({ count: 3 })).resolves.toBeDefined();
  });

  it('a slot is free again although its process died before it created the task, or before it released the slot', async () => {
    const streams = new StreamRunner(world.ports.events, new StreamCache(world.ports.events), world.clock, world.ids);
    for (let number = 0; number < MAX_OPEN_TASKS - 1; number++) {
      const event = { type: 'TaskSlotTaken', at: world.clock.now(), taskId: world.ids.next('task') };
      const slots = await world.ports.events.read(`taskslots-${PROJECT}`);
      const expected = slots.length === 0 ? 'none' : slots.length - 1;
      await world.ports.events.append(`taskslots-${PROJECT}`, [{ id: world.ids.uuid(), event }], expected);
    }
    tasks = new TaskDirectory(streams, NO_OLDER_RELEASE, world.clock);
    await ask({ count: 3, pace: 1 });
    await expect(ask({ count: 3 })).rejects.toMatchObject({ code: 'task_limit_reached' });
    world.clock.set(world.clock.now() + 60_001);
    await expect(ask({ count: 3 })).resolves.toBeDefined();
  });
});

describe('the rows of tasks', () => {
  it('are those of their streams, without lists of ids', async () => {
    const taskId = world.ids.next('task');
    const details = { kind: 'notes.copy', endpointId: ENDPOINT, dryRun: false, parameters: { count: 0, received: 2 } };
    const origin = { commandId: taskId, envelope: ENVELOPE };
    await tasks.create({ taskId, projectId: PROJECT, ...details, ids: ['evt_1', 'evt_2'] }, origin);
    await wait(1_500);
    const [stored] = await world.ports.readModels.getMany('tasks', [taskId]);
    const row = stored?.row as TaskRow;
    expect(row).toMatchObject({ ...details, status: 'completed', openSince: null, retireAt: row.completedAt! + 30 * DAY });
    expect('ids' in row).toBe(false);
    expect((await load(taskId)).ids).toEqual(['evt_1', 'evt_2']);
  });
});
