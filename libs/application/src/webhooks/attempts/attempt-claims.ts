import { Injectable } from '@nestjs/common';
import { deliveryOf, type DeliveryCommand } from '@domain/delivery/deliveries.decider';
import type { Delivery } from '@domain/delivery/delivery';
import type { AttemptResult, CancelReason } from '@domain/delivery/delivery.events';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { Ids } from '@ports/ids.port';
import { Settings } from '@ports/settings.port';
import type { SendResult } from '@ports/webhook-sender.port';
import { untilStored } from '../../runtime/until-stored.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';

/** How much longer than the POST's time limit the lease of an attempt lasts. */
const LEASE_MARGIN_MS = 5_000;

export interface Claimed {
  readonly attemptId: string;
  readonly attempt: number;
  readonly startedAt: number;
  readonly leaseUntil: number;
}

const NO_ANSWER = { status: null, headers: null, body: null, bodyTruncated: false } as const;

/** Claims attempts and records their outcomes, as events in the stream of the event's deliveries. */
@Injectable()
export class AttemptClaims {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly settings: Settings,
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The claim, null if another worker has it or there is nothing to do; and the delivery afterwards. */
  async claim(
    { eventId, deliveryId }: DeliveryPointer,
    endpoint: Endpoint | null,
  ): Promise<{ readonly claimed: Claimed | null; readonly delivery: Delivery | null }> {
    const attemptId = this.ids.next('attempt');
    const { state, events } = await this.streams.submit(eventId, {
      type: 'ClaimDelivery',
      at: this.clock.now(),
      deliveryId,
      attemptId,
      leaseMs: this.settings.webhookTimeoutMs + LEASE_MARGIN_MS,
      voidBefore: this.engine.leasesVoidBefore,
      url: endpoint?.url ?? '',
      obstacle: obstacleOf(endpoint),
      disablings: endpoint?.disablings ?? 0,
      schedule: this.settings.retrySchedule,
    });
    const won = events.find((event) => event.type === 'DeliveryClaimed' && event.attemptId === attemptId);
    const delivery = deliveryOf(state, deliveryId) ?? null;
    if (won?.type !== 'DeliveryClaimed') return { claimed: null, delivery };
    const { attempt, at: startedAt, leaseUntil } = won;
    return { claimed: { attemptId, attempt, startedAt, leaseUntil }, delivery };
  }

  /**
   * Records the outcome of a claimed attempt; the delivery afterwards. Tries again until the lease is over: an attempt whose
   * outcome is not recorded is made once more.
   */
  async record(
    { eventId, deliveryId }: DeliveryPointer,
    claimed: Claimed,
    sent: SendResult,
    endpoint: Endpoint | null,
  ): Promise<Delivery | null> {
    const command: DeliveryCommand = {
      type: 'RecordOutcome',
      at: this.clock.now(),
      deliveryId,
      result: resultOf(claimed, sent),
      obstacle: obstacleOf(endpoint),
      disablings: endpoint?.disablings ?? 0,
      schedule: this.settings.retrySchedule,
      chance: this.ids.chance(),
    };
    const leftMs = claimed.leaseUntil - this.clock.now();
    const { state } = await untilStored(this.clock, leftMs, () => this.streams.submit(eventId, command));
    return deliveryOf(state, deliveryId) ?? null;
  }
}

/** Why nothing may be sent to this endpoint; null when it may. */
function obstacleOf(endpoint: Endpoint | null): CancelReason | null {
  if (!endpoint) return 'endpoint_deleted';
  return endpoint.status === 'disabled' ? 'endpoint_disabled' : null;
}

function resultOf({ attemptId, attempt, startedAt }: Claimed, sent: SendResult): AttemptResult {
  const { durationMs, remoteIp } = sent;
  const { status, headers, body, bodyTruncated } = sent.kind === 'unreached' ? NO_ANSWER : sent;
  return {
    attemptId,
    attempt,
    startedAt,
    status,
    headers,
    body,
    bodyTruncated,
    durationMs,
    remoteIp,
    errorCode: errorCodeOf(sent),
  };
}

function errorCodeOf(sent: SendResult): AttemptResult['errorCode'] {
  if (sent.kind === 'unreached') return sent.error;
  return sent.status >= 300 && sent.status < 400 ? 'redirect' : null;
}
