import type { Position } from '@ports/event-store.port';
import type { ChangedResource } from './changed-resources.js';

/** Beyond so many changed resources of a project, reading the lists again costs less than looking for each. */
const MAX_TOLD_AT_ONCE = 1_000;

export interface Change extends ChangedResource {
  readonly projectId: string;
  /** Of the latest event that changed the resource. */
  readonly position: Position;
}

/** Changes of a project, one for each resource, in the order of their positions; null if there are too many. */
export type ChangeBatch = readonly Change[] | null;

/** Changes that are not announced yet. */
export class PendingChanges {
  /** By project, then by resource; null for a project with too many. */
  private readonly projects = new Map<string, Map<string, Change> | null>();

  get isEmpty(): boolean {
    return this.projects.size === 0;
  }

  add(change: Change): void {
    const { projectId, object, id } = change;
    const known = this.projects.get(projectId);
    if (known === null) return;
    const own = known ?? new Map<string, Change>();
    const key = `${object} ${id}`;
    // The latest change comes last, so the order is that of the positions.
    own.delete(key);
    own.set(key, change);
    this.projects.set(projectId, own.size > MAX_TOLD_AT_ONCE ? null : own);
  }

  /** Takes out the changes of every project that has some. */
  take(): readonly (readonly [projectId: string, batch: ChangeBatch])[] {
    const all = Array.from(this.projects, ([projectId, own]) => [projectId, own && [...own.values()]] as const);
    this.projects.clear();
    return all;
  }
}
