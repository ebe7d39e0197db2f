import { ApiSchema } from '@nestjs/swagger';
import { ReplayEvent } from '@application/webhooks/delivery.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { MAX_ENDPOINTS } from '@domain/endpoint/endpoints.decider';
import { IdListField } from '../http/fields/value-fields.js';

@ApiSchema({ description: 'Has no members: `{}`, or no body at all.' })
export class ReplayDto {}

@ApiSchema({ description: 'Where the event is sent again; `{}`, or no body at all, for all endpoints that want it.' })
export class ReplayEventDto {
  @IdListField('endpoint', MAX_ENDPOINTS, {
    description:
      'The endpoints to send it to, whatever their filters; when not given, all that are not disabled and whose filters it passes.',
  })
  endpoint_ids?: readonly string[] | null;

  toCommand(context: RequestContext, eventId: string): ReplayEvent {
    return new ReplayEvent(context, eventId, this.endpoint_ids ?? null);
  }
}
