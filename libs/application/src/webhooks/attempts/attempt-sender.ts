import { Injectable } from '@nestjs/common';
import type { FrozenEvent } from '@domain/delivery/delivery.events';
import { withMaskedValues } from '@domain/endpoint/custom-headers';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { Clock } from '@ports/clock.port';
import type { Span } from '@ports/tracer.port';
import { WebhookSender, type SendResult, type WebhookRequest } from '@ports/webhook-sender.port';
import { untilStored } from '../../runtime/until-stored.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { HeaderSecrets } from '../endpoints/header-secrets.js';
import { SigningSecrets } from '../endpoints/signing-secrets.js';
import type { Claimed } from './attempt-claims.js';
import { USER_AGENT } from '../user-agent.js';

interface PostSigns {
  readonly sends: () => void;
  readonly headCame: (status: number) => void;
  readonly span: Span;
}

/** Sends an attempt's POST, the same bytes every time with a new signature. */
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

  /**
   * Null when the event's bytes were dropped. Calls `sends` right before the POST; `headCame` gets the answer's status before the body
   * is read. The POST names `span` where it is traced. In the result the values of custom headers are masked.
   */
  async post(
    pointer: DeliveryPointer,
    claimed: Claimed,
    endpoint: Endpoint,
    { sends, headCame, span }: PostSigns,
  ): Promise<SendResult | null> {
    const leftMs = claimed.leaseUntil - this.clock.now();
    const frozen = await untilStored(this.clock, leftMs, () => this.streams.frozen(pointer.eventId));
    if (!frozen) return null;
    sends();
    const result = await this.sender.send(this.requestFor(pointer, claimed, endpoint, frozen, span.traceparent), headCame);
    this.counts.noteAttempt(result);
    const { requestHeaders: sent } = result;
    return { ...result, requestHeaders: sent && withMaskedValues(sent, customNames(endpoint)) };
  }

  private requestFor(
    { deliveryId }: DeliveryPointer,
    { attempt }: Claimed,
    endpoint: Endpoint,
    { eventId, eventType, body }: FrozenEvent,
    traceparent: string | undefined,
  ): WebhookRequest {
    const now = this.clock.now();
    const timestamp = Math.floor(now / 1_000);
    const custom = this.custom.values(endpoint);
    const headers = {
      ...(traceparent === undefined ? custom : { ...withoutTrace(custom), traceparent }),
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

function customNames({ plainHeaders, sealedHeaders }: Endpoint): readonly string[] {
  return [...Object.keys(plainHeaders), ...Object.keys(sealedHeaders)];
}

/** Of a trace that is not ours, an attempt is no part. */
function withoutTrace(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^trace(?:parent|state)$/i.test(name)));
}
