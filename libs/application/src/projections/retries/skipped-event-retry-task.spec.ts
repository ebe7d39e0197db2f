import type { Task } from '@domain/task/task';
import type { SkippedEvent } from '@domain/skipped-event/skipped-event';
import type { Recorded } from '@ports/event-store.port';
import { ENVELOPE } from '@testing/envelopes';
import { FakeClock, settle } from '@testing/fake-clock';
import { NO_OLDER_RELEASE } from '@testing/hosting';
import { notesProjection, NotesWorld } from '@testing/notes-world';
import type { Projection } from '../../read-models/projection.js';
import type { Reactor } from '../../runtime/reactor.js';
import { SKIPPED_EVENTS_RETRY } from '../../skipped-events/retry-skipped-event.handler.js';
import { SkipRecorder } from '../../skipped-events/skip-recorder.js';
import { SkippedEventDirectory } from '../../skipped-events/skipped-event-directory.js';
import { StreamCache } from '../../streams/stream-cache.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { TaskDirectory } from '../../tasks/task-directory.js';
import { tasksProjection } from '../../tasks/tasks.projection.js';
import { SkippedEventRetryTask } from './skipped-event-retry-task.js';

/** Whether cursed notes are cursed for the present program. */
let isCursed: boolean;
let handled: string[];
let world: NotesWorld;
let directory: SkippedEventDirectory;
let tasks: TaskDirectory;

const project: typeof notesProjection.project = (before, record, id) => {
  if (record.event.type !== 'NoteCursed' || isCursed) return notesProjection.project(before, record, id);
  return before && { ...before, row: { ...before.row, text: `${before.row.text}, blessed` } };
};
const streamsOf = (_: object, id: string) => [`note-${id}`];
/** Rows are made of their streams; whether each can be folded alone is a matter of `streamsOf`. */
const notes = { ...notesProjection, project, streamsOf };
const { streamsOf: _, ...whole } = { ...notes, schema: { ...notesProjection.schema, name: 'whole' } };

const diary: Reactor = {
  name: 'diary',
  categories: ['note'],
  async handle(events: readonly Recorded[]): Promise<void> {
    if (isCursed && events.some(({ event }) => event.type === 'NoteCursed')) throw new TypeError('cursed');
    handled.push(...events.map(({ event }) => event.type));
  },
};

beforeEach(async () => {
  [isCursed, handled] = [true, []];
  const clock = new FakeClock();
  const late = { retry: (...given: Parameters<NotesWorld['projections']['retry']>) => retry(...given) };
  const kind = new SkippedEventRetryTask(
    late,
    { load: (component: string) => directory.load(component) } as SkippedEventDirectory,
    { resolve: (...given: Parameters<SkipRecorder['resolve']>) => recorder().resolve(...given) } as SkipRecorder,
    { read: (...given: Parameters<typeof world.ports.events.read>) => world.ports.events.read(...given) } as never,
    clock,
  );
  const projections = [tasksProjection, notes, whole] as unknown as Projection[];
  world = await NotesWorld.open({ projections, reactors: [diary], taskKinds: [kind] }, undefined, clock);
  const { events } = world.ports;
  const streams = new StreamRunner(events, new StreamCache(events), clock, world.ids);
  directory = new SkippedEventDirectory(streams);
  tasks = new TaskDirectory(streams, NO_OLDER_RELEASE, clock);
  await world.host.onApplicationBootstrap();
});
afterEach(() => world.close());

const recorder = () => new SkipRecorder(directory, world.clock, world.ids);
const retry: NotesWorld['projections']['retry'] = (component, ...given) =>
  (component === 'diary' ? world.effects : world.projections).retry(component, ...given);

async function wait(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await world.clock.advance(50);
    await settle();
  }
}

const skippedOf = async (component: string): Promise<readonly SkippedEvent[]> =>
  Object.values((await directory.load(component)).unresolved);

/** Retries the only skipped event of a component. */
async function retried(component: string): Promise<Task> {
  const [skipped] = await skippedOf(component);
  const { id: skipped_event_id, position } = skipped!;
  const taskId = world.ids.next('task');
  const parameters = { skipped_event_id, component, position };
  const details = { taskId, projectId: null, kind: SKIPPED_EVENTS_RETRY, endpointId: null, dryRun: false, parameters };
  await tasks.create(details, { commandId: taskId, envelope: ENVELOPE });
  await wait(6_000);
  return tasks.load(null, taskId);
}

async function cursedNote(): Promise<string> {
  const id = await world.write('one');
  await world.append(id, { type: 'NoteCursed', at: world.clock.now() });
  await world.write('another');
  await wait(1_000);
  return id;
}

const rowOf = async (name: string, id: string) => (await world.ports.readModels.getMany(name, [id]))[0]?.row;

describe('the retry of a skipped event', () => {
  it.each([
    ['notes', 1],
    ['whole', 2],
  ])('applies it in %s, in the order in which it happened, and makes %i rows', async (component, created) => {
    const id = await cursedNote();
    await world.amend(id, 'two');
    await world.append(id, { type: 'NoteCursed', at: world.clock.now() });
    await wait(1_000);
    expect(await rowOf(component, id)).toEqual({ text: 'two', amendments: 1 });
    const [first, second] = await skippedOf(component);
    await recorder().resolve(component, [first!.position], 'timer:test');
    isCursed = false;
    const task = await retried(component);
    expect([task.status, task.progress]).toMatchObject([
      'completed',
      { examined: 1, matched: 1, created, skipped: { still_fails: 0 } },
    ]);
    expect(await skippedOf(component)).toEqual([]);
    expect(second?.rows).toEqual([id]);
    expect(await rowOf(component, id)).toEqual({ text: 'two, blessed', amendments: 1 });
    await world.amend(id, 'three');
    await wait(1_000);
    expect(await rowOf(component, id)).toEqual({ text: 'three', amendments: 2 });
  });

  it.each(['notes', 'whole', 'diary'])('by %s that fails is one more attempt', async (component) => {
    await cursedNote();
    const [before] = await skippedOf(component);
    const task = await retried(component);
    expect([task.status, task.progress]).toMatchObject(['completed', { examined: 1, matched: 0, skipped: { still_fails: 1 } }]);
    const [after] = await skippedOf(component);
    expect(after).toEqual({
      ...before,
      attempts: 2,
      lastAt: expect.any(Number) as unknown,
      frames: expect.any(Array) as unknown,
    });
    expect(after!.lastAt).toBeGreaterThan(before!.lastAt);
  });

  it('by a reactor handles it once more', async () => {
    await cursedNote();
    expect(handled).toEqual(['NoteWritten', 'NoteWritten']);
    isCursed = false;
    expect((await retried('diary')).progress).toMatchObject({ matched: 1 });
    expect(handled).toEqual(['NoteWritten', 'NoteWritten', 'NoteCursed']);
    expect(await skippedOf('diary')).toEqual([]);
  });

  it('resolves one whose stream was dropped: nothing lacks it any more', async () => {
    const id = await cursedNote();
    await world.ports.events.retire(`note-${id}`);
    expect((await retried('notes')).progress).toMatchObject({ matched: 1, created: 0 });
    expect(await skippedOf('notes')).toEqual([]);
  });
});

describe('a rebuild', () => {
  it('resolves what it can apply, and no other', async () => {
    await cursedNote();
    isCursed = false;
    await world.projections.rebuild('notes').finished;
    expect([(await skippedOf('notes')).length, (await skippedOf('whole')).length]).toEqual([0, 1]);
  });

  it('of a new version at a start resolves what it can apply', async () => {
    await cursedNote();
    isCursed = false;
    const schema = { ...notes.schema, version: 2 };
    world = await world.reopened({ projections: [{ ...notes, schema }] as never[] });
    const { events } = world.ports;
    directory = new SkippedEventDirectory(new StreamRunner(events, new StreamCache(events), world.clock, world.ids));
    await world.host.onApplicationBootstrap();
    await wait(1_000);
    expect([(await skippedOf('notes')).length, (await skippedOf('whole')).length]).toEqual([0, 1]);
  });
});
