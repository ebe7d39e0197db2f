import type { IdKind } from '@domain/kernel/ids';
import type { Ids } from '@ports/ids.port';
import type { Origin } from '@application/origin';
import type { IdempotencyLock } from '../idempotency/idempotency-lock.js';

/** A request without a key: nothing of it can come again. */
export class RequestOrigin implements Origin {
  readonly idempotencyKey = null;
  readonly again = false;
  readonly commandId: string;
  private made: Record<string, string> | null = null;

  constructor(
    private readonly ids: Ids,
    readonly projectId: string,
    readonly requestId: string,
    readonly startedAt: number,
  ) {
    this.commandId = requestId;
  }

  id(kind: IdKind, purpose: string): string {
    this.made ??= {};
    return (this.made[`${kind} ${purpose}`] ??= this.ids.next(kind));
  }
}

/** A request under a key: every execution of it makes the same ids. */
export class KeyedOrigin implements Origin {
  readonly startedAt: number;
  readonly again: boolean;
  private named: string | null = null;

  constructor(
    private readonly ids: Ids,
    readonly projectId: string,
    readonly requestId: string,
    readonly idempotencyKey: string,
    lock: IdempotencyLock,
  ) {
    this.startedAt = lock.record.startedAt;
    this.again = lock.isRetry;
  }

  /** Made for those who ask: most posts do not. */
  get commandId(): string {
    return (this.named ??= this.ids.uuidOf('request', this.projectId, this.idempotencyKey, String(this.startedAt)));
  }

  id(kind: IdKind, purpose: string): string {
    return this.ids.derived(kind, this.startedAt, this.projectId, this.idempotencyKey, String(this.startedAt), purpose);
  }
}
