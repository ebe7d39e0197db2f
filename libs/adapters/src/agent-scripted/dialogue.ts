import { IANAZone } from 'luxon';
import type { AgentTurn, AppointmentSummary, TranscriptLine } from '@ports/agent.port';
import { makesExceptions, meansAll } from './all-of-them.js';
import { retracts, saysBut, saysNo, saysYes, takesBack } from './answers.js';
import { described, upcoming } from './appointments.js';
import { type Hints, choose } from './choice.js';
import type { AppointmentIntent } from './intent.js';
import type { Ledger } from './ledger.js';
import { affirmed } from './meant.js';
import { type Answer, listed, refused, say, told } from './replies.js';
import { objectNamed, serviceNamed } from './service-wish.js';
import { type Open, type Said, openBefore, spoken } from './so-far.js';
import { MY_VISIT, SPEAKS_OF_TIME } from './vocabulary.js';
import { dayAndTime, momentOf, shifted } from './when.js';
import { type Wish, bookingWish, nameOfFurther, choosingWish, informs, movingWish, timeNamed } from './wish.js';
import * as words from './wording.js';

/** The one spoken of last, as the object of an order. */
const THAT_ONE =
  /\b(?:cancel|cancell?ing|call|drop|delete|remove|scrap|move|moving|reschedule|postpone|push|shift|switch|change|bring|make|do|have|correct|confirm|confirming) (?:it|that|this)(?: one)?\b(?! [\w-]+ (?:appointment|booking))/;
const SOME_VISIT = new RegExp(MY_VISIT);

/** One turn of talk about appointments. It has no memory but the transcript. */
export class Dialogue {
  private readonly open: Open;
  private readonly zone: string;

  constructor(
    private readonly turn: AgentTurn,
    private readonly lines: readonly TranscriptLine[],
    private readonly ledger: Ledger,
  ) {
    this.open = openBefore(lines);
    this.zone = IANAZone.isValidZone(turn.timeZone) ? turn.timeZone : 'UTC';
  }

  /** The answer to a message, or null when it is not about appointments after all. */
  answer(text: string, intent: AppointmentIntent | null): Promise<Answer | null> | Answer | null {
    const { open } = this;
    if (intent !== null && retracts(text)) return say(words.LEFT_AS_IS);
    const said: Said = { text, at: this.turn.now, answering: open?.kind === 'wish' ? open.asked : null };
    if (open?.kind === 'offer' && intent === null) return this.answerOffer(open.offer, said);
    if (open?.kind !== 'wish') return intent === null ? null : this.act(intent, [said]);
    if (takesBack(text) && open.intent !== 'cancel') return say(words.LEFT_AS_IS);
    if (intent === null) return this.answerQuestion(open, said);
    const goesOn = intent === open.intent || (open.intent === 'book' && intent !== 'lookup' && intent !== 'cancel');
    return this.act(goesOn ? open.intent : intent, goesOn ? [...open.said, said] : [said]);
  }

  private answerOffer(offer: string, said: Said): Promise<Answer> | Answer | null {
    if (takesBack(said.text)) return say(words.LEFT_AS_IS);
    const isOtherTime = offer === words.OFFER_CONFIRM && timeNamed(said, this.zone);
    if (isOtherTime && (saysNo(said.text) || saysBut(said.text))) return this.act('move', [said]);
    if (saysNo(said.text)) return say(words.LEFT_AS_IS);
    if (!saysYes(said.text)) return null;
    return offer === words.OFFER_PERSON ? { kind: 'wants person' } : this.act('confirm', [said]);
  }

  private answerQuestion(open: Extract<Open, { kind: 'wish' }>, said: Said): Promise<Answer> | Answer | null {
    const isInformative = informs(said, this.zone);
    if (takesBack(said.text) || (saysNo(said.text) && !isInformative)) return say(words.LEFT_AS_IS);
    const isTaken = saysYes(said.text) && open.asked === words.OFFER_BOOKING;
    const isOfUse = isInformative || isTaken || open.asked === words.ASK_WHICH || SPEAKS_OF_TIME.test(said.text);
    return isOfUse ? this.act(open.intent, [...open.said, said]) : null;
  }

  private act(intent: AppointmentIntent, said: readonly Said[]): Promise<Answer> | Answer {
    if (intent === 'lookup') return this.lookUp();
    if (!this.ledger.canBook) return say(words.NO_LEDGER, words.OFFER_PERSON);
    switch (intent) {
      case 'book':
        return this.book(bookingWish(said, this.zone));
      case 'move':
        return this.move(movingWish(said, this.zone), said);
      case 'confirm':
        return this.onChosen(choosingWish(said, this.zone), said, (chosen) => this.confirm(chosen));
      case 'cancel':
        return this.cancel(choosingWish(said, this.zone), said);
    }
  }

  private async lookUp(): Promise<Answer> {
    const { now } = this.turn;
    const remembered = upcoming((await this.turn.memory()).appointments, now);
    const found = remembered.length > 0 ? remembered : upcoming(await this.ledger.all(), now);
    const [next, ...later] = found;
    if (next === undefined) return this.ledger.canBook ? say(words.NO_APPOINTMENT) : say(words.NO_SIGHT, words.OFFER_PERSON);
    const more = later.length === 0 ? '' : `You have ${later.length} more after that.`;
    return say(`Your next appointment: ${described(next, this.zone)}, ${next.status}.`, more, words.ANYTHING_ELSE);
  }

  private async book({ service, when, confirm, further }: Wish): Promise<Answer> {
    const name = service ?? 'appointment';
    const intro = service === null ? 'Gladly.' : `Gladly: **${words.literal(service)}**.`;
    const { day, time } = when;
    if (when.instant === null && (day === null || time === null)) {
      return say(intro, time !== null ? words.ASK_DAY : day !== null ? words.ASK_TIME : words.ASK_WHEN);
    }
    const startsAt = when.instant ?? (day && time ? momentOf(day, time, when.zone ?? this.zone, this.turn.now) : Number.NaN);
    if (!(startsAt > this.turn.now)) return say(words.IS_PAST, words.ASK_WHEN);
    const change = await this.ledger.book({ service: name, startsAt, minutes: when.minutes, confirm });
    const more = further === null ? '' : words.oneAtATime(nameOfFurther(further));
    return told(change, 'is booked', this.zone, more);
  }

  private async move(wish: Wish, said: readonly Said[]): Promise<Answer> {
    return this.onChosen(wish, said, async (chosen) => {
      const startsAt = this.newStart(chosen, wish);
      if (startsAt === null) return say(`Let's move ${described(chosen, this.zone)}.`, words.ASK_WHEN);
      if (!(startsAt > this.turn.now)) return say(words.IS_PAST, words.ASK_WHEN);
      const moved = await this.ledger.move(chosen.id, startsAt);
      const change = moved.ok && wish.confirm ? await this.ledger.confirm(chosen.id) : moved;
      return told(change, 'is booked instead', this.zone);
    });
  }

  /** What a move leaves out, the day or the time of day, stays as it was. */
  private newStart(chosen: AppointmentSummary, { when }: Wish): number | null {
    const { now } = this.turn;
    if (when.instant !== null) return when.instant;
    const start = when.shift === null ? chosen.startsAt : shifted(chosen.startsAt, when.shift, this.zone);
    if (when.day === null && when.time === null) return when.shift === null ? null : start;
    const old = dayAndTime(start, this.zone);
    return momentOf(when.day ?? old.day, when.time ?? old.time, when.zone ?? this.zone, now);
  }

  private async confirm(chosen: AppointmentSummary): Promise<Answer> {
    return told(await this.ledger.confirm(chosen.id), null, this.zone);
  }

  private async cancel(wish: Wish, said: readonly Said[]): Promise<Answer> {
    const latest = said.at(-1);
    if (latest !== undefined && meansAll(latest.text, latest.answering === words.ASK_WHICH)) {
      const all = upcoming(await this.ledger.all(), this.turn.now);
      if (all.length > 1 && makesExceptions(latest.text)) return say(listed(words.SEVERAL, all, this.zone), words.ASK_WHICH);
      if (!informs(latest, this.zone) && objectNamed(latest.text) === null) return this.cancelAll(all);
    }
    return this.onChosen(wish, said, async (chosen) => told(await this.ledger.cancel(chosen.id), null, this.zone), true);
  }

  private async cancelAll(all: readonly AppointmentSummary[]): Promise<Answer> {
    for (const appointment of all.slice(0, -1)) {
      const change = await this.ledger.cancel(appointment.id);
      if (!change.ok) return refused(change);
    }
    const last = all.at(-1);
    if (last === undefined) return say(words.NO_APPOINTMENT);
    const change = await this.ledger.cancel(last.id);
    return change.ok && all.length > 1
      ? say(`All ${all.length} upcoming appointments are cancelled.`, words.ANYTHING_ELSE)
      : told(change, null, this.zone);
  }

  private async onChosen(
    wish: Wish,
    said: readonly Said[],
    act: (chosen: AppointmentSummary) => Promise<Answer>,
    cancelled = false,
  ): Promise<Answer> {
    const candidates = await this.candidates(cancelled);
    if (candidates.length === 0) return say(words.NO_APPOINTMENT);
    const choice = choose(candidates, this.hints(wish, said));
    switch (choice.kind) {
      case 'one':
        return act(choice.appointment);
      case 'many':
        return say(listed(words.SEVERAL, choice.appointments, this.zone), words.ASK_WHICH);
      case 'mismatch':
        return say(listed('I see none then. What I see:', candidates, this.zone), words.ASK_WHICH);
    }
  }

  private hints(wish: Wish, said: readonly Said[]): Hints {
    const { text = '', answering = null } = said.at(-1) ?? {};
    const wasListed = answering === words.ASK_WHICH;
    const latest = affirmed(text).trim();
    const isAnswer = answering !== null || this.open?.kind === 'offer';
    return {
      text: wish.text,
      latest,
      object: objectNamed(latest) ?? (wasListed ? serviceNamed(latest) : null),
      when: wish.named,
      wasListed,
      meansLast: !wasListed && (THAT_ONE.test(text) || (isAnswer && !SOME_VISIT.test(text))),
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
