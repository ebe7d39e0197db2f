import { Injectable } from '@nestjs/common';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import type { Recorded } from '@ports/event-store.port';
import { idIn } from '@ports/stream-category';
import { causedBy } from '../../runtime/caused-by.js';
import type { Reactor } from '../../runtime/reactor.js';
import { HeaderSecrets } from './header-secrets.js';

/** Seals header values that earlier versions stored in plain text, or still store during an upgrade. */
@Injectable()
export class HeaderSealingReactor implements Reactor {
  readonly name = 'header-sealing';
  readonly categories = ['endpoints'];

  constructor(private readonly headers: HeaderSecrets) {}

  partitionKey({ stream, event }: Recorded): string | null {
    return hasPlainHeaders(event as EndpointEvent) ? stream : null;
  }

  async handle(events: readonly Recorded[]): Promise<void> {
    const newest = new Map(events.map((record) => [record.stream, record]));
    for (const [stream, record] of newest) await this.headers.sealStored(idIn(stream), causedBy(record));
  }
}

function hasPlainHeaders(event: EndpointEvent): boolean {
  const { headers = {} } = event.type === 'EndpointUpdated' ? event.changes : event.type === 'EndpointRegistered' ? event : {};
  return Object.keys(headers).length > 0;
}
