import { Injectable } from '@nestjs/common';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { WebhookSender, type SendResult } from '@ports/webhook-sender.port';
import type { Claimed } from './attempt-claims.js';
import { AttemptRequests } from './attempt-requests.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';

/** The POST of an attempt, and what came of it for whoever counts. */
@Injectable()
export class AttemptPosts {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly requests: AttemptRequests,
    private readonly sender: WebhookSender,
    private readonly counts: DeliveryCounts,
  ) {}

  /** Null when there is nothing to send any more. */
  async post(pointer: DeliveryPointer, claimed: Claimed, endpoint: Endpoint): Promise<SendResult | null> {
    const frozen = await this.streams.frozen(pointer.eventId);
    if (!frozen) return null;
    const result = await this.sender.send(this.requests.requestFor(pointer, claimed, endpoint, frozen));
    this.counts.noteAttempt(result);
    return result;
  }
}
