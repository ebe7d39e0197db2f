import { DateTime } from 'luxon';
import { type Said, type Scene, carryOut, offered } from './carry-out.js';
import { type Appointment, upcoming } from './ledger-client.js';
import { datesOf } from './moments.js';
import type { Draft, Offer } from './note.js';
import { type Order, type ReadOrder, readOrder } from './order.js';
import { type Item, type Reading, keyOf } from './reading.js';
import * as replies from './replies.js';
import { clockOf } from './times.js';
import { merged, targetOf, wantedTime } from './wanted-times.js';
import type { Verb } from './words.js';

const MOST_CHOICES = 9;

type Change = Order & { readonly verb: Exclude<Verb, 'book'> };

/** Confirms, moves or cancels the one appointment that is meant; offers or asks where that is not all clear. */
export async function change(order: Change, all: readonly Appointment[], scene: Scene): Promise<Said> {
  const { reading, draft, verb } = order;
  const live = upcoming(all, scene.now).filter(({ id }) => draft.ids?.includes(id) ?? true);
  if (live.length === 0) return { content: replies.NONE };
  const [source, places] = timesOf(order, live, scene);
  const { goal: given, asks, unread } = goalOf(reading, places, scene);
  const read = readOrder(order, given, unread);
  const found = meant(order, live, source, scene);
  const [one, other] = found;
  const isDoubted = !read.isRead || draft.isDoubted === true;
  const begun = { verb, goal: merged(draft.goal, given), isDoubted };
  const none = 'I see no such appointment. What I see:';
  if (one === undefined) return choice({ ...begun, isDoubted: true }, live, scene, ...read.intro, none);
  if (asks !== null) return asked({ verb, goal: {}, isDoubted, ...(read.isRead && { ids: idsOf(found) }) }, ...read.intro, asks);
  if (other === undefined) return changeOne(order, begun, one, read, scene);
  return choice(
    { ...begun, isDoubted: isDoubted || !read.isWhole },
    found,
    scene,
    ...read.intro,
    'You have several appointments:',
  );
}

async function changeOne(
  { reading, draft, verb }: Change,
  begun: Draft,
  one: Appointment,
  read: ReadOrder,
  scene: Scene,
): Promise<Said> {
  const { id, version, service, startsAt } = one;
  const where = `To which day and time shall I move ${replies.described(one, scene.zone)}?`;
  if (verb === 'move' && Object.keys(begun.goal).length === 0) return asked({ ...begun, ids: [id] }, ...read.intro, where);
  const target = verb === 'move' ? targetOf(startsAt, begun.goal, scene) : { is: startsAt };
  if ('asks' in target) return asked({ ...begun, goal: {}, ids: [id] }, ...read.intro, target.asks);
  const offer: Offer = { verb, id, version, service, at: target.is };
  const hasObject = verb === 'move' || draft.ids !== undefined || reading.has('service', 'visit', 'it', 'time');
  return read.isWhole && hasObject ? carryOut(offer, scene) : offered(offer, scene, ...read.intro);
}

const idsOf = (appointments: readonly Appointment[]) => appointments.map(({ id }) => id);

function asked(draft: Draft, ...sentences: readonly string[]): Said {
  return { content: replies.joined(...sentences), note: { draft, ...(draft.ids?.length === 1 && { about: draft.ids[0] }) } };
}

/** Lists several, of which one is to be chosen. */
function choice(draft: Draft, among: readonly Appointment[], { zone }: Scene, ...intro: readonly string[]): Said {
  const ids = idsOf(among.slice(0, MOST_CHOICES));
  return {
    content: replies.joined(...intro, replies.listed(among, zone) + replies.ASK_WHICH),
    note: { draft: { ...draft, ids, isChoice: true } },
  };
}

/** The times that say which appointment is meant, and those that say where it goes. */
function timesOf(
  { reading, draft }: Order,
  live: readonly Appointment[],
  scene: Scene,
): readonly [readonly Item[], readonly Item[]] {
  const { items, times } = reading;
  if (draft.verb !== 'move' || draft.isChoice) return [times.filter((item) => !isShift(item)), times.filter(isShift)];
  if (draft.ids !== undefined) return [[], times];
  const hasGoal = items.some(({ slot }, index) => slot === 'to' && items.slice(index).some((item) => item.slot === 'time'));
  let isSource = hasGoal;
  const source = items.filter((item, index) => {
    if (item.slot === 'from' || item.slot === 'to') isSource = item.slot === 'from';
    const noun = items.slice(index + 1).find(({ slot }) => slot !== 'time')?.slot;
    return item.slot === 'time' && !isShift(item) && (isSource || noun === 'service' || noun === 'visit');
  });
  const places = times.filter((item) => !source.includes(item) && !isShift(item));
  const isOwnTime =
    !hasGoal && source.length === 0 && places.length > 0 && matching(live, reading.services, places, scene).length > 0;
  return isOwnTime ? [places, times.filter(isShift)] : [source, times.filter((item) => !source.includes(item))];
}

const isShift = ({ time }: Item) => time?.says === 'length' || time?.says === 'days';

/** Where a move leads: to a day, a time, or so much later or earlier. */
function goalOf(reading: Reading, items: readonly Item[], scene: Scene) {
  const { asks, goal } = wantedTime(
    items.filter((item) => !isShift(item)),
    scene,
  );
  const directions = [...reading.of('later'), ...reading.of('earlier')];
  const [shift, another] = items.filter(isShift);
  const sign = signOf(reading.of('move')[0]?.words ?? '', directions);
  if (shift?.time === undefined) return { goal, asks, unread: directions.map(({ words }) => words) };
  if (sign === 0 || another !== undefined || goal.date !== undefined) return { goal, asks, unread: [shift.words] };
  const by =
    'days' in shift.time
      ? { daysLater: sign * shift.time.days }
      : { minutesLater: sign * ('minutes' in shift.time ? shift.time.minutes : 0) };
  return { goal: { ...goal, ...by }, asks, unread: [] };
}

/** 1 for later, -1 for earlier, 0 where the words leave it open: "move it back" may mean either. */
function signOf(verb: string, [word, other]: readonly Item[]): number {
  const usual = verb.startsWith('bring') ? -1 : ['push', 'postpone', 'put off'].includes(verb) ? 1 : 0;
  if (other !== undefined) return 0;
  if (word === undefined || word.words === 'back') return usual;
  return word.slot === 'later' ? 1 : -1;
}

/** Those that a message means: by their place in a list, by service and time, else the one that was spoken of last. */
function meant(
  { reading, draft, note }: Order,
  live: readonly Appointment[],
  source: readonly Item[],
  scene: Scene,
): readonly Appointment[] {
  const place = draft.isChoice ? reading.placeAmong(live.length) : null;
  if (place !== null) return live.slice(place < 0 ? place : place - 1).slice(0, 1);
  const found = matching(live, reading.services, source, scene);
  const last = found.filter(({ id }) => id === note.about);
  return last.length > 0 && reading.has('it') ? last : found;
}

/** Those of a service and a time; a name that is borne as a whole goes before one that holds it. */
export function matching(
  live: readonly Appointment[],
  services: readonly string[],
  times: readonly Item[],
  scene: Scene,
): readonly Appointment[] {
  const keys = services.map(keyOf);
  const exact = live.filter(({ service }) => keys.includes(keyOf(service)));
  const holding = live.filter(({ service }) => keys.some((key) => ` ${keyOf(service)} `.includes(` ${key} `)));
  const named = keys.length === 0 ? live : exact.length > 0 ? exact : holding;
  return named.filter((appointment) => times.every((item) => isAt(appointment, item, scene)));
}

function isAt({ startsAt }: Appointment, { time }: Item, scene: Scene): boolean {
  if (time === undefined || time.says === 'unreadable') return false;
  if (time.says === 'instant') return time.at === startsAt;
  const start = DateTime.fromMillis(startsAt, { zone: scene.zone });
  const part = time.says === 'number' ? clockOf(String(time.value)) : time;
  const isDay = !('day' in time) || datesOf(time.day, scene).some((date) => date.hasSame(start, 'day'));
  return isDay && (!('clock' in part) || (part.clock.hour === start.hour && part.clock.minute === start.minute));
}
