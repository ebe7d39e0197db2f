import { type Said, type Scene, carryOut, offered } from './carry-out.js';
import type { Draft, Goal, Offer } from './note.js';
import { type Order, readOrder } from './order.js';
import * as replies from './replies.js';
import { merged, startOf, wantedTime } from './wanted-times.js';

/** Books what a message and those before it ask for; offers or asks where that is not all clear. */
export async function book(order: Order, scene: Scene): Promise<Said> {
  const { reading, draft } = order;
  const { services, strangeService: strange } = reading;
  const { asks, minutes, goal: given } = wantedTime(reading.times, scene);
  const { isRead, isWhole, intro } = readOrder(order, given, [], strange);
  if (services.length > 1) {
    const which = services.map(replies.serviceText).join(' or ');
    return asked({ verb: 'book', goal: {} }, replies.ONE_AT_A_TIME, intro[1], `Which one shall I book first: ${which}?`);
  }
  const service = services[0] ?? draft.service;
  const known = { ...draft, service, minutes: minutes ?? draft.minutes, goal: merged(draft.goal, given) };
  const doubted = { ...draft, isDoubted: true };
  const start = asks === null ? startOf(known.goal, scene) : { asks };
  if (start && 'asks' in start)
    return asked(isRead ? { ...known, goal: asks === null ? {} : given } : doubted, ...intro, start.asks);
  if (start === null) return lacking(isRead ? known : doubted, ...intro);
  const isSure = draft.isDoubted !== true || service !== undefined;
  const offer: Offer = { verb: 'book', service: strange ?? service ?? 'appointment', at: start.is, minutes: known.minutes };
  if (!isWhole || !isSure) return offered(offer, scene, ...intro);
  if (service !== undefined || draft.wasAskedForService) return carryOut(offer, scene);
  const moment = replies.momentText(start.is, scene.zone, scene.zone);
  return asked(
    { ...known, wasAskedForService: true },
    `Gladly. What shall I book on ${moment}: a checkup, a cleaning, or just an appointment?`,
  );
}

function asked(draft: Draft, ...sentences: readonly (string | undefined)[]): Said {
  return { content: replies.joined(...sentences), note: { draft } };
}

/** Asks for what is missing; for the service once. */
function lacking(draft: Draft, ...before: readonly string[]): Said {
  const { service, goal, wasAskedForService = false } = draft;
  const isUnread = before.some((sentence) => sentence !== '');
  const intro = isUnread ? '' : service === undefined ? 'Gladly.' : `Gladly: ${replies.serviceText(service)}.`;
  if (service !== undefined || wasAskedForService) return asked(draft, ...before, intro, whenFor(goal));
  const [first = '', ...rest] = whenFor(goal);
  return asked(
    { ...draft, wasAskedForService: true },
    ...before,
    intro,
    `What is it for, and ${first.toLowerCase()}${rest.join('')}`,
  );
}

function whenFor({ date, clock }: Goal): string {
  if (date !== undefined) return 'At what time?';
  return clock !== undefined ? 'On which day?' : 'Which day and time would suit you?';
}
