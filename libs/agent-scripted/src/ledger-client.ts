import {
  BOOK_APPOINTMENT,
  CANCEL_APPOINTMENT,
  CONFIRM_APPOINTMENT,
  FIND_APPOINTMENTS,
  REPORT_FAILED_ATTEMPT,
  RESCHEDULE_APPOINTMENT,
} from '@domain/appointment/agent-tools';
import { isLive } from '@domain/appointment/appointment';
import type { AppointmentSummary, Toolbox, ToolResult } from '@ports/agent.port';
import type { Offer } from './note.js';

export interface Appointment extends Omit<AppointmentSummary, 'endsAt'> {
  readonly version: number;
}

export type Outcome =
  | { readonly ok: true; readonly appointment: Appointment; readonly wasThere: boolean }
  | { readonly ok: false; readonly code: string; readonly message: string };

const TOOLS = { book: BOOK_APPOINTMENT, confirm: CONFIRM_APPOINTMENT, move: RESCHEDULE_APPOINTMENT, cancel: CANCEL_APPOINTMENT };

/** The appointments cannot be looked at: whether there are any is not known. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

/** The appointment tools of one turn. */
export class LedgerClient {
  private found: Promise<readonly Appointment[]> | undefined;

  constructor(
    private readonly toolbox: Toolbox,
    private readonly signal: () => AbortSignal,
  ) {}

  get canBook(): boolean {
    return this.has(BOOK_APPOINTMENT.name);
  }

  /** Every appointment that this conversation may touch, cancelled and past ones too. Rejects with `NotSeen`. */
  all(): Promise<readonly Appointment[]> {
    return (this.found ??= this.find());
  }

  private async find(): Promise<readonly Appointment[]> {
    if (!this.has(FIND_APPOINTMENTS.name)) return [];
    const answer = await this.call(FIND_APPOINTMENTS.name, {});
    if (!answer.ok) throw new NotSeen(`appointments are not found: ${answer.code}`);
    return (answer.result['appointments'] as readonly ShownAppointment[]).map(appointmentOf);
  }

  /** Does what was offered. A booking that could not be stored is reported as a failed attempt. */
  async carryOut(offer: Exclude<Offer, { verb: 'person' }>): Promise<Outcome> {
    const { verb, service } = offer;
    const starts_at = new Date(offer.at).toISOString();
    const args =
      verb === 'book'
        ? { service, starts_at, ...(offer.minutes !== undefined && { duration_minutes: offer.minutes }) }
        : {
            appointment_id: offer.id,
            ...(verb === 'move' && { starts_at }),
            ...(verb === 'cancel' && { reason: 'customer_request' }),
          };
    const answer = await this.call(TOOLS[verb].name, args);
    if (answer.ok) {
      const { appointment, deduplicated } = answer.result;
      return { ok: true, appointment: appointmentOf(appointment as ShownAppointment), wasThere: deduplicated === true };
    }
    const { code, message } = answer;
    if (verb === 'book' && code.includes('unavailable')) {
      const cause = { code, message: message || 'The booking could not be made.' };
      await this.call(REPORT_FAILED_ATTEMPT.name, { service, starts_at, ...cause });
    }
    return answer;
  }

  /** A turn that was given up changes nothing any more. */
  private call(name: string, args: unknown): Promise<ToolResult> {
    this.signal().throwIfAborted();
    return this.toolbox.call(name, args);
  }

  private has(name: string): boolean {
    return this.toolbox.tools.some((tool) => tool.name === name);
  }
}

/** Those still to come, soonest first. */
export function upcoming<Each extends Appointment | AppointmentSummary>(
  appointments: readonly Each[],
  now: number,
): readonly Each[] {
  return appointments
    .filter((each) => isLive(each) && each.startsAt > now)
    .toSorted((one, other) => one.startsAt - other.startsAt);
}

/** As the tools show it. */
type ShownAppointment = Pick<Appointment, 'id' | 'service' | 'status' | 'version'> & {
  readonly starts_at: string;
  readonly time_zone: string;
};

function appointmentOf({ starts_at, time_zone, ...rest }: ShownAppointment): Appointment {
  return { ...rest, startsAt: Date.parse(starts_at), timeZone: time_zone };
}
