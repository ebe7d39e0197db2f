import type { Answer, Client } from './client.js';

const DAY = 86_400_000;
const HALF_HOUR = 1_800_000;

let slots = 0;

/** A unique future time, so that no two bookings have the same natural key by accident. */
export function nextSlot(): string {
  return new Date((Math.floor(Date.now() / DAY) + 2) * DAY + ++slots * HALF_HOUR).toISOString();
}

export function later(time: string): string {
  return new Date(Date.parse(time) + HALF_HOUR).toISOString();
}

export function book(client: Client, more: object = {}, headers?: Record<string, string>): Promise<Answer> {
  return client.post('/v1/appointments', { service: 'haircut', starts_at: nextSlot(), ...more }, headers);
}

/** Posts a command of an appointment: `confirm`, `reschedule`, … */
export function change(
  client: Client,
  id: string,
  command: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<Answer> {
  return client.post(`/v1/appointments/${id}/${command}`, body, headers);
}

export type Status = 'pending' | 'confirmed' | 'rescheduled' | 'cancelled' | 'failed';

const FAILURE = { code: 'calendar_unavailable', message: 'The calendar did not answer.' };

/** The minimal body of each command. */
export const COMMANDS: Readonly<Record<string, () => object | undefined>> = {
  confirm: () => undefined,
  reschedule: () => ({ starts_at: nextSlot() }),
  cancel: () => undefined,
  fail: () => FAILURE,
  rebook: () => ({ starts_at: nextSlot() }),
};

/** Books an appointment, brings it to this status and returns its id. */
export async function appointmentIn(client: Client, status: Status): Promise<string> {
  const { body } = await book(client, status === 'failed' ? { status, failure: FAILURE } : {});
  const command = { confirmed: 'confirm', rescheduled: 'reschedule', cancelled: 'cancel', pending: null, failed: null }[status];
  if (command !== null) await change(client, body.id, command, COMMANDS[command]?.());
  return body.id;
}

/** The events of one appointment, oldest first. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function eventsOf(client: Client, appointmentId: string): Promise<any[]> {
  const { body } = await client.get(`/v1/events?object_id=${appointmentId}&limit=100`);
  return body.data.toReversed();
}

export async function kindsOf(client: Client, appointmentId: string): Promise<string[]> {
  return (await eventsOf(client, appointmentId)).map(({ type }: { type: string }) => type.replace('appointment.', ''));
}
