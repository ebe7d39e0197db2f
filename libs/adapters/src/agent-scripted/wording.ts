/** Last sentences of replies: what was asked is recognised by them when the next message comes. */
export const ASK_WHEN = 'Which day and time would suit you?';
export const ASK_DAY = 'On which day?';
export const ASK_TIME = 'At what time?';
export const OFFER_BOOKING = 'If you want one, tell me the day and time.';
export const ASK_WHICH = 'Which one do you mean?';
export const OFFER_CONFIRM = 'Shall I confirm it?';
export const OFFER_PERSON = 'Shall I connect you with a person?';
export const ANYTHING_ELSE = 'Is there anything else I can do for you?';

export const CLOSINGS = [ASK_WHEN, ASK_DAY, ASK_TIME, OFFER_BOOKING, ASK_WHICH, OFFER_CONFIRM, OFFER_PERSON, ANYTHING_ELSE];

/** Keeps text that came from outside from turning into markdown; underscores inside words do no harm. */
export function literal(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\*`[\]<>~|#]/g, '\\$&')
    .replace(/(?<!\w)_|_(?!\w)/g, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .trim();
}

export const WHAT_I_DO =
  'I can book, confirm, move or cancel appointments, tell you when yours is, or connect you with a person.';
export const HANDING_OVER = "Of course. I'll connect you with a person who will take it from here.";
export const GOODBYE = 'Thank you, and goodbye! Write again any time.';
export const NO_LEDGER = "I'm sorry, I can't book or change appointments here yet.";
export const LEFT_AS_IS = `All right, I'll leave everything as it is. ${ANYTHING_ELSE}`;
export const DONE_ALREADY = 'That is done already. Tell me which appointment you mean and what shall become of it.';
export const NO_APPOINTMENT = `I see no upcoming appointment of yours. ${OFFER_BOOKING}`;
export const SEVERAL = 'You have several appointments:';
export const NONE_THEN = 'I see none then. What I see:';
export const NONE_SUCH = 'I see no such appointment. What I see:';
export const IS_PAST = 'That time has already passed.';
export const NO_SIGHT = "I can't see any appointments from here yet.";
export const NOT_SEEN = "I'm sorry, I can't see your appointments at the moment.";
export const IN_DOUBT = "I'm sorry, something went wrong, and I can't tell whether that is done.";
export const AUTOMATED = "I'm an automated assistant.";

export const ONE_DAY = 'I book one day at a time: please write again for each of the others.';

export function oneAtATime(service: string): string {
  return `I book one at a time: please write again which day and time you want for the **${literal(service)}**.`;
}

export function writeAgain(orders: readonly string[]): string {
  const quoted = orders.map((order) => `“${literal(order)}”`).join(' and ');
  return `One thing at a time: after this, please write ${quoted} again.`;
}
