import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { endpointDisabled } from '@domain/endpoint/endpoint';
import { DomainError } from '@domain/kernel/domain-error';
import { renderJson } from '@domain/kernel/json-text';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { idFor } from '../runtime/request-context.js';
import { DeliveryStreams } from './delivery-streams.js';
import type { DeliveryView } from './delivery-view.js';
import { TestEndpoint } from './delivery.commands.js';
import { viewOf } from './delivery.handlers.js';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';
import { MAX_WEBHOOK_BYTES } from './fan-out/event.resource.js';
import { toTestEvent } from './fan-out/test-event.resource.js';
import { NewDeliveries } from './new-deliveries.js';

/** The list of events does not show the sample event. */
@CommandHandler(TestEndpoint)
export class TestEndpointHandler implements ICommandHandler<TestEndpoint> {
  constructor(
    private readonly endpoints: EndpointDirectory,
    private readonly streams: DeliveryStreams,
    private readonly scheduling: NewDeliveries,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async execute({ context, endpointId, type, overrides }: TestEndpoint): Promise<DeliveryView> {
    const { projectId } = context;
    const [eventId, deliveryId] = [idFor(this.ids, context, 'event', 'test'), idFor(this.ids, context, 'delivery', 'test')];
    if (context.isRetry && (await this.streams.load(eventId)).event) return viewOf(this.streams, eventId, deliveryId);
    const endpoint = await this.endpoints.load(projectId, endpointId);
    if (endpoint.status === 'disabled') throw endpointDisabled();
    const at = this.clock.now();
    const appointmentId = idFor(this.ids, context, 'appointment', 'test');
    const body = renderJson(toTestEvent({ eventId, appointmentId, type, at, requestId: context.requestId }, overrides));
    if (Buffer.byteLength(body) > MAX_WEBHOOK_BYTES) {
      throw new DomainError('parameter_too_long', 'The event is too large.', { param: 'overrides' });
    }
    const event = { eventId, projectId, eventType: type, appointmentId, emittedAt: at, body, test: true };
    const delivery = this.scheduling.newDelivery(endpoint, deliveryId, 'test', at);
    await this.streams.freeze({ type: 'FreezeEvent', at, event, deliveries: [delivery] }, context.envelope);
    return viewOf(this.streams, eventId, deliveryId);
  }
}
