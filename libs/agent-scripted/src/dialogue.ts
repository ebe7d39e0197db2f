import { book } from './book.js';
import { type Said, type Scene, accepted, offered, questionOf } from './carry-out.js';
import { change, matching } from './change.js';
import { type Appointment, NotSeen, upcoming } from './ledger-client.js';
import type { Draft, Note, Offer } from './note.js';
import type { Order } from './order.js';
import { type Item, type Reading, keyOf } from './reading.js';
import * as replies from './replies.js';
import { goalAt } from './wanted-times.js';
import type { Verb } from './words.js';

const PARTS: readonly Item['slot'][] = ['time', 'service', 'whatever', 'visit', 'yes', 'choice', 'all'];
const AGREEMENT: readonly Item['slot'][] = ['yes', 'no', 'thanks', 'closing', 'greeting', 'it', 'to'];
/** These ask for an appointment where no noun says so: "when is it", "do I have anything on Friday", "when am I booked". */
const ASKS_ALONE = / (?:come|booked)$/;
const ASKS_FOR_ONE = /^(?:when|do i|have i|am i|show|list|remind)/;

/** One turn of talk about appointments. All it remembers is the note. */
export class Dialogue {
  private loaded: readonly Appointment[] | undefined;

  constructor(
    private reading: Reading,
    private readonly note: Note,
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
    const { reading, scene, note } = this;
    const { offer, draft } = note;
    const answer = offer && this.answerTo(offer);
    if (offer && answer) return answer === 'yes' ? accepted(offer, scene) : this.left();
    if (draft && reading.has('no') && reading.hasOnly(...AGREEMENT)) return this.left();
    const [verb, ...others] = new Set(reading.verbs);
    if (verb !== undefined) return this.order(verb, others);
    if (this.asksForAppointments()) return this.show();
    const isUnreadPart = reading.has('unread') && !reading.isQuestion;
    if (draft && (reading.has(...PARTS) || isUnreadPart)) return this.run({ reading: reading.withHour(draft), draft, note });
    return this.part();
  }

  /** Names that the customer's appointments bear are read as whole phrases; a booking can be read without them. */
  private async learnNames(): Promise<void> {
    const { reading, note } = this;
    const isChange = reading.has('confirm', 'move', 'cancel');
    const isOpen = note.offer !== undefined || note.draft !== undefined;
    if (!isChange && !(reading.has('unread') && (isOpen || reading.has('book', ...PARTS)))) return;
    try {
      this.reading = reading.knowing((await this.all()).map(({ service }) => service));
    } catch (error) {
      if (!(error instanceof NotSeen) || isChange) throw error;
    }
  }

  private async all(): Promise<readonly Appointment[]> {
    return (this.loaded ??= await this.scene.ledger.all());
  }

  /** Whether the message is a yes or a no and nothing else; the verb and the object of the offer may be repeated. */
  private answerTo(offer: Offer): 'yes' | 'no' | null {
    const { reading } = this;
    const isObject = (slot: Item['slot']) =>
      offer.verb === 'person'
        ? slot === 'person'
        : slot === offer.verb ||
          slot === 'visit' ||
          (offer.verb === 'book' && slot === 'confirm') ||
          (slot === 'service' && this.isNamed(offer.service));
    const isElse = reading.besides(({ slot }) => AGREEMENT.includes(slot) || isObject(slot)).length > 0;
    if (isElse || reading.isQuestion || reading.has('contact')) return null;
    if (reading.has('no')) return reading.has('yes') ? null : 'no';
    const isYes = reading.has('yes', 'person') || reading.verbs.length > 0 || /\bpl(?:ease|[sz])\b/.test(reading.fillers);
    return isYes ? 'yes' : null;
  }

  private isNamed(service: string): boolean {
    return this.reading.services.every((name) => ` ${keyOf(service)} `.includes(` ${keyOf(name)} `));
  }

  private left(): Said {
    return { content: replies.LEFT_AS_IS, note: { ...(this.note.about !== undefined && { about: this.note.about }) } };
  }

  private async run(order: Order): Promise<Said> {
    const { verb } = order.draft;
    return verb === 'book' ? book(order, this.scene) : change({ ...order, verb }, await this.all(), this.scene);
  }

  private order(verb: Verb, others: readonly Verb[]): Promise<Said> | Said {
    const { scene, note } = this;
    if (!scene.ledger.canBook) return offered({ verb: 'person' }, scene, replies.NO_LEDGER);
    const reading = this.reading.before(others);
    const begun = this.bookingBegun();
    if (begun && verb === 'cancel' && reading.hasOnly('cancel', 'it', 'thanks')) return this.left();
    const onlyOffered = others.length > 0 ? replies.ONE_AT_A_TIME : begun && note.offer ? '' : undefined;
    const draft = begun ?? { verb, goal: {} };
    return this.run({ reading: reading.as(verb, draft.verb), draft, note, ...(onlyOffered !== undefined && { onlyOffered }) });
  }

  /** A booking that is not made yet, where an order names nothing else: "book it" and "move it to Friday" go on with it. */
  private bookingBegun(): Draft | null {
    const { offer, draft } = this.note;
    if (this.reading.has('service', 'visit', 'visits', 'all')) return null;
    return draft?.verb === 'book' ? draft : offer?.verb === 'book' ? this.draftOf(offer) : null;
  }

  private draftOf(offer: Exclude<Offer, { verb: 'person' }>): Draft {
    const goal = goalAt(offer.at, this.scene);
    if (offer.verb === 'book') return { verb: 'book', service: offer.service, minutes: offer.minutes, goal };
    return { verb: 'move', ids: [offer.id], goal: offer.verb === 'move' ? goal : {} };
  }

  /** Without a verb: another time changes what is offered, and a service is wanted. */
  private part(): Promise<Said> | Said | null {
    const { reading, note, scene } = this;
    const { offer } = note;
    const isNamed = reading.has('service', 'visit');
    if (offer && !isNamed) {
      return reading.has('yes', 'no', 'time') ? this.beside(offer) : null;
    }
    if (!scene.ledger.canBook || !isNamed || reading.isOwn) return null;
    const isWish = reading.has('time') || reading.hasOnly('service', 'visit', 'thanks', 'greeting', 'yes');
    return isWish ? this.run({ reading, draft: { verb: 'book', goal: {} }, note }) : null;
  }

  /** Another time beside an open offer changes what is offered. Of anything else the offer is repeated. */
  private async beside(offer: Offer): Promise<Said> {
    const { reading, note, scene } = this;
    const isOtherTime = reading.has('time') && offer.verb !== 'person' && offer.verb !== 'cancel';
    const amended = isOtherTime ? await this.run({ reading, draft: this.draftOf(offer), note, onlyOffered: '' }) : null;
    const unread = reading.besides(({ slot }) => AGREEMENT.includes(slot) || (slot === 'time' && amended !== null));
    if (amended && (amended.note?.offer || unread.length === 0)) return amended;
    return { content: replies.joined(replies.unreadText(unread), questionOf(offer, scene)) };
  }

  private asksForAppointments(): boolean {
    const { reading } = this;
    if (reading.has('visit', 'visits') && reading.isOwn && reading.hasOnly('visit', 'visits', 'greeting', 'time', 'thanks'))
      return true;
    const [show] = reading.of('show');
    if (show === undefined) return false;
    const isForOne = reading.has('service', 'it', 'whatever', 'time') && ASKS_FOR_ONE.test(show.words);
    return isForOne || reading.has('visit', 'visits') || ASKS_ALONE.test(show.words);
  }

  private async show(): Promise<Said> {
    const { reading, scene, note } = this;
    const live = upcoming(await this.all(), scene.now);
    const [next] = live;
    if (next === undefined) return { content: scene.ledger.canBook ? replies.NONE : replies.NONE_SEEN };
    const [asked] = matching(live, reading.services, reading.times, scene);
    const one = asked ?? next;
    const more = live.length === 1 ? '' : `You have ${live.length - 1} more${one === next ? ' after that' : ''}.`;
    const which = one === next ? 'Your next appointment' : 'Your appointment';
    const told = `${which}: ${replies.described(one, scene.zone)}, ${one.status}.`;
    return {
      content: replies.joined(asked ? '' : 'I see none such.', told, more, replies.ANYTHING_ELSE),
      note: { ...note, about: one.id },
    };
  }
}
