import { DateTime, IANAZone } from 'luxon';
import { beginning, isLongerThan } from '@domain/kernel/code-points';
import type { AppointmentSummary } from '@ports/agent.port';

export const WHAT_I_DO =
  'I can book, confirm, move or cancel appointments, tell you when yours is, or connect you with a person.';
export const HANDING_OVER = "Of course. I'll connect you with a person who will take it from here.";
export const GOODBYE = 'Thank you, and goodbye! Write again any time.';
export const ANYTHING_ELSE = 'Is there anything else I can do for you?';
export const LEFT_AS_IS = `All right, I'll leave everything as it is. ${ANYTHING_ELSE}`;
export const OFFER_PERSON = 'Shall I connect you with a person?';
export const NO_LEDGER = "I'm sorry, I can't book or change appointments here yet.";
export const NOT_SEEN = "I'm sorry, I can't see your appointments at the moment.";
export const NONE = 'I see no upcoming appointment of yours. To book one, tell me the service, the day and the time.';
export const NONE_SEEN = "I can't see any appointments from here yet.";
export const IS_PAST = 'That time has already passed. Which day and time would suit you?';
export const ONE_AT_A_TIME = 'I do one thing at a time.';
export const CONTACT =
  "Thank you for the contact details. The people who read this conversation see them; I can't store them myself.";
/** Without markup, so that it is also found in plain-text transcripts. */
export const WHOSE = "I don't know who you are yet: what phone number or e-mail address can we reach you at?";

/** Never splits a character. */
export function cut(text: string, codePoints: number): string {
  return isLongerThan(codePoints, text) ? `${beginning(text, codePoints - 1).trimEnd()}…` : text;
}

/** Keeps foreign text from becoming markup, and on one line. */
export function literal(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, (sign) => (sign === '\u200d' ? sign : ''))
    .replace(/(?:https?:\/\/|www\.)\S+/gi, '…')
    .replace(/[\\*`[\]<>~|#]/g, '\\$&')
    .replace(/(?<!\w)_|_(?!\w)/g, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .trim();
}

export function quoted(text: string, codePoints = 100): string {
  return `“${literal(cut(text.replace(/\s+/g, ' ').trim(), codePoints))}”`;
}

export function unreadText(runs: readonly string[]): string {
  const shown = runs.slice(0, 4).map((run) => quoted(run, 60));
  return shown.length === 0 ? '' : `I did not understand ${shown.join(', ')}.`;
}

export function joined(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** A zone that Luxon can use. */
export function zoneOf(name: string): string {
  return IANAZone.create(name).isValid ? name : 'UTC';
}

export function dayText(date: DateTime): string {
  return `**${date.setLocale('en-GB').toFormat('cccc, d LLLL yyyy')}**`;
}

/** "**Monday, 2 March 2026 at 10:00** (Europe/Berlin)", in the reader's zone too if that differs. */
export function momentText(at: number, zone: string, readerZone = zone): string {
  const there = DateTime.fromMillis(at, { zone: zoneOf(zone) });
  const here = there.setZone(readerZone).setLocale('en-GB');
  const otherTime = here.toFormat(there.toISODate() === here.toISODate() ? 'HH:mm' : 'cccc HH:mm');
  const also = there.offset === here.offset ? '' : `; ${otherTime} ${readerZone}`;
  return `${dayText(there).slice(0, -2)} at ${there.toFormat('HH:mm')}** (${there.zoneName}${also})`;
}

export function serviceText(service: string): string {
  return `**${literal(service)}**`;
}

export function described({ service, startsAt, timeZone }: AppointmentSummary, readerZone: string): string {
  return `${serviceText(service)} on ${momentText(startsAt, timeZone, readerZone)}`;
}

/** Numbered, so that one can be chosen by its place. */
export function listed(appointments: readonly AppointmentSummary[], readerZone: string): string {
  const rows = appointments.map((each, index) => `${index + 1}. ${described(each, readerZone)}`);
  return `\n\n${rows.join('\n')}\n\nWhich one do you mean?`;
}
