import type { EndpointWork } from '@application/webhooks/bulk/bulk.commands';
import type { EndpointChanges } from '@domain/endpoint/endpoint.events';
import type { Task } from '@domain/task/task';
import type { WebhookRequest } from '@ports/webhook-sender.port';
import type { DeliveryWorld } from './delivery-world.js';
import { HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from './ledger-world.js';

/** Two bookings of one time would be one. */
let booked = 0;

/** Events of appointments of their own, and tasks about an endpoint, in a world. */
export class EndpointWorkWorld {
  constructor(
    readonly world: DeliveryWorld,
    readonly endpointId: string,
  ) {}

  now(): string {
    return new Date(this.world.ledger.clock.now()).toISOString();
  }

  /** Emits so many events, a millisecond apart, and waits until their deliveries have gone as they go. */
  async emit(count: number): Promise<readonly string[]> {
    const { ledger } = this.world;
    const eventIds: string[] = [];
    for (let number = 0; number < count; number++) {
      eventIds.push(await this.world.emit(NINE_ON_MONDAY + ++booked * HALF_HOUR));
      ledger.clock.set(ledger.clock.now() + 1);
    }
    await this.world.quiet();
    return eventIds;
  }

  async change(changes: EndpointChanges): Promise<void> {
    const { directory, ledger } = this.world;
    const at = ledger.clock.now();
    const context = ledger.context();
    const command = { type: 'UpdateEndpoint', at, endpointId: this.endpointId, commandId: context.commandId, changes } as const;
    await directory.run(LEDGER_PROJECT, command, context);
    ledger.clock.set(at + 1);
    await this.world.quiet();
  }

  /** The task of this work, after it was done. */
  async done(work: EndpointWork, withinMs = 2_000): Promise<Task> {
    const { id } = await this.world.bulk.open(this.endpointId, work);
    await this.world.elapse(withinMs, 250);
    return this.world.bulk.tasks.load(LEDGER_PROJECT, id);
  }

  /** What was sent since so many requests, in order. */
  sentSince(before: number): readonly string[] {
    return this.world.sender.sent.slice(before).map(eventIn);
  }
}

function eventIn({ body }: WebhookRequest): string {
  return (JSON.parse(body) as { id: string }).id;
}
