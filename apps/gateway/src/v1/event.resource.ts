import { ApiProperty } from '@nestjs/swagger';
import { AppointmentResource } from './appointment.resource.js';
import { idOf, one, TEXT, TEXT_OR_NULL, TIME } from './schemas.resource.js';

const PREVIOUS = {
  type: 'object',
  additionalProperties: true,
  description: 'What was different before; always with `status`, null on a creation.',
} as const;

class EventDataResource {
  @ApiProperty({ type: () => AppointmentResource, description: 'The appointment as it was then.' }) object!: AppointmentResource;
  @ApiProperty(PREVIOUS) previous_attributes!: object;
}

class ActorResource {
  @ApiProperty(one('agent', 'client', 'admin', 'system')) type!: string;
  @ApiProperty(TEXT_OR_NULL) session_id!: string | null;
}

class ChangeResource {
  @ApiProperty(TEXT) reason!: string;
  @ApiProperty({ type: ActorResource }) actor!: ActorResource;
  @ApiProperty(TEXT) correlation_id!: string;
  @ApiProperty({ type: 'integer', nullable: true }) previous_version!: number | null;
}

class RequestResource {
  @ApiProperty(TEXT_OR_NULL) id!: string | null;
  @ApiProperty(TEXT_OR_NULL) idempotency_key!: string | null;
}

class DeliverySummaryResource {
  @ApiProperty({ type: 'integer' }) total!: number;
  @ApiProperty({ type: 'integer' }) succeeded!: number;
  @ApiProperty({ type: 'integer', description: 'Not finished.' }) pending!: number;
  @ApiProperty({ type: 'integer' }) failed!: number;
  @ApiProperty({ type: 'integer' }) cancelled!: number;
}

/** The published shape of an event: the bytes of its webhooks, and how its deliveries stand. */
export class EventResource {
  @ApiProperty(idOf('event')) id!: string;
  @ApiProperty(one('event')) object!: 'event';
  @ApiProperty({ ...TEXT, example: 'appointment.confirmed' }) type!: string;
  @ApiProperty(one('v1')) api_version!: 'v1';
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME) timestamp!: string;
  @ApiProperty({ type: 'integer' }) sequence!: number;
  @ApiProperty({ type: EventDataResource }) data!: EventDataResource;
  @ApiProperty(PREVIOUS) previous_attributes!: object;
  @ApiProperty({ type: ChangeResource }) change!: ChangeResource;
  @ApiProperty({ type: RequestResource }) request!: RequestResource;
  @ApiProperty({ type: DeliverySummaryResource }) delivery_summary!: DeliverySummaryResource;
}
