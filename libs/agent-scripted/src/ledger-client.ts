import * as tools from '@domain/appointment/agent-tools';
import { isLive } from '@domain/appointment/appointment';
import type { AppointmentSummary, Toolbox, ToolResult } from '@ports/agent.port';
import type { Appointed } from './note.js';

export interface Appointment extends AppointmentSummary {
  readonly version: number;
}

const TOOLS = {
  book: tools.BOOK_APPOINTMENT,
  confirm: tools.CONFIRM_APPOINTMENT,
  move: tools.RESCHEDULE_APPOINTMENT,
  cancel: tools.CANCEL_APPOINTMENT,
};

export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

export class LedgerClient {
  private found: Promise<readonly Appointment[]> | undefined;

  constructor(
    private readonly toolbox: Toolbox,
    private readonly signal: () => AbortSignal,
  ) {}

  get canBook(): boolean {
    return this.toolbox.tools.some(({ name }) => name === TOOLS.book.name);
  }

  /** Every appointment that this conversation may touch, cancelled and past ones too. Rejects with `NotSeen`. */
  all(): Promise<readonly Appointment[]> {
    return (this.found ??= this.find());
  }

  private async find(): Promise<readonly Appointment[]> {
    if (!this.canBook) return [];
    const answer = await this.call(tools.FIND_APPOINTMENTS.name, {});
    if (!answer.ok) throw new NotSeen(`appointments are not found: ${answer.code}`);
    return (answer.result['appointments'] as readonly unknown[]).map(appointmentOf);
  }

  /** Carries out an offer. A booking that could not be stored is reported as a failed attempt. */
  async carryOut(offer: Appointed): Promise<ToolResult> {
    const { verb, service } = offer;
    const starts_at = new Date(offer.at).toISOString();
    if (verb !== 'book') {
      const more = verb === 'move' ? { starts_at } : verb === 'cancel' ? { reason: 'customer_request' } : {};
      return this.call(TOOLS[verb].name, { appointment_id: offer.id, ...more });
    }
    const length = offer.minutes === undefined ? {} : { duration_minutes: offer.minutes };
    const answer = await this.call(TOOLS.book.name, { service, starts_at, ...length });
    if (!answer.ok && answer.code.includes('unavailable')) {
      const message = answer.message || 'The booking could not be made.';
      await this.call(tools.REPORT_FAILED_ATTEMPT.name, { service, starts_at, code: answer.code, message });
    }
    return answer;
  }

  /** A cancelled turn must not change anything. */
  private call(name: string, args: unknown): Promise<ToolResult> {
    this.signal().throwIfAborted();
    return this.toolbox.call(name, args);
  }
}

/** Soonest first. */
export function upcoming<Each extends AppointmentSummary>(appointments: readonly Each[], now: number): readonly Each[] {
  const live = appointments.filter((each) => isLive(each) && each.startsAt > now);
  return live.toSorted((one, other) => one.startsAt - other.startsAt);
}

export function appointmentOf(shown: unknown): Appointment {
  const { starts_at, ends_at, time_zone, ...rest } = shown as Appointment &
    Readonly<Record<'starts_at' | 'ends_at' | 'time_zone', string>>;
  return { ...rest, startsAt: Date.parse(starts_at), endsAt: Date.parse(ends_at), timeZone: time_zone };
}
