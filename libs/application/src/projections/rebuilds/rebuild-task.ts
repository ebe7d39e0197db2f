import { Injectable } from '@nestjs/common';
import { inTime } from '@kit/time';
import { Clock } from '@ports/clock.port';
import { toTime } from '../../read-models/time.resource.js';
import type { RunningTask, TaskKind, TaskStep } from '../../tasks/task-kind.js';
import type { ReadModelRebuild } from '../read-model-rebuild.js';
import { namesOf, PROJECTIONS_REBUILD, rebuildsOf, type RebuildProgress, type RebuildsByName } from './rebuild-progress.js';

const TOLD_EVERY_MS = 500;
const NOTHING = { examined: 0, matched: 0, created: 0, skipped: {} };

/** The projections that this process runs. */
export abstract class HostedProjections {
  /** Until the signal aborts. Throws `resource_missing` for a read model that this process does not know. */
  abstract rebuild(name: string, signal: AbortSignal): ReadModelRebuild;
}

/** Makes read models anew, one after the other. One that a process leaves unfinished begins again in the next. */
@Injectable()
export class RebuildTask implements TaskKind {
  readonly name = PROJECTIONS_REBUILD;
  readonly initial = { skipped: {}, details: { projections: {} } };

  constructor(
    private readonly projections: HostedProjections,
    private readonly clock: Clock,
  ) {}

  async *steps(task: RunningTask, signal: AbortSignal): AsyncGenerator<TaskStep> {
    let rebuilds: RebuildsByName = rebuildsOf(task);
    const names = namesOf(task);
    const total = names.length;
    for (const name of names) {
      if (rebuilds[name]?.completed_at) continue;
      const begunAt = this.clock.now();
      const rebuild = this.projections.rebuild(name, signal);
      const note = (progress: Omit<RebuildProgress, 'started_at'>) =>
        (rebuilds = { ...rebuilds, [name]: { ...progress, started_at: toTime(begunAt) } });
      while (!(await this.hasEnded(rebuild))) {
        note({ percent: rebuild.percent, rows: null, completed_at: null });
        yield { ...NOTHING, total, details: { projections: rebuilds }, cursor: null };
      }
      if (signal.aborted) return;
      const { rows } = rebuild;
      note({ percent: 100, rows, completed_at: toTime(this.clock.now()) });
      yield { examined: 1, matched: 1, created: rows, skipped: {}, total, details: { projections: rebuilds }, cursor: name };
    }
  }

  /** Rejects where it was given up. */
  private hasEnded({ finished }: ReadModelRebuild): Promise<boolean> {
    const ended = finished.then(() => true);
    return inTime(this.clock, TOLD_EVERY_MS, ended, () => false);
  }
}
