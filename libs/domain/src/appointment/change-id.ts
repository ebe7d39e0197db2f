import { idPattern } from '../kernel/ids.js';

/** A regular expression for the ids of an appointment's changes; also shown in the OpenAPI document. */
export const CHANGE_ID_PATTERN = `${idPattern('appointment').slice(0, -1)}\\.[1-9]\\d{0,14}$`;
const CHANGE_ID = new RegExp(CHANGE_ID_PATTERN);

/** Names the change that made this version of an appointment. */
export function changeIdOf(appointmentId: string, version: number): string {
  return `${appointmentId}.${version}`;
}

export function isChangeId(text: unknown): text is string {
  return typeof text === 'string' && CHANGE_ID.test(text);
}
