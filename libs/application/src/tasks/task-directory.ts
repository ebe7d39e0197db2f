import { Injectable } from '@nestjs/common';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { isId } from '@domain/kernel/ids';
import { isOver, type Task } from '@domain/task/task';
import { taskDecider, type TaskCommand, type TaskState } from '@domain/task/task.decider';
import type { TaskDetails } from '@domain/task/task.events';
import { taskSlotsDecider, type TaskSlotCommand } from '@domain/task/task-slots.decider';
import { Clock } from '@ports/clock.port';
import { InstanceRegistry } from '../instances/instance-registry.js';
import { INSTALLATION } from '../projects/projects.projection.js';
import type { CommandOrigin } from '../runtime/request-context.js';
import { StreamRunner, type Timed } from '../streams/stream-runner.js';

/** A slot whose task does not exist by then belongs to a request that died before it created the task. */
const CREATED_WITHIN_MS = 60_000;

@Injectable()
export class TaskDirectory {
  constructor(
    private readonly streams: StreamRunner,
    private readonly instances: InstanceRegistry,
    private readonly clock: Clock,
  ) {}

  /** Idempotent by the task's id. Rejects with `task_limit_reached`, and `service_unavailable` beside an older release. */
  async create(details: TaskDetails, { commandId, envelope }: CommandOrigin): Promise<Task> {
    const { taskId, projectId } = details;
    const known = await this.peek(taskId);
    if (known) return known;
    await this.instances.refuseBesideOlder();
    await this.takeSlot(ownerOf(projectId), taskId, envelope);
    const create: Timed<TaskCommand> = (at) => ({ type: 'CreateTask', at, ...details });
    const { state } = await this.streams.run(taskStream(taskId), taskDecider, create, envelope, { commandId, isNew: true });
    if (!state) throw resourceMissing('task');
    return state;
  }

  /** `resource_missing` for unknown, foreign and expired ids alike. */
  async load(projectId: string | null, taskId: string): Promise<Task> {
    const task = isId('task', taskId) ? await this.peek(taskId) : null;
    if (!task || task.projectId !== projectId || task.expired) throw resourceMissing('task');
    return task;
  }

  /** Those that wait or run, oldest first: of a project, or of none. */
  async open(projectId: string | null): Promise<readonly Task[]> {
    const slots = await this.slotsOf(ownerOf(projectId));
    return slots.flatMap(({ task }) => (task && !isOver(task) ? [task] : []));
  }

  async peek(taskId: string): Promise<TaskState> {
    return (await this.streams.load(taskStream(taskId), taskDecider)).state;
  }

  /** The task after the command; null where there is none. */
  async run(taskId: string, command: Timed<TaskCommand>, envelope: Envelope): Promise<TaskState> {
    return (await this.streams.run(taskStream(taskId), taskDecider, command, envelope)).state;
  }

  /** Stops what is not done yet. */
  async cancel(projectId: string | null, taskId: string, envelope: Envelope): Promise<Task> {
    await this.load(projectId, taskId);
    const task = await this.run(taskId, (at) => ({ type: 'CancelTask', at }), envelope);
    if (!task) throw resourceMissing('task');
    await this.release(task, envelope);
    return task;
  }

  /** Lets another task of the project be opened, once this one is over. */
  async release({ id, projectId }: Pick<Task, 'id' | 'projectId'>, envelope: Envelope): Promise<void> {
    await this.runSlots(ownerOf(projectId), (at) => ({ type: 'ReleaseTaskSlots', at, taskIds: [id] }), envelope);
  }

  private async takeSlot(owner: string, taskId: string, envelope: Envelope): Promise<void> {
    const take = () => this.runSlots(owner, (at) => ({ type: 'TakeTaskSlot', at, taskId }), envelope);
    try {
      await take();
    } catch (error) {
      const isFull = error instanceof DomainError && error.code === 'task_limit_reached';
      if (!isFull || !(await this.releaseUnused(owner, envelope))) throw error;
      await take();
    }
  }

  /** A process may die between the end of a task and the release of its slot. Returns whether there were such slots. */
  private async releaseUnused(owner: string, envelope: Envelope): Promise<boolean> {
    const createdAfter = this.clock.now() - CREATED_WITHIN_MS;
    const unused = (await this.slotsOf(owner)).filter(({ takenAt, task }) => (task ? isOver(task) : takenAt < createdAfter));
    if (unused.length === 0) return false;
    const taskIds = unused.map(({ taskId }) => taskId);
    await this.runSlots(owner, (at) => ({ type: 'ReleaseTaskSlots', at, taskIds }), envelope);
    return true;
  }

  /** Each slot with its task, null where that does not exist (yet). */
  private async slotsOf(owner: string) {
    const { slots } = (await this.streams.load(slotsStream(owner), taskSlotsDecider)).state;
    return Promise.all(slots.map(async (slot) => ({ ...slot, task: await this.peek(slot.taskId) })));
  }

  private async runSlots(owner: string, command: Timed<TaskSlotCommand>, envelope: Envelope): Promise<void> {
    await this.streams.run(slotsStream(owner), taskSlotsDecider, command, envelope);
  }
}

/** The project, or its substitute where a task belongs to none. */
export function ownerOf(projectId: string | null): string {
  return projectId ?? INSTALLATION;
}

export function taskStream(taskId: string): string {
  return `task-${taskId}`;
}

function slotsStream(owner: string): string {
  return `taskslots-${owner}`;
}
