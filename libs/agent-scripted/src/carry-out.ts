import { type Appointment, type LedgerClient, type Outcome, upcoming } from './ledger-client.js';
import { type Here, IS_PAST } from './moments.js';
import type { Note, Offer } from './note.js';
import * as replies from './replies.js';

/** What is said, and what becomes of the note; without one it stays as it is. */
export interface Said {
  readonly content: string;
  readonly note?: Note;
  readonly handsOver?: boolean;
}

/** What a turn knows when it carries something out. */
export interface Scene extends Here {
  readonly ledger: LedgerClient;
  readonly now: number;
}

const DONE = { book: 'booked', confirm: 'confirmed', move: 'moved', cancel: 'cancelled' };

/** Shall I do this? */
export function questionOf(offer: Offer, { zone }: Scene): string {
  if (offer.verb === 'person') return replies.OFFER_PERSON;
  const preposition = offer.verb === 'move' ? 'to' : 'on';
  return `Shall I ${offer.verb} ${replies.serviceText(offer.service)} ${preposition} ${replies.momentText(offer.at, zone, zone)}?`;
}

/** Offers it, behind these sentences. The next yes accepts. */
export function offered(offer: Offer, scene: Scene, ...before: readonly string[]): Said {
  return {
    content: replies.joined(...before, questionOf(offer, scene)),
    note: { offer, ...('id' in offer && { about: offer.id }) },
  };
}

/** Does it at once, and says what the tool answered. */
export async function carryOut(offer: Offer, scene: Scene): Promise<Said> {
  if (offer.verb === 'person') return { content: replies.HANDING_OVER, handsOver: true };
  if (offer.at <= scene.now) return { content: IS_PAST, note: {} };
  return told(await scene.ledger.carryOut(offer), offer, scene);
}

/** Does what was offered before, unless the appointment has changed since. */
export async function accepted(offer: Offer, scene: Scene): Promise<Said> {
  if (!('id' in offer)) return carryOut(offer, scene);
  const now = upcoming(await scene.ledger.all(), scene.now).find(({ id }) => id === offer.id);
  if (!now) return { content: `That appointment is no longer to come. ${replies.ANYTHING_ELSE}`, note: {} };
  if (now.version === offer.version) return carryOut(offer, scene);
  const anew = { ...offer, version: now.version, service: now.service, ...(offer.verb !== 'move' && { at: now.startsAt }) };
  return offered(anew, scene, `It has changed meanwhile: ${replies.described(now, scene.zone)}, ${now.status}.`);
}

async function told(outcome: Outcome, offer: Exclude<Offer, { verb: 'person' }>, scene: Scene): Promise<Said> {
  if (!outcome.ok) return refused(outcome, offer, scene);
  const { appointment, wasThere } = outcome;
  const what = replies.described(appointment, scene.zone);
  const sentence = wasThere
    ? `${what} was booked already, and is ${appointment.status}.`
    : `Done: ${what} is ${DONE[offer.verb]}.`;
  if (offer.verb === 'book' && appointment.status !== 'confirmed')
    return { content: `${sentence} Shall I confirm it?`, note: { offer: confirmationOf(appointment), about: appointment.id } };
  return { content: `${sentence} ${replies.ANYTHING_ELSE}`, note: { about: appointment.id } };
}

function confirmationOf({ id, version, service, startsAt: at }: Appointment): Offer {
  return { verb: 'confirm', id, version, service, at };
}

async function refused({ code, message }: Extract<Outcome, { ok: false }>, offer: Offer, scene: Scene): Promise<Said> {
  if (code === 'starts_in_past') return { content: IS_PAST, note: {} };
  if (code === 'appointment_duplicate' && 'id' in offer) {
    const others = upcoming(await scene.ledger.all(), scene.now).filter(
      ({ id, startsAt }) => id !== offer.id && startsAt === offer.at,
    );
    const what = others.map((other) => `: ${replies.described(other, scene.zone)}`).join('');
    return { content: `I left it as it is, since you have an appointment there already${what}.`, note: { about: offer.id } };
  }
  const cause = message === '' ? '' : `: ${replies.literal(message).replace(/\.$/, '')}`;
  const isKnown = code !== 'internal_error';
  const reason = isKnown ? `that did not work${cause}.` : "something went wrong, and I can't tell whether that is done.";
  return offered({ verb: 'person' }, scene, `I'm sorry, ${reason}`);
}
