import { CANNOT_COME } from './intent.js';
import { serviceNamed } from './service-wish.js';
import type { Said } from './so-far.js';
import { NOTHING_SAID, type When, combine, readBareHour, readWhen } from './when.js';
import { ASK_WHICH } from './wording.js';

/** What several messages together wish for. */
export interface Wish {
  readonly text: string;
  readonly service: string | null;
  /** When it shall be. */
  readonly when: When;
  /** Day and time by which an existing appointment was named. */
  readonly named: When;
  readonly confirm: boolean;
}

const POSSESSED = /\b(?:my|the|that) ((?:[\w':.]+ ){1,4})(?:appointment|booking|visit|slot|session|one)\b/;

function saysNothing(when: When): boolean {
  return Object.values(when).every((part) => part === null);
}

function read({ text, at, answering }: Said, zone: string): When {
  const when = readWhen(text, at, zone);
  const time = saysNothing(when) && answering !== null ? readBareHour(text) : null;
  return time === null ? when : { ...when, time };
}

interface MoveParts {
  readonly from: string;
  readonly to: string;
}

/** "move my 10am appointment on Monday to Friday": what comes after the last "to" is where it goes. */
function movePartsOf(text: string): MoveParts[] {
  const parts: MoveParts[] = [];
  const to = /^(.*)(?<!\bquarter) to (.+)$/.exec(text);
  if (to !== null) parts.push({ from: to[1] ?? '', to: to[2] ?? '' });
  const possessed = POSSESSED.exec(text);
  if (possessed !== null) parts.push({ from: possessed[1] ?? '', to: text.replace(POSSESSED, ' ') });
  return [...parts, { from: '', to: text }];
}

function readMove(said: Said, zone: string): { when: When; named: When } {
  if (said.answering === ASK_WHICH || CANNOT_COME.test(said.text))
    return { when: NOTHING_SAID, named: readWhen(said.text, said.at, zone) };
  for (const { from, to } of movePartsOf(said.text)) {
    const when = read({ ...said, text: to }, zone);
    const named = from === '' ? NOTHING_SAID : readWhen(from, said.at, zone);
    if (!saysNothing(when)) return { when, named };
  }
  return { when: NOTHING_SAID, named: NOTHING_SAID };
}

function wishing(said: readonly Said[], when: When, named: When): Wish {
  const services = said.map(({ text }) => serviceNamed(text)).filter((service) => service !== null);
  const text = said.map((each) => each.text).join(' \n ');
  return { text, service: services.at(-1) ?? null, when, named, confirm: /\bconfirm/.test(text) };
}

export function bookingWish(said: readonly Said[], zone: string): Wish {
  return wishing(said, said.map((each) => read(each, zone)).reduce(combine, NOTHING_SAID), NOTHING_SAID);
}

export function movingWish(said: readonly Said[], zone: string): Wish {
  const parts = said.map((each) => readMove(each, zone));
  const when = parts.map((part) => part.when).reduce(combine, NOTHING_SAID);
  return wishing(said, when, parts.map((part) => part.named).reduce(combine, NOTHING_SAID));
}

/** For confirming and cancelling: every date named says which one. */
export function choosingWish(said: readonly Said[], zone: string): Wish {
  const named = said.map(({ text, at }) => readWhen(text, at, zone)).reduce(combine, NOTHING_SAID);
  return wishing(said, NOTHING_SAID, named);
}

/** Whether a message says anything that a question about an appointment could be answered with. */
export function informs(said: Said, zone: string): boolean {
  return !saysNothing(read(said, zone)) || serviceNamed(said.text) !== null;
}
