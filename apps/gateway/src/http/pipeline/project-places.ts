import { MAX_CONNECTIONS } from './request-bounds.js';

/** A slow body holds its place for up to 30 s, and an unresponsive agent until the end of its window. */
const MAX_OF_A_PROJECT = MAX_CONNECTIONS / 4;

/** The place of a request that waits for its body or for a reply. The holder must call `leave` once. */
export interface ProjectPlace {
  leave(): void;
}

/** Limits a project's requests that wait for bodies or replies, so that others are served meanwhile. */
export class ProjectPlaces {
  private readonly taken = new Map<string, number>();

  enter(projectId: string): ProjectPlace | null {
    const count = this.taken.get(projectId) ?? 0;
    if (count >= MAX_OF_A_PROJECT) return null;
    this.taken.set(projectId, count + 1);
    return { leave: () => this.leave(projectId) };
  }

  private leave(projectId: string): void {
    const left = (this.taken.get(projectId) ?? 1) - 1;
    if (left > 0) this.taken.set(projectId, left);
    else this.taken.delete(projectId);
  }
}
