import { Injectable } from '@nestjs/common';
import { KeyedQueue, type Ticket } from '@kit/keyed-queue';
import { DomainError } from '@domain/kernel/domain-error';
import { Backoff, inTime } from '@kit/time';
import { Clock, pause } from '@ports/clock.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { ExpiringRecords, type ExpiringRecord } from '@ports/expiring-records.port';
import { Secrets } from '@ports/secrets.port';
import { DAY_MS } from '@ports/time-units';
import { InstanceRegistry } from '@application/instances/instance-registry';
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
/** The time between two looks at the claim of another process doubles. */
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 200;

export interface KeyedRequest {
  /** The namespace of the key: equal keys of different scopes are independent. */
  readonly scope: string;
  readonly key: string;
  /** Method, path and what the route takes of the body, in canonical form. */
  readonly request: string;
  /** The form that earlier versions kept, with the whole body. */
  readonly formerRequest: () => string;
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
  readonly formerFingerprint: () => string;
  readonly requestId: string;
}

/** One execution and one answer per idempotency key (api-contract §11). */
@Injectable()
export class Idempotency {
  /** Serializes requests with the same key: the executing request leaves once its outcome is stored. */
  private readonly queue = new KeyedQueue();
  private readonly executing = new Map<string, { readonly lock: IdempotencyLock; readonly slot: Ticket }>();

  constructor(
    private readonly records: ExpiringRecords,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly instances: InstanceRegistry,
  ) {}

  /**
   * Locks the key, or finds the answer stored under it. Waits up to two seconds for a running execution. Rejects with
   * `idempotency_key_reused`, with `idempotency_key_in_use`, and with `StoreUnavailable` when the claim cannot be stored: at
   * once where the records are known to be away.
   */
  async begin({ scope, key, request, formerRequest, requestId }: KeyedRequest): Promise<BeginResult> {
    if (this.instances.recordsAreAway) throw new StoreUnavailable('the records of idempotency keys are out of reach', true);
    const recordKey = `idempotency.${this.secrets.keyedHash('idempotency-key', `${scope}\n${key}`)}`;
    const fingerprintOf = (words: string) => this.secrets.keyedHash('idempotency-request', words);
    const formerFingerprint = () => fingerprintOf(formerRequest());
    const identity = { recordKey, fingerprint: fingerprintOf(request), formerFingerprint, requestId };
    const giveUpAt = this.clock.elapsed() + WAIT_MS;
    const executing = this.executing.get(recordKey);
    if (executing) refuseReuse(executing.lock.record, identity);
    const isContended = this.queue.has(recordKey);
    const slot = this.queue.enter(recordKey);
    let begun: BeginResult | null = null;
    try {
      if (isContended) await inTime(this.clock, WAIT_MS, slot.turn, refuseInUse);
      begun = await this.lockOrReplay(identity, giveUpAt);
    } finally {
      if (begun?.kind !== 'execute') slot.leave();
    }
    if (begun.kind === 'execute') this.executing.set(recordKey, { lock: begun.lock, slot });
    return begun;
  }

  /**
   * Stores the outcome for later requests with the key. Durable when it resolves. Rejects with `StoreUnavailable`, and with
   * `idempotency_key_in_use` when another execution has taken the key over: only its answer counts.
   */
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
      const isKept = await lock.replace(recordText(answered, toKeptAnswer(answer, !open, recordKey, this.secrets)));
      if (!isKept) refuseInUse();
    } else if (outcome === 'release' || lock.isRetry) {
      const leaseUntil = record.requestId === requestId ? RELEASED_UNANSWERED : RELEASED_MAYBE_ANSWERED;
      await lock.replace(recordText({ ...record, leaseUntil }));
    } else await lock.remove();
  }

  private async lockOrReplay(identity: RequestIdentity, giveUpAt: number): Promise<BeginResult> {
    let found: ExpiringRecord | null = null;
    const polls = new Backoff(FIRST_POLL_MS, MAX_POLL_MS);
    for (;;) {
      const begun = await this.attempt(identity, found);
      if (begun) return begun;
      const leftMs = giveUpAt - this.clock.elapsed();
      if (leftMs <= 0) refuseInUse();
      await pause(this.clock, Math.min(polls.next(), leftMs));
      found = await this.records.get(identity.recordKey);
    }
  }

  /** Claims the key unless it was found claimed. Null while another execution has it. */
  private async attempt(identity: RequestIdentity, known: ExpiringRecord | null): Promise<BeginResult | null> {
    const { recordKey, fingerprint, requestId } = identity;
    if (known) return this.join(identity, known);
    const now = this.clock.now();
    const fresh = leased({ fingerprint, startedAt: now, requestId, owner: this.instances.id }, now);
    const { created, record: found } = await this.records.create(recordKey, recordText(fresh), now + RETENTION_MS);
    return created ? { kind: 'execute', lock: this.lock(identity, fresh, found, false) } : this.join(identity, found);
  }

  private async join(identity: RequestIdentity, found: ExpiringRecord): Promise<BeginResult | null> {
    const record = readRecord(found.value);
    refuseReuse(record, identity);
    const answer = answerIn(record, identity.recordKey, this.secrets);
    if (answer) return { kind: 'replay', answer, originalRequest: record.requestId };
    return (await this.isLeft(record)) ? this.takeOver(identity, record, found) : null;
  }

  /**
   * Whether no process executes the claim. If this process executed it, the queue of the key would have kept this request
   * waiting: a claim of its own that is found here belongs to an execution that has ended.
   */
  private async isLeft({ leasedAt, leaseUntil, owner }: IdempotencyRecord): Promise<boolean> {
    if (leaseUntil <= this.clock.now() || leasedAt < this.instances.unownedVoidBefore) return true;
    return owner !== undefined && (await this.instances.gone([owner])).has(owner);
  }

  /**
   * The record keeps the `requestId` of an execution that may have sent its answer: the process may have died right after
   * sending, or an earlier version did not store every answer. `RELEASED_UNANSWERED` rules that out, and the record takes
   * the id of the new request.
   */
  private async takeOver(identity: RequestIdentity, left: IdempotencyRecord, found: ExpiringRecord): Promise<BeginResult | null> {
    const { recordKey, fingerprint, requestId } = identity;
    const first = left.leaseUntil === RELEASED_UNANSWERED ? requestId : left.requestId;
    const claim = { fingerprint, startedAt: left.startedAt, requestId: first, owner: this.instances.id };
    const record = leased(claim, this.clock.now());
    const replaced = await this.records.replace(recordKey, found.version, recordText(record), found.expiresAt);
    return replaced && { kind: 'execute', lock: this.lock(identity, record, replaced, true) };
  }

  private lock({ recordKey, requestId }: RequestIdentity, record: IdempotencyRecord, stored: ExpiringRecord, isRetry: boolean) {
    return new IdempotencyLock(this.records, this.clock, recordKey, requestId, isRetry, record, stored);
  }
}

function refuseReuse(record: IdempotencyRecord, { fingerprint, formerFingerprint }: RequestIdentity): void {
  if (record.fingerprint === fingerprint || record.fingerprint === formerFingerprint()) return;
  throw new DomainError('idempotency_key_reused', 'This key was used for another request.');
}

function refuseInUse(): never {
  const message = 'The first request with this key is still being executed.';
  throw new DomainError('idempotency_key_in_use', message, { retryAfter: 1 });
}
