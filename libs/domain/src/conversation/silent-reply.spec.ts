import type { AppointmentOperation, StatusAction } from './reply-action.js';
import { silentReply } from './silent-reply.js';

const did = (operation: AppointmentOperation, appointmentId = 'apt_1') =>
  ({ type: 'appointment', operation, appointmentId }) as const;
const GOODBYE: StatusAction = { type: 'end_conversation', reason: 'resolved' };
const HANDOFF: StatusAction = { type: 'handoff', reason: 'asked', summary: null };

describe('an agent that says nothing', () => {
  it.each([
    ['did nothing', [], ''],
    ['booked', [did('created')], 'Your appointment is booked.'],
    ['could not book', [did('failed')], 'Your appointment could not be booked.'],
    ['booked two', [did('created'), did('created', 'apt_2')], 'Your appointments are booked.'],
    ['booked and confirmed', [did('created'), did('confirmed')], 'Your appointment is confirmed.'],
    [
      'moved one and cancelled two',
      [did('rescheduled'), did('cancelled', 'apt_2'), did('cancelled', 'apt_3')],
      'Your appointment is moved. Your appointments are cancelled.',
    ],
    ['cancelled and said goodbye', [did('cancelled'), GOODBYE], 'Your appointment is cancelled. Thank you, and goodbye!'],
    ['handed over', [HANDOFF], "I'll connect you with a person who will take it from here."],
  ])('and %s', (_what, actions, words) => {
    expect(silentReply(actions)).toBe(words);
  });
});
