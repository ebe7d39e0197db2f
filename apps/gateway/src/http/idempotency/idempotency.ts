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
  FAILED,
  OVER,
  answerIn,
  fateOf,
  leased,
  readRecord,
  recordText,
  toKeptAnswer,
  type IdempotencyRecord,
  type StoredAnswer,
} from './idempotency-record.js';

const KEPT_MS = DAY_MS;
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;

export interface KeyedRequest {
  /** Keys of different scopes have nothing to do with each other. */
  readonly scope: string;
  readonly key: string;
  /** Method, path and body in canonical form. */
  readonly request: string;
  readonly requestId: string;
}

export type BeginResult =
  | { readonly kind: 'execute'; readonly lock: IdempotencyLock }
  | { readonly kind: 'replay'; readonly answer: StoredAnswer; readonly originalRequest: string };

/** How an answer is kept. */
export interface KeptAs {
  /** Nothing in it is secret: it is stored as it is, not sealed. */
  readonly open?: boolean;
  /** The earlier request that it was the answer to; the one that executes when absent. */
  readonly originalRequest?: string | undefined;
}

/** A request as its record knows it. */
interface Asked {
  readonly recordKey: string;
  readonly fingerprint: string;
  readonly requestId: string;
}

/** One execution and one answer per idempotency key (api-contract §11). */
@Injectable()
export class Idempotency {
  /** Requests with the same key pass one by one; the one that executes leaves when its answer is kept. */
  private readonly queue = new KeyedQueue();
  private readonly executing = new PendingCalls<string, { readonly lock: IdempotencyLock; readonly slot: Ticket }>();

  constructor(
    private readonly records: ExpiringRecords,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly engine: Engine,
  ) {}

  /**
   * Locks the key, or finds what was answered under it. Waits up to two seconds for an execution under way. Rejects with
   * `idempotency_key_reused`, with `idempotency_key_in_use`, and with `StoreUnavailable` when the claim cannot be stored.
   */
  async begin({ scope, key, request, requestId }: KeyedRequest): Promise<BeginResult> {
    const recordKey = `idempotency.${this.secrets.keyedHash('idempotency-key', `${scope}\n${key}`)}`;
    const asked = { recordKey, fingerprint: this.secrets.keyedHash('idempotency-request', request), requestId };
    const giveUpAt = this.clock.elapsed() + WAIT_MS;
    const executing = this.executing.get(recordKey);
    if (executing) refuseReuse(executing.lock.record, asked);
    const isContended = this.queue.has(recordKey);
    const slot = this.queue.enter(recordKey);
    let begun: BeginResult | null = null;
    try {
      if (isContended) await this.inTime(slot.turn);
      begun = await this.lockOrReplay(asked, giveUpAt);
    } finally {
      if (begun?.kind !== 'execute') slot.leave();
    }
    if (begun.kind === 'execute') this.executing.set(recordKey, { lock: begun.lock, slot });
    return begun;
  }

  /** Settles what a later request with the key is told. Durable when it resolves; rejects with `StoreUnavailable`. */
  async complete(lock: IdempotencyLock, answer: StoredAnswer, how: KeptAs = {}): Promise<void> {
    try {
      await lock.stopRenewing();
      await this.settle(lock, answer, how);
    } finally {
      const executing = this.executing.get(lock.recordKey);
      this.executing.delete(lock.recordKey);
      executing?.slot.leave();
    }
  }

  private async settle(lock: IdempotencyLock, answer: StoredAnswer, { open = false, originalRequest }: KeptAs): Promise<void> {
    const { recordKey, record, requestId } = lock;
    const fate = fateOf(answer.status);
    if (fate === 'keep') {
      const answered = { ...record, requestId: originalRequest ?? requestId };
      await lock.replace(recordText(answered, toKeptAnswer(answer, !open, recordKey, this.secrets)));
    } else if (fate === 'release' || lock.isRetry) {
      await lock.replace(recordText({ ...record, leaseUntil: record.requestId === requestId ? FAILED : OVER }));
    } else await lock.remove();
  }

  private async inTime(turn: Promise<void>): Promise<void> {
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

  private async lockOrReplay(asked: Asked, giveUpAt: number): Promise<BeginResult> {
    for (;;) {
      const begun = await this.attempt(asked);
      if (begun) return begun;
      if (this.clock.elapsed() >= giveUpAt) throw keyInUse();
      await pause(this.clock, LOOK_EVERY_MS);
    }
  }

  /** Null while another process executes. */
  private async attempt(asked: Asked): Promise<BeginResult | null> {
    const { recordKey, fingerprint, requestId } = asked;
    const now = this.clock.now();
    const fresh = leased({ fingerprint, startedAt: now, requestId }, now);
    const { created, record: found } = await this.records.create(recordKey, recordText(fresh), now + KEPT_MS);
    if (created) return { kind: 'execute', lock: this.lock(asked, fresh, found, false) };
    const record = readRecord(found.value);
    refuseReuse(record, asked);
    const answer = answerIn(record, recordKey, this.secrets);
    if (answer) return { kind: 'replay', answer, originalRequest: record.requestId };
    const isOver = record.leaseUntil <= now || record.leasedAt < this.engine.leasesVoidBefore;
    return isOver ? this.takeOver(asked, record, found) : null;
  }

  /**
   * The claim's first request keeps its name as long as it may have had its answer: it may have died behind it, or a version
   * that did not keep every answer has given it. After a failure that was told (`FAILED`) nobody has had one.
   */
  private async takeOver(asked: Asked, left: IdempotencyRecord, found: ExpiringRecord): Promise<BeginResult | null> {
    const { recordKey, fingerprint, requestId } = asked;
    const first = left.leaseUntil === FAILED ? requestId : left.requestId;
    const record = leased({ fingerprint, startedAt: left.startedAt, requestId: first }, this.clock.now());
    const replaced = await this.records.replace(recordKey, found.version, recordText(record), found.expiresAt);
    return replaced && { kind: 'execute', lock: this.lock(asked, record, replaced, true) };
  }

  private lock({ recordKey, requestId }: Asked, record: IdempotencyRecord, stored: ExpiringRecord, isRetry: boolean) {
    return new IdempotencyLock(this.records, this.clock, recordKey, requestId, isRetry, record, stored);
  }
}

function refuseReuse(record: IdempotencyRecord, { fingerprint }: Asked): void {
  if (record.fingerprint === fingerprint) return;
  throw new DomainError('idempotency_key_reused', 'This key was used for another request.');
}

function keyInUse(): DomainError {
  const message = 'The first request with this key is still being executed.';
  return new DomainError('idempotency_key_in_use', message, { retryAfter: 1 });
}
