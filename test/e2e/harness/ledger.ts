import { randomUUID } from 'node:crypto';
import type { Answer, Client } from './client.js';
import { takenOver } from './taken-over.js';

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
  const { status, text, body } = await client.get(`/v1/events?object_id=${appointmentId}&limit=100`);
  expect([status, text]).toEqual([200, expect.stringContaining('"data"')]);
  return body.data.toReversed();
}

export async function kindsOf(client: Client, appointmentId: string): Promise<string[]> {
  return (await eventsOf(client, appointmentId)).map(({ type }: { type: string }) => type.replace('appointment.', ''));
}

/** More would wait longer for a shared engine on a busy machine than it may take. */
const MADE_AT_ONCE = 8;
const MAX_EVENTS_OF_A_MOVE = 3;
/** Moves of an appointment, by the number of events that they emit. */
const MOVES: Readonly<Record<number, object>> = {
  1: {},
  2: { confirm: true },
  [MAX_EVENTS_OF_A_MOVE]: { confirm: true, mode: 'cancel_and_recreate' },
};

/** Makes so many events of so many appointments, as many by each request as it can emit. */
export async function makeEvents(client: Client, count: number, appointments: number): Promise<void> {
  const shares = Array.from({ length: appointments }, (_, index) => Math.ceil((count - index) / appointments)).values();
  const makeNext = async () => {
    for (const share of shares) await makeEventsOfOne(client, share);
  };
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, makeNext));
}

async function makeEventsOfOne(client: Client, count: number): Promise<void> {
  const atBooking = Math.min(count, 2);
  const booking = { status: atBooking === 2 ? 'confirmed' : 'pending', starts_at: nextSlot() };
  const { id } = await once(201, (key) => book(client, booking, key));
  for (let left = count - atBooking; left > 0; left -= MAX_EVENTS_OF_A_MOVE) {
    const move = { starts_at: nextSlot(), ...MOVES[Math.min(left, MAX_EVENTS_OF_A_MOVE)] };
    await once(200, (key) => change(client, id, 'reschedule', move, key));
  }
}

/** Asks under a key, so that a shared engine that is short of time for a moment makes nothing twice. */
async function once(expected: number, ask: (key: Record<string, string>) => Promise<Answer>): Promise<{ readonly id: string }> {
  const key = { 'idempotency-key': randomUUID() };
  const { status, text, body } = await takenOver(() => ask(key));
  if (status !== expected) throw new Error(`It was answered ${status}: ${text}`);
  return body;
}
