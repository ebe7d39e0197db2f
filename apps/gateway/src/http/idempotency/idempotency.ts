import { Injectable } from '@nestjs/common';
import { KeyedQueue, type Ticket } from '@kit/keyed-queue';
import { DomainError } from '@domain/kernel/domain-error';
import { PendingCalls } from '@kit/pending-calls';
import { Clock, pause } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { ExpiringRecords, type ExpiringRecord } from '@ports/expiring-records.port';
import { Secrets } from '@ports/secrets.port';
import { DAY_MS } from '@ports/time-units';
import { IdempotencyLock } from './idempotency-lock.js';
import {
  RELEASED_MAYBE_ANSWERED,
  RELEASED_UNANSWERED,
  answerIn,
  claimOutcome,
  leased,
  readRecord,
  recordText,
  toKeptAnswer,
  type IdempotencyRecord,
  type StoredAnswer,
} from './idempotency-record.js';

const RETENTION_MS = DAY_MS;
const WAIT_MS = 2_000;
const POLL_INTERVAL_MS = 50;

export interface KeyedRequest {
  /** The namespace of the key: equal keys of different scopes are independent. */
  readonly scope: string;
  readonly key: string;
  /** Method, path and body in canonical form. */
  readonly request: string;
  readonly requestId: string;
}

export type BeginResult =
  | { readonly kind: 'execute'; readonly lock: IdempotencyLock }
  | { readonly kind: 'replay'; readonly answer: StoredAnswer; readonly originalRequest: string };

export interface CompleteOptions {
  /** The answer contains no secret, so it is stored unsealed. */
  readonly open?: boolean;
  /** The earlier request that this answer belongs to; the executing request when absent. */
  readonly originalRequest?: string | undefined;
}

/** The members of a request that its record stores or compares. */
interface RequestIdentity {
  readonly recordKey: string;
  readonly fingerprint: string;
  readonly requestId: string;
}

/** One execution and one answer per idempotency key (api-contract §11). */
@Injectable()
export class Idempotency {
  /** Serializes requests with the same key: the executing request leaves once its outcome is stored. */
  private readonly queue = new KeyedQueue();
  private readonly executing = new PendingCalls<string, { readonly lock: IdempotencyLock; readonly slot: Ticket }>();

  constructor(
    private readonly records: ExpiringRecords,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly engine: Engine,
  ) {}

  /**
   * Locks the key, or finds the answer stored under it. Waits up to two seconds for a running execution. Rejects with
   * `idempotency_key_reused`, with `idempotency_key_in_use`, and with `StoreUnavailable` when the claim cannot be stored.
   */
  async begin({ scope, key, request, requestId }: KeyedRequest): Promise<BeginResult> {
    const recordKey = `idempotency.${this.secrets.keyedHash('idempotency-key', `${scope}\n${key}`)}`;
    const identity = { recordKey, fingerprint: this.secrets.keyedHash('idempotency-request', request), requestId };
    const giveUpAt = this.clock.elapsed() + WAIT_MS;
    const executing = this.executing.get(recordKey);
    if (executing) refuseReuse(executing.lock.record, identity);
    const isContended = this.queue.has(recordKey);
    const slot = this.queue.enter(recordKey);
    let begun: BeginResult | null = null;
    try {
      if (isContended) await this.untilTurn(slot.turn);
      begun = await this.lockOrReplay(identity, giveUpAt);
    } finally {
      if (begun?.kind !== 'execute') slot.leave();
    }
    if (begun.kind === 'execute') this.executing.set(recordKey, { lock: begun.lock, slot });
    return begun;
  }

  /** Stores the outcome for later requests with the key. Durable when it resolves; rejects with `StoreUnavailable`. */
  async complete(lock: IdempotencyLock, answer: StoredAnswer, options: CompleteOptions = {}): Promise<void> {
    try {
      await lock.stopRenewing();
      await this.settle(lock, answer, options);
    } finally {
      const executing = this.executing.get(lock.recordKey);
      this.executing.delete(lock.recordKey);
      executing?.slot.leave();
    }
  }

  private async settle(
    lock: IdempotencyLock,
    answer: StoredAnswer,
    { open = false, originalRequest }: CompleteOptions,
  ): Promise<void> {
    const { recordKey, record, requestId } = lock;
    const outcome = claimOutcome(answer.status);
    if (outcome === 'keep') {
      const answered = { ...record, requestId: originalRequest ?? requestId };
      await lock.replace(recordText(answered, toKeptAnswer(answer, !open, recordKey, this.secrets)));
    } else if (outcome === 'release' || lock.isRetry) {
      const leaseUntil = record.requestId === requestId ? RELEASED_UNANSWERED : RELEASED_MAYBE_ANSWERED;
      await lock.replace(recordText({ ...record, leaseUntil }));
    } else await lock.remove();
  }

  private async untilTurn(turn: Promise<void>): Promise<void> {
    const over = new AbortController();
    const late = pause(this.clock, WAIT_MS, over.signal).then(() => {
      if (!over.signal.aborted) throw keyInUse();
    });
    try {
      await Promise.race([turn, late]);
    } finally {
      over.abort();
    }
  }

  private async lockOrReplay(identity: RequestIdentity, giveUpAt: number): Promise<BeginResult> {
    for (;;) {
      const begun = await this.attempt(identity);
      if (begun) return begun;
      if (this.clock.elapsed() >= giveUpAt) throw keyInUse();
      await pause(this.clock, POLL_INTERVAL_MS);
    }
  }

  /** Null while another execution holds the lease. */
  private async attempt(identity: RequestIdentity): Promise<BeginResult | null> {
    const { recordKey, fingerprint, requestId } = identity;
    const now = this.clock.now();
    const fresh = leased({ fingerprint, startedAt: now, requestId }, now);
    const { created, record: found } = await this.records.create(recordKey, recordText(fresh), now + RETENTION_MS);
    if (created) return { kind: 'execute', lock: this.lock(identity, fresh, found, false) };
    const record = readRecord(found.value);
    refuseReuse(record, identity);
    const answer = answerIn(record, recordKey, this.secrets);
    if (answer) return { kind: 'replay', answer, originalRequest: record.requestId };
    const isOver = record.leaseUntil <= now || record.leasedAt < this.engine.leasesVoidBefore;
    return isOver ? this.takeOver(identity, record, found) : null;
  }

  /**
   * The record keeps the `requestId` of an execution that may have sent its answer: the process may have died right after
   * sending, or an earlier version did not store every answer. `RELEASED_UNANSWERED` rules that out, and the record takes
   * the id of the new request.
   */
  private async takeOver(identity: RequestIdentity, left: IdempotencyRecord, found: ExpiringRecord): Promise<BeginResult | null> {
    const { recordKey, fingerprint, requestId } = identity;
    const first = left.leaseUntil === RELEASED_UNANSWERED ? requestId : left.requestId;
    const record = leased({ fingerprint, startedAt: left.startedAt, requestId: first }, this.clock.now());
    const replaced = await this.records.replace(recordKey, found.version, recordText(record), found.expiresAt);
    return replaced && { kind: 'execute', lock: this.lock(identity, record, replaced, true) };
  }

  private lock({ recordKey, requestId }: RequestIdentity, record: IdempotencyRecord, stored: ExpiringRecord, isRetry: boolean) {
    return new IdempotencyLock(this.records, this.clock, recordKey, requestId, isRetry, record, stored);
  }
}

function refuseReuse(record: IdempotencyRecord, { fingerprint }: RequestIdentity): void {
  if (record.fingerprint === fingerprint) return;
  throw new DomainError('idempotency_key_reused', 'This key was used for another request.');
}

function keyInUse(): DomainError {
  const message = 'The first request with this key is still being executed.';
  return new DomainError('idempotency_key_in_use', message, { retryAfter: 1 });
}
