import { Logger } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { ENVELOPE } from '@testing/envelopes';
import { FakeClock, settle } from '@testing/fake-clock';
import { NO_OLDER_RELEASE } from '@testing/hosting';
import { notesProjection, NotesWorld } from '@testing/notes-world';
import type { Projection } from '../../read-models/projection.js';
import { StreamCache } from '../../streams/stream-cache.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { TaskDirectory } from '../../tasks/task-directory.js';
import { tasksProjection } from '../../tasks/tasks.projection.js';
import type { HostRecord } from '../standing/host-record.js';
import { RebuildProjections } from './rebuild.commands.js';
import { PROJECTIONS_REBUILD, rebuildsOf } from './rebuild-progress.js';
import { RebuildProjectionsHandler } from './rebuild-projections.handler.js';
import { RebuildTask } from './rebuild-task.js';

Logger.overrideLogger(false);

const others = ['songs', 'poems'].map((name) => ({ ...notesProjection, schema: { ...notesProjection.schema, name } })) as never[];
const NAMES = ['notes', 'songs', 'poems'];
const NOTES = 40;

let world: NotesWorld;
let tasks: TaskDirectory;
let clock: FakeClock;
/** Those that were begun, in every process. */
let begun: string[];
/** Called before each read model begins. */
let before: (name: string) => void;

const hosted = () => ({
  projections: [tasksProjection, notesProjection, ...others] as Projection[],
  taskKinds: [new RebuildTask({ rebuild }, clock)],
});

function rebuild(name: string, signal: AbortSignal) {
  before(name);
  begun.push(name);
  return world.projections.rebuild(name, signal);
}

beforeEach(async () => {
  [clock, begun, before] = [new FakeClock(), [], () => undefined];
  world = await NotesWorld.open(hosted(), undefined, clock);
  tasks = directoryOf(world);
  await world.host.onApplicationBootstrap();
  await world.notesOfEveryKind();
});
afterEach(() => world.close());

function directoryOf({ ports, ids }: NotesWorld): TaskDirectory {
  return new TaskDirectory(new StreamRunner(ports.events, new StreamCache(ports.events), clock, ids), NO_OLDER_RELEASE, clock);
}

async function wait(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await clock.advance(50);
    await settle();
  }
}

async function ask(names: readonly string[]): Promise<string> {
  const taskId = world.ids.next('task');
  const details = { taskId, projectId: null, kind: PROJECTIONS_REBUILD, endpointId: null, dryRun: false, parameters: { names } };
  await tasks.create(details, { commandId: taskId, envelope: ENVELOPE });
  return taskId;
}

describe('a request to make read models anew', () => {
  const host = { projections: () => Promise.resolve(NAMES.map((name) => ({ name }))) } as unknown as HostRecord;

  /** One without an idempotency key; the projection of tasks has not caught up yet. */
  function request(names: readonly string[] | null): RebuildProjections {
    const id = world.ids.next('request');
    const own = { requestId: id, commandId: id, idempotencyKey: null, idSeed: [id] };
    return new RebuildProjections(
      { projectId: 'admin', startedAt: clock.now(), isRetry: false, envelope: ENVELOPE, ...own },
      names,
    );
  }

  it('is answered with the open task that covers it, also of one that comes at the same time', async () => {
    const handler = new RebuildProjectionsHandler(host, tasks, world.ids);
    const [all, again] = await Promise.all([handler.execute(request(null)), handler.execute(request(null))]);
    const one = await handler.execute(request(['songs']));
    expect([again.id, one.id]).toEqual([all.id, all.id]);
  });
});

const load = (taskId: string) => tasks.load(null, taskId);

describe('the task that makes read models anew', () => {
  it('makes them one after the other, and leaves the same rows', async () => {
    await wait(2_000);
    const rows = await world.dump();
    const taskId = await ask(NAMES);
    await wait(10_000);
    const task = await load(taskId);
    const { examined, total, created } = task.progress!;
    expect([task.status, examined, total, created]).toEqual(['completed', 3, 3, 3 * NOTES]);
    expect(begun).toEqual(NAMES);
    for (const each of Object.values(rebuildsOf(task))) expect(each).toMatchObject({ percent: 100, rows: NOTES });
    expect(await world.dump()).toEqual(rows);
  });

  it('is gone on with by the next process, which does not repeat what was completed', async () => {
    before = (name) => void (name === 'poems' && world.shutdown.begin());
    const taskId = await ask(NAMES);
    await wait(10_000);
    await world.stop();
    before = () => undefined;
    const completed = begun.slice(0, -1);
    world = await world.reopened(hosted());
    tasks = directoryOf(world);
    await world.host.onApplicationBootstrap();
    begun = [];
    await wait(10_000);
    const task = await load(taskId);
    expect([task.status, Object.keys(rebuildsOf(task))]).toEqual(['completed', NAMES]);
    expect(completed).toEqual(['notes', 'songs']);
    expect(begun.at(-1)).toBe('poems');
  });

  it('leaves the live rows where it is cancelled, and the next one begins', async () => {
    await wait(2_000);
    const rows = await world.dump();
    const { readModels } = world.ports;
    const original = readModels.rebuild.bind(readModels);
    let mayGoOn = (): void => undefined;
    readModels.rebuild = (name) => new Promise<void>((resolve) => (mayGoOn = resolve)).then(() => original(name));
    const taskId = await ask(['notes']);
    await wait(3_000);
    await tasks.cancel(null, taskId, ENVELOPE);
    await wait(2_000);
    mayGoOn();
    await wait(2_000);
    expect([(await load(taskId)).status, await world.dump()]).toEqual(['cancelled', rows]);
    expect(await readModels.isRebuilding('notes')).toBe(false);
    readModels.rebuild = original;
    const next = await ask(['notes']);
    await wait(5_000);
    expect((await load(next)).status).toBe('completed');
  });

  it('fails where its process does not know a read model', async () => {
    before = () => {
      throw new DomainError('resource_missing', 'No such projection.');
    };
    const taskId = await ask(['notes']);
    await wait(2_000);
    expect(await load(taskId)).toMatchObject({ status: 'failed', error: { code: 'resource_missing' } });
  });
});
