import { type Said, asked, carryOut, offered } from './carry-out.js';
import { startOf, wantedTime } from './wanted-time.js';
import type { Draft, Offer } from './note.js';
import { type Order, readOrder } from './order.js';
import * as replies from './replies.js';

/** Books what a message and those before it ask for; offers or asks where that is not all clear. */
export async function book(order: Order): Promise<Said> {
  const { reading, draft, scene } = order;
  const { services, strangeService } = reading;
  const { asks, minutes, goal: given } = wantedTime(reading.of('time'), scene);
  const isMany = services.length > 1;
  const asOne = isMany ? { ...order, onlyOffered: replies.ONE_AT_A_TIME } : order;
  const { isRead, isWhole, intro } = readOrder(asOne, given, [], strangeService ?? '');
  const first = `Which one shall I book first: ${services.map(replies.serviceText).join(' or ')}?`;
  if (isMany) return asked({ verb: 'book', goal: {} }, intro, first);
  const service = services[0] ?? draft.service;
  const known = { ...draft, service, minutes: minutes ?? draft.minutes, goal: { ...draft.goal, ...given } };
  const open = (goal = known.goal) => (isRead ? { ...known, goal } : { ...draft, isDoubted: true });
  if (asks !== null) return asked(open(given), intro, asks);
  const start = startOf(known.goal, scene);
  if (start === null) return asked({ ...open(), wasAskedForService: true }, intro, questionFor(open(), intro));
  if ('asks' in start) return asked(open({}), intro, start.asks);
  const offer: Offer = {
    verb: 'book',
    service: strangeService ?? service ?? 'appointment',
    at: start.is,
    minutes: known.minutes,
  };
  if (!isWhole || (draft.isDoubted && service === undefined)) return offered(offer, scene, intro);
  if (service !== undefined || draft.wasAskedForService) return carryOut(offer, scene);
  const moment = replies.momentText(start.is, scene.zone);
  const which = `What shall I book on ${moment}: a checkup, a cleaning, or just an appointment?`;
  return asked({ ...known, wasAskedForService: true }, 'Gladly.', which);
}

/** Asks for the service once, and for the day and the time that are missing. */
function questionFor({ service, goal: { date, clock }, wasAskedForService }: Draft, intro: string): string {
  const when =
    date !== undefined ? 'At what time?' : clock !== undefined ? 'On which day?' : 'Which day and time would suit you?';
  const isAsked = service !== undefined || wasAskedForService;
  const question = isAsked ? when : `What is it for, and ${when.charAt(0).toLowerCase()}${when.slice(1)}`;
  if (intro !== '') return question;
  return `Gladly${service === undefined ? '.' : `: ${replies.serviceText(service)}.`} ${question}`;
}
