import { DateTime } from 'luxon';
import { type Said, type Scene, accepted, offered, questionOf } from './carry-out.js';
import { NotSeen, upcoming } from './ledger-client.js';
import type { Appointed, Draft, Offer } from './note.js';
import { book, change, isAt, matching } from './order.js';
import { type Item, type Reading, holds, readingOf } from './reading.js';
import * as replies from './replies.js';
import { goalAt } from './wanted-time.js';
import type { Verb } from './words.js';

const PARTS: readonly Item['slot'][] = ['time', 'service', 'whatever', 'visit', 'yes', 'choice', 'all'];
const AGREEMENT: readonly Item['slot'][] = ['yes', 'no', 'thanks', 'closing', 'greeting', 'it', 'to'];
/** After these even "it" or "anything" means an appointment. */
const ASKS_FOR_ONE = /^(?:when|do i|have i|am i|show|list|remind)/;

/** Null if the message has nothing to do with appointments. */
export async function answer(scene: Scene): Promise<Said | null> {
  try {
    return await route(await withNames(scene));
  } catch (error) {
    if (error instanceof NotSeen) return offered({ verb: 'person' }, scene, replies.NOT_SEEN);
    throw error;
  }
}

function route(scene: Scene): Promise<Said | null> | Said | null {
  const { reading, ledger, note } = scene;
  const { offer, draft } = note;
  const said = offer && yesOrNo(offer, scene);
  if (offer && said === 'yes') return accepted(offer, scene);
  if (said === 'no' || (draft && reading.has('no') && reading.hasOnly(...AGREEMENT))) return leftAsIs(scene);
  const [verb, ...others] = new Set(reading.verbs);
  if (verb !== undefined) return order(verb, others, scene);
  if (asksForAppointments(reading)) return show(scene);
  const isPart = reading.has(...PARTS) || (reading.has('unread') && !reading.isQuestion);
  if (draft && isPart) return run(draft, { ...scene, reading: reading.withHour(draft.isChoice === true) });
  const isWish = reading.has('time') || reading.hasOnly('service', 'visit', 'thanks', 'greeting', 'yes');
  if (reading.has('service', 'visit') && ledger.canBook && isWish && !isThanked(reading) && !reading.says('my'))
    return run({ verb: 'book', goal: {} }, scene);
  return offer && reading.has('yes', 'no', 'time') ? beside(offer, scene) : null;
}

async function withNames(scene: Scene): Promise<Scene> {
  const { reading, note, ledger, today } = scene;
  const isOpen = note.offer || note.draft || reading.has('book', ...PARTS);
  if (!reading.has('confirm', 'move', 'cancel') && !(reading.has('unread') && isOpen)) return scene;
  const all = await ledger.all().catch(noneSeen);
  const names = all.map(({ service }) => service);
  return { ...scene, reading: readingOf(reading.content, today, names) };
}

function noneSeen(error: unknown): readonly never[] {
  if (error instanceof NotSeen) return [];
  throw error;
}

/** The message may repeat the verb and the object of the offer, but nothing else. */
function yesOrNo(offer: Offer, { reading, zone }: Scene): 'yes' | 'no' | null {
  const isObject = (item: Item) =>
    'service' in offer &&
    (item.slot === 'visit' ||
      (item.slot === 'confirm' && offer.verb === 'book') ||
      (item.slot === 'service' && reading.services.every((name) => holds(offer.service, name))) ||
      isTimeOf(offer, item, zone));
  const isOffered = (item: Item) => AGREEMENT.includes(item.slot) || item.slot === offer.verb || isObject(item);
  const isElse = reading.isQuestion || reading.has('contact') || reading.says('time', 'date', 'day');
  if (isElse || reading.besides(isOffered).length > 0) return null;
  if (reading.has('no')) return reading.has('yes') ? null : 'no';
  const isPlea = reading.has('filler') && reading.items.every(({ words }) => words === 'please');
  return isPlea || reading.has('yes', 'person') || reading.verbs.length > 0 ? 'yes' : null;
}

function isTimeOf({ at }: Appointed, item: Item, zone: string): boolean {
  const { dates, clock } = item.time ?? {};
  return (dates !== undefined || clock !== undefined) && isAt(DateTime.fromMillis(at, { zone }), item);
}

function leftAsIs({ note: { offer, draft, about } }: Scene): Said {
  return { content: replies.LEFT_AS_IS, note: { about: (offer ?? draft)?.verb === 'book' ? '' : about } };
}

function run(draft: Draft, scene: Scene, onlyOffered?: string): Promise<Said> {
  const { verb } = draft;
  return verb === 'book' ? book({ ...scene, draft, onlyOffered }) : change({ ...scene, draft, verb, onlyOffered });
}

function order(verb: Verb, others: readonly Verb[], scene: Scene): Promise<Said> | Said {
  if (!scene.ledger.canBook) return offered({ verb: 'person' }, scene, replies.NO_LEDGER);
  const reading = scene.reading.before(others);
  const begun = bookingBegun(scene);
  if (begun && verb === 'cancel' && reading.hasOnly('cancel', 'it', 'thanks')) return leftAsIs(scene);
  const onlyOffered = others.length > 0 ? replies.ONE_AT_A_TIME : begun && scene.note.offer ? '' : undefined;
  return run(begun ?? { verb, goal: {} }, { ...scene, reading }, onlyOffered);
}

/** An unfinished booking that the message continues, as with "book it" or "move it to Friday". */
function bookingBegun({ reading, note: { offer, draft }, zone }: Scene): Draft | null {
  if (reading.has('service', 'visit', 'visits', 'all')) return null;
  return draft?.verb === 'book' ? draft : offer?.verb === 'book' ? draftOf(offer, zone) : null;
}

function draftOf(offer: Appointed, zone: string): Draft {
  const goal = goalAt(DateTime.fromMillis(offer.at, { zone }));
  if (offer.verb === 'book') return { verb: 'book', service: offer.service, minutes: offer.minutes, goal };
  return { verb: 'move', ids: [offer.id], goal: offer.verb === 'move' ? goal : {} };
}

/** Another time changes the open offer; any other message repeats it. */
async function beside(offer: Offer, scene: Scene): Promise<Said> {
  const { reading, zone } = scene;
  const others = reading.of('time').filter((item) => offer.verb === 'person' || !isTimeOf(offer, item, zone));
  const isAmended = others.length > 0 && offer.verb !== 'person' && offer.verb !== 'cancel';
  const amended = isAmended ? await run(draftOf(offer, zone), scene, '') : null;
  const isRead = (item: Item) =>
    item.slot === 'time' ? amended !== null || !others.includes(item) : AGREEMENT.includes(item.slot);
  const unread = reading.besides(isRead);
  if (amended && (amended.note?.offer || unread.length === 0)) return amended;
  return { content: replies.joined(replies.unreadText(unread), questionOf(offer, scene)) };
}

/** "Thanks for the massage" and "see you at the massage" refer to an existing one. */
function isThanked(reading: Reading): boolean {
  const named = [...reading.of('service'), ...reading.of('visit')];
  const courtesies = [...reading.of('thanks'), ...reading.of('closing')];
  return courtesies.some(({ clause, start }) => named.some((each) => each.clause === clause && each.start > start));
}

function asksForAppointments(reading: Reading): boolean {
  const words = reading.of('show')[0]?.words;
  const isOwn = reading.says('my') && reading.hasOnly('visit', 'visits', 'greeting', 'time', 'thanks');
  if (reading.has('come') || (reading.has('visit', 'visits') && (isOwn || words !== undefined))) return true;
  return words !== undefined && ASKS_FOR_ONE.test(words) && reading.has('service', 'it', 'whatever', 'time');
}

async function show({ reading, ledger, now, note, zone }: Scene): Promise<Said> {
  const live = upcoming(await ledger.all(), now);
  const [next] = live;
  if (next === undefined) return { content: ledger.canBook ? replies.NONE : replies.NONE_SEEN };
  const [asked] = matching(live, reading, reading.of('time'), zone);
  const one = asked ?? next;
  const more = live.length === 1 ? '' : `You have ${live.length - 1} more${one === next ? ' after that' : ''}.`;
  const which = one === next ? 'Your next appointment' : 'Your appointment';
  const told = `${which}: ${replies.described(one, zone)}, ${one.status}.`;
  const content = replies.joined(asked ? '' : 'I see none such.', told, more, replies.ANYTHING_ELSE);
  return { content, note: { ...note, about: asked?.id ?? '' } };
}
