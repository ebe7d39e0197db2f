import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '@domain/kernel/domain-error';
import { renderJson } from '@domain/kernel/json-text';
import { Clock } from '@ports/clock.port';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';
import { TestEndpoint } from './delivery.commands.js';
import { MOST_WEBHOOK_BYTES } from './fan-out/event.resource.js';
import { toTestEvent } from './fan-out/test-event.resource.js';
import type { DeliveryView } from './delivery-view.js';
import { endpointDisabled, viewOf } from './delivery.handlers.js';
import { DeliveryStreams } from './delivery-streams.js';
import { NewDeliveries } from './new-deliveries.js';

/** Schedules a made-up event for one endpoint. It stays out of the log of events. */
@CommandHandler(TestEndpoint)
export class TestEndpointHandler implements ICommandHandler<TestEndpoint> {
  constructor(
    private readonly endpoints: EndpointDirectory,
    private readonly streams: DeliveryStreams,
    private readonly scheduling: NewDeliveries,
    private readonly clock: Clock,
  ) {}

  async execute({ origin, endpointId, type, overrides }: TestEndpoint): Promise<DeliveryView> {
    const { projectId } = origin;
    const [eventId, deliveryId] = [origin.id('event', 'test'), origin.id('delivery', 'test')];
    if (origin.again && (await this.streams.load(eventId)).event) return viewOf(this.streams, eventId, deliveryId);
    const endpoint = await this.endpoints.load(projectId, endpointId);
    if (endpoint.status === 'disabled') throw endpointDisabled();
    const at = this.clock.now();
    const appointmentId = origin.id('appointment', 'test');
    const body = renderJson(toTestEvent({ eventId, appointmentId, type, at, requestId: origin.requestId }, overrides));
    if (Buffer.byteLength(body) > MOST_WEBHOOK_BYTES) {
      throw new DomainError('parameter_too_long', 'The event is too large.', { param: 'overrides' });
    }
    const event = { eventId, projectId, eventType: type, appointmentId, emittedAt: at, body, test: true };
    const delivery = this.scheduling.newDelivery(endpoint, deliveryId, 'test', at);
    await this.streams.freeze({ type: 'FreezeEvent', at, event, deliveries: [delivery] });
    return viewOf(this.streams, eventId, deliveryId);
  }
}
