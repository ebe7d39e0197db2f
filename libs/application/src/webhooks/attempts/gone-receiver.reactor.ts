import { Injectable } from '@nestjs/common';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { deliveryOf } from '@domain/delivery/event-deliveries';
import type { Recorded } from '@ports/event-store.port';
import { idIn } from '@ports/stream-category';
import { causedBy } from '../../runtime/caused-by.js';
import type { Reactor } from '../../runtime/reactor.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';

type Failure = Recorded<Extract<DeliveryEvent, { type: 'DeliveryFailed' }>>;

/** One partition for all: a partition key leaves out events that the reactor ignores, which are most. */
const ONLY_PARTITION = 'gone';

/** Disables endpoints whose receivers answered 410, where that was asked for. What waits for them is cancelled as by any disabling. */
@Injectable()
export class GoneReceiverReactor implements Reactor {
  readonly name = 'gone-receivers';
  readonly categories = ['deliveries'];

  constructor(
    private readonly streams: DeliveryStreams,
    private readonly endpoints: EndpointDirectory,
  ) {}

  partitionKey(record: Recorded): string | null {
    return disablesEndpoint(record) ? ONLY_PARTITION : null;
  }

  async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    for (const failure of events.filter(disablesEndpoint)) {
      signal.throwIfAborted();
      await this.disable(failure);
    }
  }

  /** By the delivery's view of the endpoint: one that was disabled or moved since its attempt is left alone. */
  private async disable(failure: Failure): Promise<void> {
    const state = await this.streams.load(idIn(failure.stream));
    const delivery = deliveryOf(state, failure.event.deliveryId);
    if (!state.event || !delivery) return;
    const { endpointId, url, disablings } = delivery;
    const command = { type: 'DisableGoneEndpoint', endpointId, url, disablings: disablings ?? 0 } as const;
    const origin = { commandId: failure.id, envelope: causedBy(failure) };
    await this.endpoints.run(state.event.projectId, (at) => ({ at, ...command }), origin);
  }
}

function disablesEndpoint(record: Recorded): record is Failure {
  const event = record.event as DeliveryEvent;
  return event.type === 'DeliveryFailed' && event.disablesEndpoint === true;
}
