import { Injectable } from '@nestjs/common';
import type { FrozenEvent } from '@domain/delivery/delivery.events';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { Clock } from '@ports/clock.port';
import { Secrets } from '@ports/secrets.port';
import type { WebhookRequest } from '@ports/webhook-sender.port';
import { SigningSecrets } from '../endpoints/signing-secrets.js';
import type { Claimed } from './attempt-claims.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { signatureHeaders } from './signatures.js';

const USER_AGENT = 'conversation-webhook-service/1';

/** What an attempt posts: the same bytes every time, signed anew. */
@Injectable()
export class AttemptRequests {
  constructor(
    private readonly signing: SigningSecrets,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  requestFor(
    { deliveryId }: DeliveryPointer,
    { attempt }: Claimed,
    endpoint: Endpoint,
    { eventId, eventType, body }: FrozenEvent,
  ): WebhookRequest {
    const now = this.clock.now();
    const timestamp = Math.floor(now / 1_000);
    const hmac: Secrets['hmac'] = (key, message, encoding) => this.secrets.hmac(key, message, encoding);
    const headers = {
      ...endpoint.headers,
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': USER_AGENT,
      ...signatureHeaders(hmac, this.signing.signing(endpoint, now), { eventId, timestamp, body }),
      'Service-Event-Type': eventType,
      'Service-Delivery-Id': deliveryId,
      'Service-Attempt': String(attempt),
    };
    return { projectId: endpoint.projectId, url: endpoint.url, headers, body };
  }
}
