import type { Endpoint } from '@domain/endpoint/endpoint';
import type { Issue } from '@domain/issue/issue';
import type { IssueKind } from '@domain/issue/issue-kinds';
import { IssueRule, type Cause } from './issue-rule.js';
import type { KnownEndpoints } from './known-endpoints.js';

export type StopKind = Extract<IssueKind, 'endpoint_paused' | 'endpoint_gone'>;

type Stoppable = Pick<Endpoint, 'status' | 'pausedReason' | 'disabledReason'>;

/** Which kind of issue an endpoint's state is; null where a user chose it. */
export function stopOf({ status, pausedReason, disabledReason }: Stoppable): StopKind | null {
  if (status === 'paused' && pausedReason === 'auto_failing') return 'endpoint_paused';
  return status === 'disabled' && disabledReason === 'gone' ? 'endpoint_gone' : null;
}

/** Paused because it failed for long, or disabled because it answered 410. `StoppedEndpointsReactor` opens these issues. */
export class StoppedEndpoints extends IssueRule {
  private readonly runsSince = new Map<string, number>();

  constructor(
    private readonly endpoints: KnownEndpoints,
    private readonly kind: StopKind,
  ) {
    super();
  }

  causes(): Promise<readonly Cause[]> {
    return Promise.resolve([]);
  }

  async overSince({ projectId, subject: { id } }: Issue, now: number): Promise<number | null> {
    const endpoint = await this.endpoints.find(projectId, id);
    if (endpoint && stopOf(endpoint) === this.kind) {
      this.runsSince.delete(id);
      return null;
    }
    const since = this.runsSince.get(id) ?? now;
    this.runsSince.set(id, since);
    return since;
  }
}
