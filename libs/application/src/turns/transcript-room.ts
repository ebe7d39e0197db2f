import { Injectable } from '@nestjs/common';
import { AgentFailed } from '@ports/agent.port';

const MEBI = 1024 * 1024;
const OF_A_PROJECT = 16 * MEBI;
const IN_ALL = 48 * MEBI;
/** A project that holds less finds room however much the others hold. */
const LITTLE = MEBI;

interface Waiting {
  readonly weight: number;
  readonly enter: () => void;
}

/**
 * Bounds the characters of the transcripts under way: a turn holds several copies of its own for as long as its agent takes,
 * and a model that hangs takes five minutes. First come, first served within a project; no project waits behind another.
 */
@Injectable()
export class TranscriptRoom {
  private inAll = 0;
  /** A project that holds nothing is not here. */
  private readonly held = new Map<string, number>();
  /** In order of arrival; a project moves to the end when one of its own goes in. One for which nobody waits is not here. */
  private readonly lines = new Map<string, Set<Waiting>>();

  /**
   * Takes room until the signal aborts: true when there was some at once, a promise where it is waited for, which rejects
   * with `AgentFailed` when the signal aborts first. For what is over already there is nothing to take.
   */
  enter(projectId: string, weight: number, over: AbortSignal): true | Promise<void> {
    if (over.aborted) return true;
    if (this.lines.has(projectId) || !this.fits(projectId, weight)) return this.wait(projectId, weight, over);
    this.take(projectId, weight, over);
    return true;
  }

  private fits(projectId: string, weight: number): boolean {
    const held = this.held.get(projectId) ?? 0;
    return (held === 0 || held + weight <= OF_A_PROJECT) && (held < LITTLE || this.inAll + weight <= IN_ALL);
  }

  private take(projectId: string, weight: number, over: AbortSignal): void {
    this.count(projectId, weight);
    const giveBack = () => {
      this.count(projectId, -weight);
      this.serve();
    };
    over.addEventListener('abort', giveBack, { once: true });
  }

  private count(projectId: string, weight: number): void {
    const held = (this.held.get(projectId) ?? 0) + weight;
    if (held === 0) this.held.delete(projectId);
    else this.held.set(projectId, held);
    this.inAll += weight;
  }

  private wait(projectId: string, weight: number, over: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.leave(projectId, waiting);
        reject(tooLate());
        this.serve();
      };
      const enter = () => {
        over.removeEventListener('abort', leave);
        this.take(projectId, weight, over);
        resolve();
      };
      const waiting: Waiting = { weight, enter };
      this.lines.set(projectId, (this.lines.get(projectId) ?? new Set()).add(waiting));
      over.addEventListener('abort', leave, { once: true });
    });
  }

  private serve(): void {
    for (let next = this.next(); next; next = this.next()) next.enter();
  }

  /** The first in a line for whom there is room, out of that line. */
  private next(): Waiting | undefined {
    for (const [projectId, line] of this.lines) {
      const [first] = line;
      if (!first || !this.fits(projectId, first.weight)) continue;
      this.leave(projectId, first);
      if (this.lines.delete(projectId)) this.lines.set(projectId, line);
      return first;
    }
    return undefined;
  }

  private leave(projectId: string, waiting: Waiting): void {
    const line = this.lines.get(projectId);
    line?.delete(waiting);
    if (line?.size === 0) this.lines.delete(projectId);
  }
}

function tooLate(): AgentFailed {
  return new AgentFailed('timeout', 'The turn was given up before there was room for its transcript.');
}
