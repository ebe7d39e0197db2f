import type { operations } from '../../api/admin-api.js';
import { filtersOf } from '../../state/filters-of.js';

export type AppointmentQuery = NonNullable<operations['listAppointments']['parameters']['query']>;

export const STATUSES = ['pending', 'confirmed', 'rescheduled', 'cancelled', 'failed'] as const;

const OF_BOTH_VIEWS = ['status', 'customer_id', 'session_id', 'conversation_id', 'resource_id', 'external_id'] as const;

export const FILTER_NAMES: readonly string[] = [...OF_BOTH_VIEWS, 'starts_at[gte]', 'starts_at[lt]'];

/** The filters of the list. */
export function listQuery(values: Readonly<Record<string, string>>): AppointmentQuery {
  return filtersOf(values, FILTER_NAMES);
}

/** The filters of the calendar, which sets the bounds of the start itself. */
export function calendarQuery(values: Readonly<Record<string, string>>, from: Date, to: Date): AppointmentQuery {
  const filters = filtersOf<AppointmentQuery>(values, OF_BOTH_VIEWS);
  return { ...filters, 'starts_at[gte]': from.toISOString(), 'starts_at[lt]': to.toISOString() };
}
