import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { PendingCalls } from '@kit/pending-calls';
import { Clock } from '@ports/clock.port';
import { EVER, Engine } from '@ports/engine.port';
import { ExpiringRecords, type ExpiringRecord } from '@ports/expiring-records.port';
import { Secrets } from '@ports/secrets.port';
import { DAY_MS } from '@ports/time-units';
import { SECRET, type AnswerNature } from './answer-nature.js';
import { fateOf, readRecord, recordText, type IdempotencyRecord, type StoredAnswer } from './idempotency-record.js';
import { KeptAnswers } from './kept-answers.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { Begun, HeldClaim, KeyedRequest } from './held-claim.js';

const KEPT_MS = DAY_MS;
const LEASE_MS = 10_000;
const LONGEST_EXECUTION_MS = 5 * 60_000;
const WAIT_MS = 2_000;
const LOOK_EVERY_MS = 50;
/** Ends of a lease that is over: the request whose name the claim has was told of a failure, or may have had its answer. */
const FAILED = 0;
const OVER = 1;

/** One execution and one answer per idempotency key. */
@Injectable()
export class Idempotency {
  private readonly leases: LeaseKeeper;
  private readonly answers: KeptAnswers;
  /** What this process executes; requests with the same key wait for it. */
  private readonly executing = new PendingCalls<string, HeldClaim>();
  /** Claims of dead processes that this one is about to execute. */
  private readonly takingOver = new Set<string>();

  constructor(
    private readonly records: ExpiringRecords,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly engine: Engine,
  ) {
    this.leases = new LeaseKeeper(clock, () => this.executing.values());
    this.answers = new KeptAnswers(secrets);
  }

  /** Claims the key, or finds what was answered. Refuses with `idempotency_key_reused` or `idempotency_key_in_use`. */
  begin(request: KeyedRequest): Promise<Begun> {
    const recordKey = `idempotency.${this.secrets.keyedHash('idempotency-key', `${request.scope}\n${request.key}`)}`;
    const fingerprint = this.secrets.keyedHash('idempotency-request', request.request);
    const now = this.clock.now();
    const fresh = this.fresh(fingerprint, request.requestId);
    return this.records.create(recordKey, recordText(fresh), now + KEPT_MS).then(({ created, record }) => {
      if (!created) return this.joinInTime(recordKey, fresh, this.clock.elapsed() + WAIT_MS);
      return { kind: 'execute', claim: this.hold(recordKey, fresh, record, request.requestId) };
    });
  }

  /** Settles what a later request with the key is told; durable when it resolves. */
  async complete(claim: HeldClaim, answer: StoredAnswer, nature = SECRET): Promise<void> {
    try {
      letGo(claim);
      if (claim.renewal) await claim.renewal;
      await this.settleAsNeeded(claim, answer, nature);
    } finally {
      // A claim that was dropped makes room for the next before the disk has it.
      if (this.executing.get(claim.recordKey) === claim) this.executing.delete(claim.recordKey);
      claim.waiting?.forEach((callback) => callback());
    }
  }

  private async settleAsNeeded(claim: HeldClaim, answer: StoredAnswer, nature: AnswerNature): Promise<void> {
    const isAnswer = answer.status < 400;
    if (isAnswer && this.isRetold(claim, nature)) return;
    const settled = this.settle(claim, answer, nature);
    // What was told again can be told once more, whether the disk takes it now or not.
    await (isAnswer && nature.retelling === 'done' ? settled.catch(() => undefined) : settled);
  }

  /**
   * Whether nothing need be kept: who comes with the key again finds a claim that nobody executes, carries its request out,
   * and is told the same. Where there are other processes they cannot tell such a claim from one that is executed elsewhere.
   */
  private isRetold({ recordKey, version, again }: HeldClaim, { retelling }: AnswerNature): boolean {
    return retelling === 'possible' && !again && this.isAlone && this.records.isStored(recordKey, version);
  }

  /** Whether no other process can execute requests. */
  private get isAlone(): boolean {
    return this.engine.leasesVoidBefore === EVER;
  }

  private settle(claim: HeldClaim, answer: StoredAnswer, { open, retelling }: AnswerNature): Promise<unknown> {
    const { recordKey, version, record, expiresAt, again, requestId } = claim;
    const fate = fateOf(answer.status);
    if (fate === 'keep') {
      const told = retelling === 'done' ? record : { ...record, requestId };
      const text = recordText(told, this.answers.keep(answer, recordKey, !open));
      return this.records.replace(recordKey, version, text, expiresAt);
    }
    if (fate === 'release' || again) {
      const leaseUntil = record.requestId === requestId ? FAILED : OVER;
      return this.records.replace(recordKey, version, recordText({ ...record, leaseUntil }), expiresAt);
    }
    return this.records.remove(recordKey, version);
  }

  private fresh(fingerprint: string, requestId: string): IdempotencyRecord {
    const now = this.clock.now();
    return { fingerprint, startedAt: now, leasedAt: now, leaseUntil: now + LEASE_MS, requestId };
  }

  private async joinInTime(recordKey: string, { fingerprint, requestId }: IdempotencyRecord, giveUpAt: number): Promise<Begun> {
    for (;;) {
      const fresh = this.fresh(fingerprint, requestId);
      const { created, record } = await this.records.create(recordKey, recordText(fresh), fresh.startedAt + KEPT_MS);
      if (created) return { kind: 'execute', claim: this.hold(recordKey, fresh, record, requestId) };
      const begun = await this.join(recordKey, fresh, record);
      if (begun) return begun;
      if (this.clock.elapsed() >= giveUpAt) {
        const message = 'The first request with this key is still being executed.';
        throw new DomainError('idempotency_key_in_use', message, { retryAfter: 1 });
      }
      await this.someoneElse(recordKey);
    }
  }

  /** Null while somebody else executes. */
  private async join(recordKey: string, fresh: IdempotencyRecord, found: ExpiringRecord): Promise<Begun | null> {
    const record = readRecord(found.value);
    if (record.fingerprint !== fresh.fingerprint) {
      throw new DomainError('idempotency_key_reused', 'This key was used for another request.');
    }
    // What is being settled may be seen before it is durable: nobody is told of it until then.
    if (this.executing.has(recordKey) || this.takingOver.has(recordKey)) return null;
    const answer = this.answers.answerIn(record, recordKey);
    if (answer) return { kind: 'replay', answer, originalRequest: record.requestId };
    const isDead = record.leaseUntil <= this.clock.now() || record.leasedAt < this.engine.leasesVoidBefore;
    return isDead ? this.takeOver(recordKey, fresh, record, found) : null;
  }

  private async takeOver(
    recordKey: string,
    fresh: IdempotencyRecord,
    { startedAt, requestId, leaseUntil }: IdempotencyRecord,
    found: ExpiringRecord,
  ): Promise<Begun | null> {
    // After a failure that was told, the answer is still to be given.
    const successor = { ...fresh, startedAt, requestId: leaseUntil === FAILED ? fresh.requestId : requestId };
    // Nobody else is there to be told: a disk that takes nothing must not keep an answer from being told again.
    if (this.isAlone) return { kind: 'execute', claim: this.hold(recordKey, successor, found, fresh.requestId, true) };
    this.takingOver.add(recordKey);
    try {
      const replaced = await this.records.replace(recordKey, found.version, recordText(successor), found.expiresAt);
      return replaced && { kind: 'execute', claim: this.hold(recordKey, successor, replaced, fresh.requestId, true) };
    } finally {
      this.takingOver.delete(recordKey);
    }
  }

  private hold(
    recordKey: string,
    record: IdempotencyRecord,
    { version, expiresAt }: ExpiringRecord,
    requestId: string,
    again = false,
  ): HeldClaim {
    const heldSince = record.leasedAt;
    const claim: HeldClaim = {
      recordKey,
      record,
      version,
      expiresAt,
      requestId,
      again,
      waiting: null,
      heldSince,
      isHeld: true,
      renewal: null,
      renew: () => (claim.renewal = this.renew(claim)),
    };
    this.executing.set(recordKey, claim);
    this.leases.watch();
    return claim;
  }

  /** A renewal that fails is tried again at the next tick; one that lost its record has been taken over. */
  private async renew(claim: HeldClaim): Promise<void> {
    if (claim.renewal) await claim.renewal;
    const { recordKey, version, record, expiresAt, heldSince } = claim;
    const now = this.clock.now();
    if (now - heldSince > LONGEST_EXECUTION_MS) return letGo(claim);
    const renewed = { ...record, leasedAt: now, leaseUntil: now + LEASE_MS };
    try {
      const replaced = await this.replaced(recordKey, version, recordText(renewed), expiresAt);
      if (!replaced) return letGo(claim);
      claim.record = renewed;
      claim.version = replaced.version;
    } catch {
      // The lease outlives two more ticks.
    }
  }

  /** What a store says it has not taken may have the record's place all the same. */
  private async replaced(recordKey: string, version: string, text: string, expiresAt: number): Promise<ExpiringRecord | null> {
    try {
      return await this.records.replace(recordKey, version, text, expiresAt);
    } catch (error) {
      const found = await this.records.get(recordKey);
      if (found?.value === text) return found;
      throw error;
    }
  }

  private someoneElse(recordKey: string): Promise<void> {
    const claim = this.executing.get(recordKey);
    const waiting = claim && (claim.waiting ??= new Set());
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        waiting?.delete(done);
        resolve();
      };
      const cancel = this.clock.after(LOOK_EVERY_MS, done);
      waiting?.add(done);
    });
  }
}

function letGo(claim: HeldClaim): void {
  claim.isHeld = false;
}
