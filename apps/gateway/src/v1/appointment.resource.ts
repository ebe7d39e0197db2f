import { ApiProperty } from '@nestjs/swagger';
import { APPOINTMENT_STATUSES } from '@domain/appointment/appointment';
import { APPOINTMENT_SOURCES, CANCELLERS } from '@domain/appointment/appointment.events';
import type { JsonText } from '@domain/kernel/json-text';
import { toAppointmentResource } from '@application/appointments/appointment.resource';
import { COUNT, idOf, idOrNull, METADATA, one, TEXT, TEXT_OR_NULL, TIME, TIME_OR_NULL, VERSION } from './schemas.resource.js';

export class RescheduleResource {
  @ApiProperty({ ...COUNT, minimum: 1 }) count!: number;
  @ApiProperty(TIME) previous_starts_at!: string;
  @ApiProperty(TIME) previous_ends_at!: string;
  @ApiProperty(TIME) at!: string;
}

export class CancellationResource {
  @ApiProperty(TEXT_OR_NULL) reason!: string | null;
  @ApiProperty(one(...CANCELLERS)) cancelled_by!: string;
  @ApiProperty(TIME) at!: string;
}

export class FailureResource {
  @ApiProperty(TEXT) code!: string;
  @ApiProperty(TEXT) message!: string;
  @ApiProperty(TIME) at!: string;
}

/** The documented shape of what `toAppointmentResource` renders for answers and webhooks. */
export class AppointmentResource {
  @ApiProperty(idOf('appointment')) id!: string;
  @ApiProperty(one('appointment')) object!: string;
  @ApiProperty(one(...APPOINTMENT_STATUSES)) status!: string;
  @ApiProperty(VERSION) version!: number;
  @ApiProperty(idOrNull('customer')) customer_id!: string | null;
  @ApiProperty(idOrNull('session')) session_id!: string | null;
  @ApiProperty(idOrNull('conversation')) conversation_id!: string | null;
  @ApiProperty(TEXT_OR_NULL) external_id!: string | null;
  @ApiProperty(TEXT) service!: string;
  @ApiProperty(TEXT_OR_NULL) resource_id!: string | null;
  @ApiProperty(TIME) starts_at!: string;
  @ApiProperty(TIME) ends_at!: string;
  @ApiProperty({ ...TEXT, example: 'Europe/Berlin' }) time_zone!: string;
  @ApiProperty(TEXT_OR_NULL) location!: string | null;
  @ApiProperty(TEXT_OR_NULL) notes!: string | null;
  @ApiProperty({ type: () => RescheduleResource, nullable: true }) reschedule!: RescheduleResource | null;
  @ApiProperty({ type: () => CancellationResource, nullable: true }) cancellation!: CancellationResource | null;
  @ApiProperty({ type: () => FailureResource, nullable: true }) failure!: FailureResource | null;
  @ApiProperty(one(...APPOINTMENT_SOURCES)) source!: string;
  @ApiProperty(METADATA) metadata!: JsonText;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME_OR_NULL) confirmed_at!: string | null;
  @ApiProperty(TIME) updated_at!: string;
  @ApiProperty({ type: 'boolean', required: false, description: 'On booking only: whether it was booked before.' })
  deduplicated?: boolean;
}

// Does not compile when the documented and the rendered shape differ.
export const toPublished: (...of: Parameters<typeof toAppointmentResource>) => AppointmentResource = toAppointmentResource;
