import type { DateTime } from 'luxon';
import type { ToolResult } from '@ports/agent.port';
import { type LedgerClient, appointmentOf, upcoming } from './ledger-client.js';
import type { Draft, Note, Offer } from './note.js';
import type { Reading } from './reading.js';
import * as replies from './replies.js';

/** What to say, and the new note; without one it stays. */
export interface Said {
  readonly content: string;
  readonly note?: Note;
  readonly handsOver?: boolean;
}

export interface Scene {
  readonly reading: Reading;
  readonly ledger: LedgerClient;
  readonly zone: string;
  /** The start of the day of the message, from which its words count. */
  readonly today: DateTime;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly whose: string;
  /** Of the previous reply: the open offer, unfinished order or choice. */
  readonly note: Note;
}

const DONE = { book: 'booked', confirm: 'confirmed', move: 'moved', cancel: 'cancelled' };

export function questionOf(offer: Offer, { zone }: Scene): string {
  if (offer.verb === 'person') return replies.OFFER_PERSON;
  const preposition = offer.verb === 'move' ? 'to' : 'on';
  return `Shall I ${offer.verb} ${replies.serviceText(offer.service)} ${preposition} ${replies.momentText(offer.at, zone)}?`;
}

/** Offers it, after these sentences. The next yes accepts. */
export function offered(offer: Offer, scene: Scene, ...before: readonly string[]): Said {
  const content = replies.joined(...before, questionOf(offer, scene));
  return { content, note: { offer, about: 'id' in offer ? offer.id : undefined } };
}

export function asked(draft: Draft, ...sentences: readonly string[]): Said {
  return { content: replies.joined(...sentences), note: { draft, about: draft.ids?.length === 1 ? draft.ids[0] : undefined } };
}

export async function carryOut(offer: Offer, scene: Scene): Promise<Said> {
  if (offer.verb === 'person') return { content: replies.HANDING_OVER, handsOver: true };
  if (offer.at <= scene.now) return { content: replies.IS_PAST, note: {} };
  const outcome = await scene.ledger.carryOut(offer);
  if (!outcome.ok) return refused(outcome, offer, scene);
  const { appointment, deduplicated } = outcome.result;
  const now = appointmentOf(appointment);
  const { id, version, service, startsAt, status } = now;
  const what = replies.described(now, scene.zone);
  const sentence = deduplicated ? `${what} was booked already, and is ${status}.` : `Done: ${what} is ${DONE[offer.verb]}.`;
  if (offer.verb !== 'book' || status === 'confirmed')
    return { content: `${sentence} ${replies.ANYTHING_ELSE}`, note: { about: id } };
  const confirmation = { verb: 'confirm', id, version, service, at: startsAt } as const;
  return { content: replies.joined(sentence, scene.whose, 'Shall I confirm it?'), note: { offer: confirmation, about: id } };
}

/** Carries out an earlier offer, unless the appointment has changed since. */
export async function accepted(offer: Offer, scene: Scene): Promise<Said> {
  if (!('id' in offer)) return carryOut(offer, scene);
  const now = upcoming(await scene.ledger.all(), scene.now).find(({ id }) => id === offer.id);
  if (!now) return { content: `That appointment is no longer to come. ${replies.ANYTHING_ELSE}`, note: {} };
  if (now.version === offer.version) return carryOut(offer, scene);
  const anew = { ...offer, version: now.version, service: now.service, ...(offer.verb !== 'move' && { at: now.startsAt }) };
  return offered(anew, scene, `It has changed meanwhile: ${replies.described(now, scene.zone)}, ${now.status}.`);
}

async function refused({ code, message }: Extract<ToolResult, { ok: false }>, offer: Offer, scene: Scene): Promise<Said> {
  if (code === 'starts_in_past') return { content: replies.IS_PAST, note: {} };
  if (code === 'appointment_duplicate' && 'id' in offer) {
    const live = upcoming(await scene.ledger.all(), scene.now);
    const other = live.find(({ id, startsAt }) => id !== offer.id && startsAt === offer.at);
    const what = other ? `: ${replies.described(other, scene.zone)}` : '';
    return { content: `I left it as it is, since you have an appointment there already${what}.`, note: { about: offer.id } };
  }
  const cause = message === '' ? '.' : `: ${replies.literal(message).replace(/\.?$/, '.')}`;
  const isInDoubt = code === 'internal_error';
  const reason = isInDoubt ? "something went wrong, and I can't tell whether that is done." : `that did not work${cause}`;
  return offered({ verb: 'person' }, scene, `I'm sorry, ${reason}`);
}
