import type { AppointmentAction, AppointmentOperation, StatusAction } from './reply-action.js';

const DONE: Readonly<Record<AppointmentOperation, readonly [one: string, several: string]>> = {
  created: ['Your appointment is booked.', 'Your appointments are booked.'],
  confirmed: ['Your appointment is confirmed.', 'Your appointments are confirmed.'],
  rescheduled: ['Your appointment is moved.', 'Your appointments are moved.'],
  cancelled: ['Your appointment is cancelled.', 'Your appointments are cancelled.'],
  failed: ['Your appointment could not be booked.', 'Your appointments could not be booked.'],
};

/** The text of a reply if the agent acted without writing one; empty if it did not act. */
export function silentReply(actions: readonly (AppointmentAction | StatusAction)[]): string {
  const last = new Map<string, AppointmentOperation>();
  for (const action of actions) if (action.type === 'appointment') last.set(action.appointmentId, action.operation);
  const operations = [...last.values()];
  const told = [...new Set(operations)].map((operation) => {
    const [one, several] = DONE[operation];
    return operations.filter((each) => each === operation).length === 1 ? one : several;
  });
  for (const { type } of actions) {
    if (type === 'handoff') told.push("I'll connect you with a person who will take it from here.");
    if (type === 'end_conversation') told.push('Thank you, and goodbye!');
  }
  return told.join(' ');
}
