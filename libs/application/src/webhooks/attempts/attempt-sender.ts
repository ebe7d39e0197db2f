import { Injectable } from '@nestjs/common';
import type { FrozenEvent } from '@domain/delivery/delivery.events';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { Clock } from '@ports/clock.port';
import { WebhookSender, type SendResult, type WebhookRequest } from '@ports/webhook-sender.port';
import { untilStored } from '../../runtime/until-stored.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { HeaderSecrets } from '../endpoints/header-secrets.js';
import { SigningSecrets } from '../endpoints/signing-secrets.js';
import type { Claimed } from './attempt-claims.js';

const USER_AGENT = 'conversation-webhook-service/1';

/** Sends the POST of an attempt, the same bytes every time and signed anew, and counts how it ended. */
@Injectable()
export class AttemptSender {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly signing: SigningSecrets,
    private readonly custom: HeaderSecrets,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
    private readonly counts: DeliveryCounts,
  ) {}

  /** Null when the event's bytes were dropped. Calls `headCame` with the status of the answer, before its body is read. */
  async post(
    pointer: DeliveryPointer,
    claimed: Claimed,
    endpoint: Endpoint,
    headCame: (status: number) => void,
  ): Promise<SendResult | null> {
    const leftMs = claimed.leaseUntil - this.clock.now();
    const frozen = await untilStored(this.clock, leftMs, () => this.streams.frozen(pointer.eventId));
    if (!frozen) return null;
    const result = await this.sender.send(this.requestFor(pointer, claimed, endpoint, frozen), headCame);
    this.counts.noteAttempt(result);
    return result;
  }

  private requestFor(
    { deliveryId }: DeliveryPointer,
    { attempt }: Claimed,
    endpoint: Endpoint,
    { eventId, eventType, body }: FrozenEvent,
  ): WebhookRequest {
    const now = this.clock.now();
    const timestamp = Math.floor(now / 1_000);
    const custom = this.custom.values(endpoint);
    const headers = {
      ...custom,
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': USER_AGENT,
      ...this.signing.signatures(endpoint, now, { eventId, timestamp, body }),
      'Service-Event-Type': eventType,
      'Service-Delivery-Id': deliveryId,
      'Service-Attempt': String(attempt),
    };
    return { projectId: endpoint.projectId, url: endpoint.url, headers, body, confidential: Object.values(custom) };
  }
}
