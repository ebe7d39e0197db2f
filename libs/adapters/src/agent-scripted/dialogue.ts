import { IANAZone } from 'luxon';
import type { AgentTurn, AppointmentSummary, TranscriptLine } from '@ports/agent.port';
import { makesExceptions, meansAll } from './all-of-them.js';
import { regrets, retracts, saysBut, saysNo, saysOnlyATime, saysYes, takesBack } from './answers.js';
import { described, upcoming } from './appointments.js';
import { type Hints, choose, isDated, namedIn, shares } from './choice.js';
import { type AppointmentIntent, wishesNextVisit } from './intent.js';
import { withFurther } from './further-orders.js';
import { type Ledger, NotSeen } from './ledger.js';
import { lookUp } from './look-up.js';
import { affirmed } from './meant.js';
import { movedTime } from './part-of-day.js';
import { minutesFrom } from './ranges.js';
import { type Answer, changeAll, listed, say, told } from './replies.js';
import { nextVisitNamed, objectNamed, serviceNamed } from './service-wish.js';
import { type Orders, ordersIn } from './several-orders.js';
import { type Open, type Said, goesOn, openBefore, spoken, wasDone } from './so-far.js';
import { MY_VISIT, SPEAKS_OF_TIME } from './vocabulary.js';
import { dayAndTime, momentOf, shifted } from './when.js';
import { withWeekNamed } from './week-named.js';
import { type Wish, bookingWish, nameOfFurther, choosingWish, informs, movingWish, timeNamed } from './wish.js';
import * as words from './wording.js';

/** The one spoken of last, as the object of an order. */
const THAT_ONE =
  /\b(?:cancel|cancell?ing|call|drop|delete|remove|scrap|move|moving|reschedule|postpone|push|shift|switch|change|bring|make|do|have|correct|confirm|confirming) (?:it|that|this)(?: one)?\b(?! [\w-]+ (?:appointment|booking))/;
/** What was just spoken of is none of these. */
const OTHER_ONE = /\bthe (?:first|second|third|fourth|fifth|other|former|previous|earlier|earliest) one\b/;
const NOT_TODAY = /\btoday\b/;
const SOME_VISIT = new RegExp(MY_VISIT);

/** What a move lacks. */
function questionFor({ when }: Wish): string {
  const isDayKnown = when.vagueDay === null && (when.day !== null || when.shift !== null);
  return isDayKnown ? words.ASK_TIME : words.ASK_WHEN;
}

/** One turn of talk about appointments. It has no memory but the transcript. */
export class Dialogue {
  private readonly open: Open;
  private readonly zone: string;
  /** When the message to answer was said: its words count from then, however late it is answered. */
  private readonly saidAt: number;

  constructor(
    private readonly turn: AgentTurn,
    private readonly lines: readonly TranscriptLine[],
    private readonly ledger: Ledger,
  ) {
    this.open = openBefore(lines);
    this.saidAt = lines.at(-1)?.at ?? turn.now;
    this.zone = IANAZone.isValidZone(turn.timeZone) ? turn.timeZone : 'UTC';
  }

  /** The answer to a message, or null when it is not about appointments after all. */
  async answer(text: string, intent: AppointmentIntent | null): Promise<Answer | null> {
    if (intent !== null && retracts(text)) return say(words.LEFT_AS_IS);
    const { first, further } = ordersIn(text, intent);
    const answer = await this.answerFirst(first);
    if (answer === null || further.length === 0) return answer;
    return withFurther(answer, further, (order) =>
      this.act(order.intent, { text: order.text, at: this.saidAt, answering: null }),
    );
  }

  private answerFirst({ text, intent }: Orders['first']): Promise<Answer> | Answer | null {
    const { open } = this;
    const said: Said = { text, at: this.saidAt, answering: open?.kind === 'wish' ? open.asked : null };
    if (intent === null && wasDone(this.lines) && regrets(text)) return say(words.DONE_ALREADY, words.OFFER_PERSON);
    if (open?.kind === 'offer' && intent === null) return this.answerOffer(open.offer, said);
    if (open?.kind !== 'wish') return intent === null ? null : this.act(intent, said);
    if (takesBack(text) && open.intent !== 'cancel') return say(words.LEFT_AS_IS);
    if (intent === null) return this.answerQuestion(open, said);
    return goesOn(open, intent, text) ? this.act(open.intent, said, open.said) : this.act(intent, { ...said, answering: null });
  }

  private answerOffer(offer: string, said: Said): Promise<Answer> | Answer | null {
    if (takesBack(said.text)) return say(words.LEFT_AS_IS);
    const isOtherTime = offer === words.OFFER_CONFIRM && timeNamed(said, this.zone);
    if (isOtherTime && (saysNo(said.text) || saysBut(said.text) || saysOnlyATime(said.text))) return this.act('move', said);
    if (saysNo(said.text)) return say(words.LEFT_AS_IS);
    if (!saysYes(said.text)) return null;
    return offer === words.OFFER_PERSON ? { kind: 'wants person' } : this.act('confirm', said);
  }

  private answerQuestion(open: Extract<Open, { kind: 'wish' }>, said: Said): Promise<Answer> | Answer | null {
    const isInformative = informs(said, this.zone);
    const speaksOfTime = SPEAKS_OF_TIME.test(said.text);
    // "Not on Friday" goes on looking for a time, "not today" does not.
    const isDeclined = saysNo(said.text) && !isInformative && (!speaksOfTime || NOT_TODAY.test(said.text));
    if (takesBack(said.text) || isDeclined) return say(words.LEFT_AS_IS);
    const isTaken = saysYes(said.text) && open.asked === words.OFFER_BOOKING;
    const isOfUse = isInformative || isTaken || open.asked === words.ASK_WHICH || speaksOfTime;
    return isOfUse ? this.act(open.intent, said, open.said) : null;
  }

  private async act(intent: AppointmentIntent, latest: Said, before: readonly Said[] = []): Promise<Answer> {
    try {
      return await this.carryOut(intent, latest, before);
    } catch (error) {
      if (error instanceof NotSeen) return say(words.NOT_SEEN, words.OFFER_PERSON);
      throw error;
    }
  }

  private carryOut(intent: AppointmentIntent, latest: Said, before: readonly Said[]): Promise<Answer> | Answer {
    if (intent === 'lookup') return lookUp(this.turn, this.ledger, latest, this.zone);
    if (!this.ledger.canBook) return say(words.NO_LEDGER, words.OFFER_PERSON);
    const said = [...before, latest];
    switch (intent) {
      case 'book':
        return this.book(bookingWish(withWeekNamed(said, 'book'), this.zone));
      case 'move':
        return this.moveOrBook(said, latest);
      case 'confirm':
      case 'cancel':
        return this.settle(intent, choosingWish(said, this.zone), latest);
    }
  }

  private async book({ service, when, confirm, further, namesMoreDays }: Wish): Promise<Answer> {
    const name = service ?? 'appointment';
    const intro = service === null ? 'Gladly.' : `Gladly: **${words.literal(service)}**.`;
    const { day, time } = when;
    if (when.instant === null && (day === null || time === null)) {
      return say(intro, time !== null ? words.ASK_DAY : day !== null ? words.ASK_TIME : words.ASK_WHEN);
    }
    const zone = when.zone ?? this.zone;
    const startsAt = when.instant ?? (day && time ? momentOf(day, time, zone, this.saidAt) : Number.NaN);
    if (!(startsAt > this.turn.now)) return say(words.IS_PAST, words.ASK_WHEN);
    const minutes = when.length && minutesFrom(startsAt, when.length, zone);
    const change = await this.ledger.book({ service: name, startsAt, minutes, confirm });
    const left = namesMoreDays ? words.ONE_DAY : '';
    const more = further === null ? left : words.oneAtATime(nameOfFurther(further));
    return told(change, 'is booked', this.zone, more);
  }

  private async moveOrBook(said: readonly Said[], latest: Said): Promise<Answer> {
    const next = said.find(({ text }) => wishesNextVisit(text));
    if (next !== undefined && !(await this.isBooked(next.text)))
      return this.book(bookingWish(withWeekNamed(said, 'book'), this.zone));
    return this.move(movingWish(withWeekNamed(said, 'move'), this.zone), latest);
  }

  /** Whether the next visit that is spoken of may be one that is booked: of its service, where that is said. */
  private async isBooked(visit: string): Promise<boolean> {
    const service = nextVisitNamed(visit);
    const isNamed = namedIn(visit);
    const fits = (one: AppointmentSummary) => service === null || isNamed(one) || shares(one, service);
    return (await this.candidates(false)).some(fits);
  }

  private async move(wish: Wish, latest: Said): Promise<Answer> {
    return this.onChosen(wish, latest, async (chosen) => {
      const startsAt = this.newStart(chosen, wish);
      if (startsAt === null) return say(`Let's move ${described(chosen, this.zone)}.`, questionFor(wish));
      if (!(startsAt > this.turn.now)) return say(words.IS_PAST, words.ASK_WHEN);
      const moved = await this.ledger.move(chosen.id, startsAt);
      const change = moved.ok && wish.confirm ? await this.ledger.confirm(chosen.id) : moved;
      return told(change, 'is booked instead', this.zone);
    });
  }

  /** What a move leaves out, the day or the time of day, stays as it was. */
  private newStart(chosen: AppointmentSummary, { when }: Wish): number | null {
    if (when.instant !== null) return when.instant;
    if (when.vagueDay !== null || when.vagueTime !== null) return null;
    const start = when.shift === null ? chosen.startsAt : shifted(chosen.startsAt, when.shift, this.zone);
    const old = dayAndTime(start, this.zone);
    const time = movedTime(when, old.time);
    if (time === null) return null;
    if (when.day === null && when.time === null) return when.shift === null ? null : start;
    return momentOf(when.day ?? old.day, time, when.zone ?? this.zone, this.saidAt);
  }

  private async settle(intent: 'confirm' | 'cancel', wish: Wish, latest: Said): Promise<Answer> {
    const change = (id: string) => this.ledger[intent](id);
    if (meansAll(latest.text, latest.answering === words.ASK_WHICH)) {
      const all = upcoming(await this.ledger.all(), this.turn.now);
      if (all.length > 1 && makesExceptions(latest.text)) return say(listed(words.SEVERAL, all, this.zone), words.ASK_WHICH);
      if (!informs(latest, this.zone) && objectNamed(latest.text) === null) return changeAll(all, change, this.zone);
    }
    return this.onChosen(wish, latest, async ({ id }) => told(await change(id), null, this.zone), intent === 'cancel');
  }

  private async onChosen(
    wish: Wish,
    latest: Said,
    act: (chosen: AppointmentSummary) => Promise<Answer>,
    cancelled = false,
  ): Promise<Answer> {
    const candidates = await this.candidates(cancelled);
    if (candidates.length === 0) return say(words.NO_APPOINTMENT);
    const choice = choose(candidates, this.hints(wish, latest));
    switch (choice.kind) {
      case 'one':
        return act(choice.appointment);
      case 'many':
        return say(listed(words.SEVERAL, choice.appointments, this.zone), words.ASK_WHICH);
      case 'mismatch':
        return say(listed(isDated(wish.named) ? words.NONE_THEN : words.NONE_SUCH, candidates, this.zone), words.ASK_WHICH);
    }
  }

  private hints(wish: Wish, { text, answering }: Said): Hints {
    const wasListed = answering === words.ASK_WHICH;
    const latest = affirmed(text).trim();
    const isAnswer = answering !== null || this.open?.kind === 'offer';
    return {
      text: wish.text,
      latest,
      object: objectNamed(latest) ?? (wasListed ? serviceNamed(latest) : nextVisitNamed(latest)),
      when: wish.named,
      wasListed,
      meansLast: !wasListed && (THAT_ONE.test(text) || (isAnswer && !SOME_VISIT.test(text) && !OTHER_ONE.test(text))),
      zone: this.zone,
      spoken: spoken(this.lines),
    };
  }

  private async candidates(cancelled: boolean): Promise<readonly AppointmentSummary[]> {
    const { now } = this.turn;
    const all = await this.ledger.all();
    const live = upcoming(all, now);
    // A turn that is asked again after its cancellation took effect finds it cancelled: saying so twice does no harm.
    const gone = cancelled ? all.filter(({ status, endsAt }) => status === 'cancelled' && endsAt > now) : [];
    return live.length > 0 ? live : gone.slice(0, 1);
  }
}
