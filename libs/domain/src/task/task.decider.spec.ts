import { specFor } from '@testing/decider-spec';
import { taskDecider, type TaskCommand } from './task.decider.js';
import type { TaskEvent, TaskProgress } from './task.events.js';

const { given } = specFor(taskDecider);
const DAY = 86_400_000;

const details = { taskId: 'task_1', projectId: 'prj_1', kind: 'notes.copy', endpointId: null, dryRun: false, parameters: {} };
const progressOf = (examined: number): TaskProgress => ({
  examined,
  total: null,
  matched: examined,
  created: examined,
  skipped: {},
  details: {},
});

const create: TaskCommand = { type: 'CreateTask', at: 1_000, ...details };
const start: TaskCommand = { type: 'StartTask', at: 2_000, progress: progressOf(0) };
const advance: TaskCommand = { type: 'AdvanceTask', at: 3_000, progress: progressOf(5), cursor: 'c5' };
const complete: TaskCommand = { type: 'CompleteTask', at: 4_000, progress: progressOf(9) };
const cancel: TaskCommand = { type: 'CancelTask', at: 4_000 };
const fail: TaskCommand = { type: 'FailTask', at: 4_000, error: { code: 'internal_error', message: 'It went wrong.' } };
const expire = (at: number): TaskCommand => ({ type: 'ExpireTask', at });

const created: TaskEvent = { type: 'TaskCreated', at: 1_000, ...details };
const started: TaskEvent = { type: 'TaskStarted', at: 2_000, progress: progressOf(0) };
const advanced: TaskEvent = { type: 'TaskAdvanced', at: 3_000, progress: progressOf(5), cursor: 'c5' };
const completed: TaskEvent = { type: 'TaskCompleted', at: 4_000, progress: progressOf(9) };
const cancelled: TaskEvent = { type: 'TaskCancelled', at: 4_000 };
const failed: TaskEvent = { type: 'TaskFailed', at: 4_000, error: { code: 'internal_error', message: 'It went wrong.' } };

describe('a task', () => {
  it('is created once, pending, without progress', () => {
    given().when(create).then(created);
    given(created).when(create).thenNothing();
    given(created).thenState({ status: 'pending', progress: null, startedAt: null, completedAt: null });
  });

  it('runs, advances and completes', () => {
    given(created).when(start, advance, complete).then(started, advanced, completed);
    given(created, started, advanced).thenState({ status: 'running', startedAt: 2_000, cursor: 'c5', progress: progressOf(5) });
    given(created, started, advanced, completed).thenState({ status: 'completed', completedAt: 4_000, progress: progressOf(9) });
  });

  it('is started once, however many processes take it up', () => given(created, started).when(start).thenNothing());

  it('advances and completes only while it runs', () => given(created).when(advance, complete).thenNothing());

  it('can be cancelled, or fail, before and after its start', () => {
    for (const past of [[created], [created, started]]) {
      given(...past)
        .when(cancel)
        .then(cancelled);
      given(...past)
        .when(fail)
        .then(failed);
    }
    given(created, failed).thenState({ status: 'failed', error: { code: 'internal_error', message: 'It went wrong.' } });
  });

  it('changes no more once it is over, and a cancellation of it does nothing', () => {
    for (const over of [completed, cancelled, failed])
      given(created, started, over).when(create, start, advance, complete, cancel, fail).thenNothing();
  });

  it('keeps the times of its events in order where the clock was set back', () => {
    given(created, started, advanced)
      .when({ ...complete, at: 1 })
      .then({ ...completed, at: 3_000 });
  });

  it('expires once, thirty days after it was over', () => {
    const past = [created, started, completed];
    given(...past)
      .when(expire(4_000 + 30 * DAY - 1))
      .thenNothing();
    given(...past)
      .when(expire(4_000 + 30 * DAY), expire(4_000 + 31 * DAY))
      .then({ type: 'TaskExpired', at: 4_000 + 30 * DAY });
    given(created, started)
      .when(expire(1_000 * DAY))
      .thenNothing();
  });

  it('that does not exist is not changed', () => given().when(start, advance, complete, cancel, fail, expire(1)).thenNothing());
});
