import { ApiProperty } from '@nestjs/swagger';
import { APPOINTMENT_STATUSES } from '@domain/appointment/appointment';
import { ACTOR_TYPES } from '@domain/appointment/cause';
import { AppointmentResource, CancellationResource, FailureResource, RescheduleResource } from './appointment.resource.js';
import { COUNT, idOf, idOrNull, one, oneOrNull, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL, VERSION } from './schemas.resource.js';

class PreviousAttributesResource {
  @ApiProperty({
    ...oneOrNull(...APPOINTMENT_STATUSES),
    description: 'Always there; null on a creation.',
  })
  status!: string | null;
  @ApiProperty({ ...TIME, required: false }) starts_at?: string;
  @ApiProperty({ ...TIME, required: false }) ends_at?: string;
  @ApiProperty({ type: () => RescheduleResource, nullable: true, required: false }) reschedule?: RescheduleResource | null;
  @ApiProperty({ type: () => CancellationResource, nullable: true, required: false })
  cancellation?: CancellationResource | null;
  @ApiProperty({ type: () => FailureResource, nullable: true, required: false }) failure?: FailureResource | null;
  @ApiProperty({ ...TIME_OR_NULL, required: false }) confirmed_at?: string | null;
}

const PREVIOUS = { type: PreviousAttributesResource, description: 'What was different before, among it the status.' } as const;

class EventDataResource {
  @ApiProperty({ type: () => AppointmentResource, description: 'The appointment as it was then.' }) object!: AppointmentResource;
  @ApiProperty(PREVIOUS) previous_attributes!: PreviousAttributesResource;
}

class ActorResource {
  @ApiProperty(one(...ACTOR_TYPES)) type!: string;
  @ApiProperty(idOrNull('session')) session_id!: string | null;
}

class ChangeResource {
  @ApiProperty(TEXT) reason!: string;
  @ApiProperty({ type: ActorResource }) actor!: ActorResource;
  @ApiProperty({ ...idOrNull('correlation'), description: 'Null in a test of a webhook.' }) correlation_id!: string | null;
  @ApiProperty({ ...VERSION, minimum: 0, nullable: true }) previous_version!: number | null;
}

class RequestResource {
  @ApiProperty(TEXT_OR_NULL) id!: string | null;
  @ApiProperty(TEXT_OR_NULL) idempotency_key!: string | null;
}

class DeliverySummaryResource {
  @ApiProperty(COUNT) total!: number;
  @ApiProperty(COUNT) succeeded!: number;
  @ApiProperty({ ...COUNT, description: 'Not finished.' }) pending!: number;
  @ApiProperty(COUNT) failed!: number;
  @ApiProperty(COUNT) cancelled!: number;
}

/** The members of an event that webhooks and answers share. */
class EventBodyResource {
  @ApiProperty(idOf('event')) id!: string;
  @ApiProperty(one('event')) object!: 'event';
  @ApiProperty({ ...TEXT, example: 'appointment.confirmed' }) type!: string;
  @ApiProperty(one('v1')) api_version!: 'v1';
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME) timestamp!: string;
  @ApiProperty({ ...COUNT, format: 'int64' }) sequence!: number;
  @ApiProperty({ type: EventDataResource }) data!: EventDataResource;
  @ApiProperty(PREVIOUS) previous_attributes!: PreviousAttributesResource;
  @ApiProperty({ type: ChangeResource }) change!: ChangeResource;
  @ApiProperty({ type: RequestResource }) request!: RequestResource;
  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'True where the whole was too large: without notes, location and metadata. Else absent.',
  })
  thin?: true;
}

/** An event in an answer: its webhook body and a summary of its deliveries. */
export class EventResource extends EventBodyResource {
  @ApiProperty({ type: DeliverySummaryResource }) delivery_summary!: DeliverySummaryResource;
}

/** The body of a webhook. */
export class WebhookEventResource extends EventBodyResource {
  @ApiProperty({
    type: 'boolean',
    required: false,
    description: 'True where it was made up, by `…/test`, and is not in the events log. Else absent.',
  })
  test?: true;
}
