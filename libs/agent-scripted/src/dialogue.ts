import { DateTime } from 'luxon';

import { type Said, type Scene, accepted, offered, questionOf } from './carry-out.js';
import { type Order, book, change, matching } from './order.js';
import { NotSeen, upcoming } from './ledger-client.js';
import { goalAt } from './wanted-time.js';
import type { Draft, Offer } from './note.js';
import { type Item, type Reading, holds, readingOf } from './reading.js';
import * as replies from './replies.js';
import type { Verb } from './words.js';

const PARTS: readonly Item['slot'][] = ['time', 'service', 'whatever', 'visit', 'yes', 'choice', 'all'];
const AGREEMENT: readonly Item['slot'][] = ['yes', 'no', 'thanks', 'closing', 'greeting', 'it', 'to'];
/** With these even "it" or "anything" stands for an appointment. */
const ASKS_FOR_ONE = /^(?:when|do i|have i|am i|show|list|remind)/;

/** One turn of talk about appointments. All it remembers is the note. */
export class Dialogue {
  constructor(
    private reading: Reading,
    private readonly scene: Scene,
  ) {}

  /** What to say and do; null where the message is about nothing that can be done with appointments. */
  async answer(): Promise<Said | null> {
    try {
      await this.learnNames();
      return await this.route();
    } catch (error) {
      if (error instanceof NotSeen) return offered({ verb: 'person' }, this.scene, replies.NOT_SEEN);
      throw error;
    }
  }

  private route(): Promise<Said | null> | Said | null {
    const { reading, scene } = this;
    const { offer, draft } = scene.note;
    const answer = offer && this.answerTo(offer);
    if (offer && answer === 'yes') return accepted(offer, scene);
    if (answer === 'no' || (draft && reading.has('no') && reading.hasOnly(...AGREEMENT))) return this.left();
    const [verb, ...others] = new Set(reading.verbs);
    if (verb !== undefined) return this.order(verb, others);
    if (this.asksForAppointments()) return this.show();
    const isPart = reading.has(...PARTS) || (reading.has('unread') && !reading.isQuestion);
    if (draft && isPart) return this.run(draft, undefined, reading.withHour(draft.isChoice === true));
    const isWish = reading.has('time') || reading.hasOnly('service', 'visit', 'thanks', 'greeting', 'yes');
    if (reading.has('service', 'visit'))
      return scene.ledger.canBook && isWish && !reading.says('my') ? this.run({ verb: 'book', goal: {} }) : null;
    return offer && reading.has('yes', 'no', 'time') ? this.beside(offer) : null;
  }

  /** Names that the customer's appointments bear are read as whole phrases; a booking can be read without them. */
  private async learnNames(): Promise<void> {
    const { reading, scene } = this;
    const { offer, draft } = scene.note;
    const isChange = reading.has('confirm', 'move', 'cancel');
    if (!isChange && !(reading.has('unread') && (offer || draft || reading.has('book', ...PARTS)))) return;
    const all = await scene.ledger.all().catch(() => []);
    const names = all.map(({ service }) => service);
    this.reading = readingOf(reading.content, scene.today, names);
  }

  /** Whether the message is a yes or a no and nothing else; the verb and the object of the offer may be repeated. */
  private answerTo(offer: Offer): 'yes' | 'no' | null {
    const { reading } = this;
    const isObject = (slot: Item['slot']) =>
      'service' in offer &&
      (slot === 'visit' ||
        (slot === 'confirm' && offer.verb === 'book') ||
        (slot === 'service' && reading.services.every((name) => holds(offer.service, name))));
    const isOffered = ({ slot }: Item) => AGREEMENT.includes(slot) || slot === offer.verb || isObject(slot);
    if (reading.besides(isOffered).length > 0 || reading.isQuestion || reading.has('contact')) return null;
    if (reading.has('no')) return reading.has('yes') ? null : 'no';
    return reading.has('yes', 'person') || reading.verbs.length > 0 || reading.says('please', 'pls', 'plz') ? 'yes' : null;
  }

  private left(): Said {
    return { content: replies.LEFT_AS_IS, note: { about: this.scene.note.about } };
  }

  private run(draft: Draft, onlyOffered?: string, reading = this.reading): Promise<Said> {
    const { verb } = draft;
    const order: Order = { reading, draft, scene: this.scene, onlyOffered };
    return verb === 'book' ? book(order) : change({ ...order, verb });
  }

  private order(verb: Verb, others: readonly Verb[]): Promise<Said> | Said {
    const { scene } = this;
    if (!scene.ledger.canBook) return offered({ verb: 'person' }, scene, replies.NO_LEDGER);
    const reading = this.reading.before(others);
    const begun = this.bookingBegun();
    if (begun && verb === 'cancel' && reading.hasOnly('cancel', 'it', 'thanks')) return this.left();
    const onlyOffered = others.length > 0 ? replies.ONE_AT_A_TIME : begun && scene.note.offer ? '' : undefined;
    return this.run(begun ?? { verb, goal: {} }, onlyOffered, reading);
  }

  /** A booking that is not made yet, where an order names nothing else: "book it" and "move it to Friday" go on with it. */
  private bookingBegun(): Draft | null {
    const { offer, draft } = this.scene.note;
    if (this.reading.has('service', 'visit', 'visits', 'all')) return null;
    return draft?.verb === 'book' ? draft : offer?.verb === 'book' ? this.draftOf(offer) : null;
  }

  private draftOf(offer: Exclude<Offer, { verb: 'person' }>): Draft {
    const goal = goalAt(DateTime.fromMillis(offer.at, { zone: this.scene.zone }));
    if (offer.verb === 'book') return { verb: 'book', service: offer.service, minutes: offer.minutes, goal };
    return { verb: 'move', ids: [offer.id], goal: offer.verb === 'move' ? goal : {} };
  }

  /** Another time beside an open offer changes what is offered. Of anything else the offer is repeated. */
  private async beside(offer: Offer): Promise<Said> {
    const { reading, scene } = this;
    const isOtherTime = reading.has('time') && offer.verb !== 'person' && offer.verb !== 'cancel';
    const amended = isOtherTime ? await this.run(this.draftOf(offer), '') : null;
    const unread = reading.besides(({ slot }) => AGREEMENT.includes(slot) || (slot === 'time' && amended !== null));
    if (amended && (amended.note?.offer || unread.length === 0)) return amended;
    return { content: replies.joined(replies.unreadText(unread), questionOf(offer, scene)) };
  }

  private asksForAppointments(): boolean {
    const { reading } = this;
    const isNamed = reading.has('visit', 'visits');
    const words = reading.of('show')[0]?.words;
    const isOwn = reading.says('my') && reading.hasOnly('visit', 'visits', 'greeting', 'time', 'thanks');
    if (reading.has('come') || (isNamed && (isOwn || words !== undefined))) return true;
    return words !== undefined && ASKS_FOR_ONE.test(words) && reading.has('service', 'it', 'whatever', 'time');
  }

  private async show(): Promise<Said> {
    const { reading, scene } = this;
    const live = upcoming(await scene.ledger.all(), scene.now);
    const [next] = live;
    if (next === undefined) return { content: scene.ledger.canBook ? replies.NONE : replies.NONE_SEEN };
    const [asked] = matching(live, reading, reading.of('time'), scene.zone);
    const one = asked ?? next;
    const more = live.length === 1 ? '' : `You have ${live.length - 1} more${one === next ? ' after that' : ''}.`;
    const which = one === next ? 'Your next appointment' : 'Your appointment';
    const told = `${which}: ${replies.described(one, scene.zone)}, ${one.status}.`;
    const content = replies.joined(asked ? '' : 'I see none such.', told, more, replies.ANYTHING_ELSE);
    return { content, note: { ...scene.note, about: one.id } };
  }
}
