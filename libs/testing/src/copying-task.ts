import type { RunningTask, TaskKind, TaskStep } from '@application/tasks/task-kind';

/** A kind of task whose effects are the numbers from 0 up to the parameter `count`, each once, three in a step. */
export class CopyingTask implements TaskKind {
  readonly name = 'notes.copy';
  readonly initial = { skipped: { known: 0 }, details: {} };
  /** Also of earlier runs, as in a store. */
  readonly copied: number[] = [];
  /** The tasks that worked, in order, without repeats in a row. */
  readonly worked: string[] = [];
  /** Called before each step; may throw. */
  before: (task: RunningTask, next: number) => void | Promise<void> = () => undefined;

  async *steps(task: RunningTask, signal: AbortSignal): AsyncGenerator<TaskStep> {
    const count = Number(task.parameters['count']);
    for (let next = Number(task.cursor ?? 0); next < count && !signal.aborted; next += 3) {
      await this.before(task, next);
      if (this.worked.at(-1) !== task.id) this.worked.push(task.id);
      const numbers = [next, next + 1, next + 2].filter((number) => number < count);
      if (!task.dryRun) for (const number of numbers) if (!this.copied.includes(number)) this.copied.push(number);
      const created = task.dryRun ? 0 : numbers.length;
      yield { examined: numbers.length, matched: numbers.length, created, skipped: {}, total: count, cursor: String(next + 3) };
    }
  }
}
