import { IANAZone } from 'luxon';
import type { AgentTurn, AppointmentSummary, TranscriptLine } from '@ports/agent.port';
import { described, upcoming } from './appointments.js';
import { choose } from './choice.js';
import { type AppointmentIntent, SPEAKS_OF_TIME, saysNo, saysYes, takesBack } from './intent.js';
import type { Change, Ledger } from './ledger.js';
import { type Open, type Said, openBefore, spoken } from './so-far.js';
import { dayAndTime, momentOf, shifted } from './when.js';
import { type Wish, bookingWish, choosingWish, informs, movingWish } from './wish.js';
import * as words from './wording.js';

export type Answer = { readonly kind: 'said'; readonly content: string } | { readonly kind: 'wants person' };

function say(...sentences: string[]): Answer {
  const content = sentences.filter((sentence) => sentence !== '').join(' ');
  return { kind: 'said', content: content.replace(/\n +/g, '\n') };
}

const ALL_OF_THEM = /\b(?:all|both|every|everything)\b/;

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
    const said: Said = { text, at: this.turn.now, answering: open?.kind === 'wish' ? open.asked : null };
    if (open?.kind === 'offer' && intent === null) return this.answerOffer(open.offer, said);
    if (open?.kind !== 'wish') return intent === null ? null : this.act(intent, [said]);
    if (takesBack(text) && open.intent !== 'cancel') return say(words.LEFT_AS_IS);
    if (intent === null) return this.answerQuestion(open, said);
    const goesOn = intent === open.intent || (open.intent === 'book' && intent !== 'lookup' && intent !== 'cancel');
    return this.act(goesOn ? open.intent : intent, goesOn ? [...open.said, said] : [said]);
  }

  private answerOffer(offer: string, said: Said): Promise<Answer> | Answer | null {
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

  private async book({ service, when, confirm }: Wish): Promise<Answer> {
    const name = service ?? 'appointment';
    const intro = service === null ? 'Gladly.' : `Gladly: **${words.literal(service)}**.`;
    const { day, time } = when;
    if (when.instant === null && (day === null || time === null)) {
      return say(intro, time !== null ? words.ASK_DAY : day !== null ? words.ASK_TIME : words.ASK_WHEN);
    }
    const startsAt = when.instant ?? (day && time ? momentOf(day, time, this.zone, this.turn.now) : Number.NaN);
    if (!(startsAt > this.turn.now)) return say(words.IS_PAST, words.ASK_WHEN);
    const change = await this.ledger.book({ service: name, startsAt, minutes: when.minutes, confirm });
    return this.told(change, 'is booked');
  }

  private async move(wish: Wish, said: readonly Said[]): Promise<Answer> {
    return this.onChosen(wish, said, async (chosen) => {
      const startsAt = this.newStart(chosen, wish);
      if (startsAt === null) return say(`Let's move ${described(chosen, this.zone)}.`, words.ASK_WHEN);
      if (!(startsAt > this.turn.now)) return say(words.IS_PAST, words.ASK_WHEN);
      const moved = await this.ledger.move(chosen.id, startsAt);
      if (moved.ok && wish.confirm) return this.told(await this.ledger.confirm(chosen.id), 'is booked instead');
      return this.told(moved, 'is booked instead');
    });
  }

  /** What a move leaves out, the day or the time of day, stays as it was. */
  private newStart(chosen: AppointmentSummary, { when }: Wish): number | null {
    const { now } = this.turn;
    if (when.instant !== null) return when.instant;
    if (when.day === null && when.time === null) {
      return when.shift === null ? null : shifted(chosen.startsAt, when.shift, this.zone);
    }
    const old = dayAndTime(chosen.startsAt, this.zone);
    return momentOf(when.day ?? old.day, when.time ?? old.time, this.zone, now);
  }

  private async confirm(chosen: AppointmentSummary): Promise<Answer> {
    return this.told(await this.ledger.confirm(chosen.id), null);
  }

  private async cancel(wish: Wish, said: readonly Said[]): Promise<Answer> {
    if (ALL_OF_THEM.test(wish.text)) {
      const all = upcoming(await this.ledger.all(), this.turn.now);
      for (const appointment of all.slice(0, -1)) {
        const change = await this.ledger.cancel(appointment.id);
        if (!change.ok) return this.refused(change);
      }
      const last = all.at(-1);
      if (last === undefined) return say(words.NO_APPOINTMENT);
      const change = await this.ledger.cancel(last.id);
      return change.ok && all.length > 1
        ? say(`All ${all.length} upcoming appointments are cancelled.`, words.ANYTHING_ELSE)
        : this.told(change, null);
    }
    return this.onChosen(wish, said, async (chosen) => this.told(await this.ledger.cancel(chosen.id), null), true);
  }

  private async onChosen(
    wish: Wish,
    said: readonly Said[],
    act: (chosen: AppointmentSummary) => Promise<Answer>,
    cancelled = false,
  ): Promise<Answer> {
    const candidates = await this.candidates(cancelled);
    if (candidates.length === 0) return say(words.NO_APPOINTMENT);
    const latest = said.at(-1);
    const choice = choose(candidates, {
      text: wish.text,
      latest: latest?.text ?? '',
      when: wish.named,
      wasListed: latest?.answering === words.ASK_WHICH,
      zone: this.zone,
      spoken: spoken(this.lines),
    });
    switch (choice.kind) {
      case 'one':
        return act(choice.appointment);
      case 'many':
        return say(this.listed('You have several appointments:', choice.appointments), words.ASK_WHICH);
      case 'mismatch':
        return say(this.listed('I see none then. What I see:', candidates), words.ASK_WHICH);
    }
  }

  private async candidates(cancelled: boolean): Promise<readonly AppointmentSummary[]> {
    const { now } = this.turn;
    const all = await this.ledger.all();
    const live = upcoming(all, now);
    // A turn that is asked again after its cancellation took effect finds it cancelled: saying so twice does no harm.
    const gone = cancelled ? all.filter(({ status, endsAt }) => status === 'cancelled' && endsAt > now) : [];
    return live.length > 0 ? live : gone.slice(0, 1);
  }

  private listed(intro: string, appointments: readonly AppointmentSummary[]): string {
    const rows = appointments.slice(0, 9).map((each, index) => `${index + 1}. ${described(each, this.zone)}`);
    return `${intro}\n\n${rows.join('\n')}\n\n`;
  }

  /** `done` is what happened beside a confirmation: "is booked". */
  private told(change: Change, done: string | null): Answer {
    if (!change.ok) return this.refused(change);
    const { appointment } = change;
    const what = described(appointment, this.zone);
    if (appointment.status === 'cancelled') return say(`Done: ${what} is cancelled.`, words.ANYTHING_ELSE);
    if (appointment.status !== 'confirmed') return say(`Done: ${what} ${done ?? 'is noted'}.`, words.OFFER_CONFIRM);
    return say(`Done: ${what} ${done === null ? 'is confirmed' : `${done} and confirmed`}.`, words.ANYTHING_ELSE);
  }

  private refused({ code, message }: Extract<Change, { ok: false }>): Answer {
    if (code === 'slot_unavailable') return say('That time is not free any more.', words.ASK_WHEN);
    const cause = message === '' ? '' : `: ${words.literal(message).replace(/\.$/, '')}`;
    return say(`I'm sorry, that did not work${cause}.`, words.OFFER_PERSON);
  }
}
