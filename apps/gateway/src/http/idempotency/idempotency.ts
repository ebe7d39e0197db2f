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
import { JoinedExecution, type RequestIdentity } from './joined-execution.js';
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
/** The claim of a process that was killed is free within eight seconds: its lease has to end. */
const JOINED_WAIT_MS = 10_000;
/** Doubles after each poll of another process's claim. */
const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 200;
/** Who joined another execution looks for its answer, which is kept at about the same time. */
const FIRST_LOOK_MS = 2;

export interface KeyedRequest {
  /** Equal keys of different scopes are independent. */
  readonly scope: string;
  readonly key: string;
  /** Method, path and the members that the route takes, in canonical form. */
  readonly request: string;
  /** The form of earlier versions, with the whole body. */
  readonly formerRequest: () => string;
  readonly requestId: string;
  /** A request with the key joins the one that is under way, and is not refused. */
  readonly joins?: boolean;
}

/** What a request under a key works on. */
export type KeyClaim = IdempotencyLock | JoinedExecution;

/** The key's answer, and the request that got it. */
export interface Replayed {
  readonly kind: 'replay';
  readonly answer: StoredAnswer;
  readonly originalRequest: string;
}

export type BeginResult =
  | { readonly kind: 'execute'; readonly lock: IdempotencyLock }
  | { readonly kind: 'join'; readonly joined: JoinedExecution }
  | Replayed;

export interface CompleteOptions {
  /** The answer contains no secret, so it is stored unsealed. */
  readonly open?: boolean;
  /** The earlier request that this answer belongs to; by default the executing request. */
  readonly originalRequest?: string | undefined;
  /** Whether it is not the key's answer: the next request continues what this one began. */
  readonly isUnfinished?: boolean;
}

/** One execution and one answer per idempotency key. */
@Injectable()
export class Idempotency {
  /** Serializes requests with the same key: the executing request leaves once its outcome is stored. */
  private readonly queue = new KeyedQueue();
  private readonly executing = new Map<string, { readonly lock: IdempotencyLock; readonly slot: Ticket }>();
  /** Requests that join whichever of this process claims their key. */
  private readonly joining = new Map<string, (() => void)[]>();

  constructor(
    private readonly records: ExpiringRecords,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly instances: InstanceRegistry,
  ) {}

  /**
   * Waits up to two seconds for a running execution. Rejects with `idempotency_key_reused`, `idempotency_key_in_use`, or
   * `StoreUnavailable`: at once while the records are known to be unreachable.
   */
  async begin({ scope, key, request, formerRequest, requestId, joins = false }: KeyedRequest): Promise<BeginResult> {
    if (this.instances.recordsAreAway) throw new StoreUnavailable('the records of idempotency keys are out of reach', true);
    const recordKey = `idempotency.${this.secrets.keyedHash('idempotency-key', `${scope}\n${key}`)}`;
    const fingerprintOf = (words: string) => this.secrets.keyedHash('idempotency-request', words);
    const formerFingerprint = () => fingerprintOf(formerRequest());
    const identity = { recordKey, fingerprint: fingerprintOf(request), formerFingerprint, requestId, joins };
    const giveUpAt = this.clock.elapsed() + WAIT_MS;
    const executing = this.executing.get(recordKey);
    if (executing) refuseReuse(executing.lock.record, identity);
    if (executing && joins) return joinOf(identity, executing.lock.record);
    const isContended = this.queue.has(recordKey);
    const slot = this.queue.enter(recordKey);
    let begun: BeginResult | null = null;
    try {
      if (isContended) {
        const turn = joins ? Promise.race([slot.turn, this.claimed(recordKey)]) : slot.turn;
        await inTime(this.clock, WAIT_MS, turn, refuseInUse);
      }
      const held = joins ? this.executing.get(recordKey) : undefined;
      begun = held ? joinOf(identity, held.lock.record) : await this.lockOrReplay(identity, giveUpAt);
    } finally {
      if (begun?.kind === 'execute') this.executing.set(recordKey, { lock: begun.lock, slot });
      else slot.leave();
      for (const join of this.joining.get(recordKey) ?? []) join();
      this.joining.delete(recordKey);
    }
    return begun;
  }

  /**
   * Durable once resolved. Resolves to the key's answer where another execution has kept it meanwhile: that one is sent. Rejects with
   * `idempotency_key_in_use` after a takeover: only that execution's answer counts.
   */
  async complete(claim: KeyClaim, answer: StoredAnswer, options: CompleteOptions = {}): Promise<Replayed | null> {
    if (claim instanceof JoinedExecution) return this.completeJoined(claim, answer, options);
    const lock = claim;
    try {
      await lock.stopRenewing();
      await this.settle(lock, answer, options);
    } finally {
      const executing = this.executing.get(lock.recordKey);
      this.executing.delete(lock.recordKey);
      executing?.slot.leave();
    }
    return null;
  }

  private async settle(
    lock: IdempotencyLock,
    answer: StoredAnswer,
    { open = false, originalRequest, isUnfinished = false }: CompleteOptions,
  ): Promise<void> {
    const { recordKey, record, requestId } = lock;
    const outcome = isUnfinished ? 'release' : claimOutcome(answer.status);
    if (outcome === 'keep') {
      const answered = { ...record, requestId: originalRequest ?? requestId };
      const isKept = await lock.replace(recordText(answered, toKeptAnswer(answer, !open, recordKey, this.secrets)));
      if (!isKept) refuseInUse();
    } else if (outcome === 'release' || lock.isRetry) {
      const leaseUntil = record.requestId === requestId ? RELEASED_UNANSWERED : RELEASED_MAYBE_ANSWERED;
      await lock.replace(recordText({ ...record, leaseUntil }));
    } else await lock.remove();
  }

  /** Keeps the answer unless the execution that holds the key keeps its own: it is about to end as well, or its process is dead. */
  private async completeJoined(
    { identity }: JoinedExecution,
    answer: StoredAnswer,
    options: CompleteOptions,
  ): Promise<Replayed | null> {
    if (options.isUnfinished || claimOutcome(answer.status) !== 'keep') return null;
    const polls = new Backoff(FIRST_LOOK_MS, MAX_POLL_MS);
    try {
      for (const giveUpAt = this.clock.elapsed() + JOINED_WAIT_MS; this.clock.elapsed() < giveUpAt;) {
        const isHeldHere = this.executing.has(identity.recordKey);
        const found = isHeldHere ? null : await this.records.get(identity.recordKey);
        const begun = found && (await this.join(identity, found));
        if (begun?.kind === 'replay') return begun;
        if (begun?.kind === 'execute') {
          await begun.lock.stopRenewing();
          await this.settle(begun.lock, answer, options);
          return null;
        }
        await pause(this.clock, polls.next());
      }
    } catch {
      // What was done is in the log: a later request finds it there.
    }
    return null;
  }

  /** Resolves once a request of this process has claimed the key, or was answered from it. */
  private claimed(recordKey: string): Promise<void> {
    return new Promise((resolve) => {
      this.joining.set(recordKey, [...(this.joining.get(recordKey) ?? []), resolve]);
    });
  }

  private async lockOrReplay(identity: RequestIdentity, giveUpAt: number): Promise<BeginResult> {
    let found: ExpiringRecord | null = null;
    const polls = new Backoff(FIRST_POLL_MS, MAX_POLL_MS);
    for (;;) {
      const begun = await this.attempt(identity, found);
      if (begun) return begun;
      if (identity.joins) found ??= await this.records.get(identity.recordKey);
      if (identity.joins && found) return joinOf(identity, readRecord(found.value));
      const leftMs = giveUpAt - this.clock.elapsed();
      if (leftMs <= 0) refuseInUse();
      await pause(this.clock, Math.min(polls.next(), leftMs));
      found = await this.records.get(identity.recordKey);
    }
  }

  /** Null while another execution has the key. */
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

  /** Requests with the key are queued per process, so an own claim found here belongs to an execution that has ended. */
  private async isLeft({ leasedAt, leaseUntil, owner }: IdempotencyRecord): Promise<boolean> {
    if (leaseUntil <= this.clock.now() || leasedAt < this.instances.unownedVoidBefore) return true;
    return owner !== undefined && (await this.instances.gone([owner])).has(owner);
  }

  /**
   * Keeps the `requestId` of an execution that may have answered before its process died (earlier versions did not store every
   * answer), unless `RELEASED_UNANSWERED` rules that out.
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

function joinOf(identity: RequestIdentity, { startedAt }: IdempotencyRecord): BeginResult {
  return { kind: 'join', joined: new JoinedExecution(identity, startedAt) };
}

function refuseReuse(record: IdempotencyRecord, { fingerprint, formerFingerprint }: RequestIdentity): void {
  if (record.fingerprint === fingerprint || record.fingerprint === formerFingerprint()) return;
  throw new DomainError('idempotency_key_reused', 'This key was used for another request.');
}

function refuseInUse(): never {
  const message = 'The first request with this key is still being executed.';
  throw new DomainError('idempotency_key_in_use', message, { retryAfter: 1 });
}
