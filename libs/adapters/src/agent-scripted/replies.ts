import type { AppointmentSummary } from '@ports/agent.port';
import { described } from './appointments.js';
import { IN_DOUBT, type Change } from './ledger.js';
import * as words from './wording.js';

export type Answer = { readonly kind: 'said'; readonly content: string } | { readonly kind: 'wants person' };

const ROWS = 9;

/** An answer of these sentences; empty ones leave no gap. */
export function say(...sentences: string[]): Answer {
  const content = sentences.filter((sentence) => sentence !== '').join(' ');
  return { kind: 'said', content: content.replace(/\n +/g, '\n') };
}

/** The intro and the first nine appointments as numbered lines, so that one can be chosen by its place. */
export function listed(intro: string, appointments: readonly AppointmentSummary[], zone: string): string {
  const rows = appointments.slice(0, ROWS).map((each, index) => `${index + 1}. ${described(each, zone)}`);
  return `${intro}\n\n${rows.join('\n')}\n\n`;
}

function refused({ code, message }: Extract<Change, { ok: false }>): Answer {
  if (code === IN_DOUBT) return say(words.IN_DOUBT, words.OFFER_PERSON);
  const cause = message === '' ? '' : `: ${words.literal(message).replace(/\.$/, '')}`;
  return say(`I'm sorry, that did not work${cause}.`, words.OFFER_PERSON);
}

/** `done` is what happened beside a confirmation: "is booked". */
export function told(change: Change, done: string | null, zone: string, more = ''): Answer {
  if (!change.ok) return refused(change);
  const { appointment } = change;
  const what = described(appointment, zone);
  if (appointment.status === 'cancelled') return say(`Done: ${what} is cancelled.`, more, words.ANYTHING_ELSE);
  if (appointment.status !== 'confirmed') return say(`Done: ${what} ${done ?? 'is noted'}.`, more, words.OFFER_CONFIRM);
  return say(`Done: ${what} ${done === null ? 'is confirmed' : `${done} and confirmed`}.`, more, words.ANYTHING_ELSE);
}

/** Changes them one after the other until one refuses. */
export async function changeAll(
  all: readonly AppointmentSummary[],
  change: (id: string) => Promise<Change>,
  zone: string,
): Promise<Answer> {
  let last: Change | null = null;
  for (const { id } of all) {
    last = await change(id);
    if (!last.ok) return refused(last);
  }
  if (last === null) return say(words.NO_APPOINTMENT);
  if (all.length === 1 || !last.ok) return told(last, null, zone);
  return say(`All ${all.length} upcoming appointments are ${last.appointment.status}.`, words.ANYTHING_ELSE);
}
