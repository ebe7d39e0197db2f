import { Injectable } from '@nestjs/common';
import type { Delivery } from '@domain/delivery/delivery';
import type { AttemptResult, CancelReason } from '@domain/delivery/delivery.events';
import { deliveryOf, isForeign } from '@domain/delivery/event-deliveries';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { Clock } from '@ports/clock.port';
import { Engine, EVER } from '@ports/engine.port';
import { isRetryableStoreError } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { Settings } from '@ports/settings.port';
import type { SendResult } from '@ports/webhook-sender.port';
import { Shutdown } from '../../runtime/shutdown.js';
import { untilStored } from '../../runtime/until-stored.js';
import { attemptEnvelope, type DeliveryPointer } from '../delivery-pointer.js';
import { type ClaimDelivery, DeliveryStreams } from '../delivery-streams.js';

/** A claim is retried this long while the store is unavailable; then the sweep publishes its pointer again. */
const CLAIMED_WITHIN_MS = 60_000;
const LEASE_MARGIN_MS = 5_000;
/** How long an attempt waits if this machine could not make it, and the jitter, so that not all retry at once. */
const POSTPONED_BY_MS = 2_000;
const POSTPONED_SPREAD_MS = 3_000;

export interface Claimed {
  readonly attemptId: string;
  readonly attempt: number;
  readonly startedAt: number;
  readonly leaseUntil: number;
}

export type Outcome = Exclude<SendResult, { readonly kind: 'hindered' }>;

type FindEndpoint = () => Promise<Endpoint | null>;

export interface ClaimAttempt {
  /** Null if another worker has it or there is nothing to do. */
  readonly claimed: Claimed | null;
  readonly delivery: Delivery | null;
  readonly endpoint: Endpoint | null;
}

const NO_ANSWER = { status: null, headers: null, headersTruncated: false, body: null, bodyTruncated: false } as const;

/** Claims attempts and records their outcomes, as events in the stream of the event's deliveries. */
@Injectable()
export class AttemptClaims {
  /** Aborts for the claims under way: hundreds of listeners on the shutdown's own signal would be reported as a leak. */
  private readonly trying = new Set<AbortController>();

  constructor(
    private readonly streams: DeliveryStreams,
    private readonly settings: Settings,
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly shutdown: Shutdown,
  ) {
    shutdown.begun.addEventListener('abort', () => this.trying.forEach((each) => each.abort()), { once: true });
  }

  /**
   * Retries for at most a minute and until the shutdown, because a pointer that is given up waits for the next sweep. `waits` gets
   * each failure. Null where the delivery is not of the pointer's project, endpoint and appointment.
   */
  async claim(pointer: DeliveryPointer, find: FindEndpoint, waits: (failure: unknown) => void): Promise<ClaimAttempt | null> {
    const givingUp = new AbortController();
    if (this.shutdown.begun.aborted) givingUp.abort();
    this.trying.add(givingUp);
    const tried: string[] = [];
    const attempt = async () => {
      try {
        return await this.tryToClaim(pointer, find, tried);
      } catch (error) {
        if (isRetryableStoreError(error)) waits(error);
        throw error;
      }
    };
    return untilStored(this.clock, CLAIMED_WITHIN_MS, attempt, givingUp.signal).finally(() => this.trying.delete(givingUp));
  }

  /** `tried` collects the ids of attempts: a rejected append may have been stored nevertheless. */
  private async tryToClaim(pointer: DeliveryPointer, find: FindEndpoint, tried: string[]): Promise<ClaimAttempt | null> {
    const { eventId, deliveryId } = pointer;
    const attemptId = this.ids.next('attempt');
    let endpoint: Endpoint | null = null;
    const { state } = await this.streams.submit(
      eventId,
      async () => {
        endpoint = await find();
        const unacknowledged = [...tried];
        tried.push(attemptId);
        return this.claimOf(pointer, endpoint, attemptId, unacknowledged);
      },
      attemptEnvelope(pointer),
    );
    if (isForeign(state, deliveryId, pointer)) return null;
    const delivery = deliveryOf(state, deliveryId) ?? null;
    const isWon = delivery?.claim?.attemptId === attemptId;
    return { claimed: isWon ? { ...delivery.claim, attempt: delivery.attemptCount } : null, delivery, endpoint };
  }

  private claimOf(
    pointer: DeliveryPointer,
    endpoint: Endpoint | null,
    attemptId: string,
    unacknowledged: readonly string[],
  ): ClaimDelivery {
    const { deliveryId, projectId, endpointId, appointmentId } = pointer;
    return {
      type: 'ClaimDelivery',
      at: this.clock.now(),
      deliveryId,
      about: { projectId, endpointId, appointmentId },
      attemptId,
      unacknowledged,
      leaseMs: this.settings.webhookTimeoutMs + LEASE_MARGIN_MS,
      voidBefore: this.engine.isShared ? 0 : EVER,
      url: endpoint?.url ?? '',
      ...stateOf(endpoint),
      schedule: this.settings.retrySchedule,
    };
  }

  /** Retries until the lease is over: an attempt without a recorded outcome is made again. */
  async record(pointer: DeliveryPointer, claimed: Claimed, sent: Outcome, find: FindEndpoint): Promise<Delivery | null> {
    const { eventId, deliveryId } = pointer;
    const outcome = {
      type: 'RecordOutcome',
      at: this.clock.now(),
      deliveryId,
      result: resultOf(claimed, sent),
      schedule: this.settings.retrySchedule,
      chance: this.ids.chance(),
    } as const;
    const leftMs = claimed.leaseUntil - this.clock.now();
    const { state } = await untilStored(this.clock, leftMs, async () => {
      const endpoint = await find();
      const { disableOnGone = false } = endpoint ?? {};
      const command = { ...outcome, ...stateOf(endpoint), disableOnGone };
      return this.streams.submit(eventId, command, attemptEnvelope(pointer));
    });
    return deliveryOf(state, deliveryId) ?? null;
  }

  /** Gives up the claim of an attempt that this machine could not make, so that it is retried in some seconds. */
  async postpone(pointer: DeliveryPointer, { attemptId, leaseUntil }: Claimed): Promise<Delivery | null> {
    const { eventId, deliveryId } = pointer;
    const envelope = attemptEnvelope(pointer);
    const waitMs = POSTPONED_BY_MS + Math.floor(this.ids.chance() * POSTPONED_SPREAD_MS);
    const { state } = await untilStored(this.clock, leaseUntil - this.clock.now(), () =>
      this.streams.submit(eventId, { type: 'PostponeDelivery', at: this.clock.now(), deliveryId, attemptId, waitMs }, envelope),
    );
    return deliveryOf(state, deliveryId) ?? null;
  }
}

function stateOf(endpoint: Endpoint | null) {
  const [isPaused, disablings] = [endpoint?.status === 'paused', endpoint?.disablings ?? 0];
  return { obstacle: obstacleOf(endpoint), isPaused, disablings };
}

function obstacleOf(endpoint: Endpoint | null): CancelReason | null {
  if (!endpoint) return 'endpoint_deleted';
  return endpoint.status === 'disabled' ? 'endpoint_disabled' : null;
}

function resultOf({ attemptId, attempt, startedAt }: Claimed, sent: Outcome): AttemptResult {
  const { durationMs, remoteIp, requestHeaders, timings } = sent;
  const { status, headers, headersTruncated, body, bodyTruncated } = sent.kind === 'unreached' ? NO_ANSWER : sent;
  return {
    attemptId,
    attempt,
    startedAt,
    status,
    headers,
    headersTruncated,
    body,
    bodyTruncated,
    durationMs,
    remoteIp,
    errorCode: errorCodeOf(sent),
    requestHeaders,
    timings,
  };
}

function errorCodeOf(sent: Outcome): AttemptResult['errorCode'] {
  if (sent.kind === 'unreached') return sent.error;
  return sent.status >= 300 && sent.status < 400 ? 'redirect' : null;
}
