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

export interface Appointment extends AppointmentSummary {
  readonly version: number;
}

export type Outcome =
  | { readonly ok: true; readonly appointment: Appointment; readonly wasThere: boolean }
  | { readonly ok: false; readonly code: string; readonly message: string };

const TOOLS = { confirm: CONFIRM_APPOINTMENT, move: RESCHEDULE_APPOINTMENT, cancel: CANCEL_APPOINTMENT };

/** Of a call that may have taken effect all the same. */
const IN_DOUBT = { ok: false, code: 'internal_error', message: '' } as const;

/** The appointments cannot be looked at: whether there are any is not known. */
export class NotSeen extends Error {
  constructor(code: string) {
    super(`appointments are not found: ${code}`);
    this.name = 'NotSeen';
  }
}

/** The appointment tools of one turn. */
export class LedgerClient {
  constructor(
    private readonly toolbox: Toolbox,
    private readonly signal: () => AbortSignal,
  ) {}

  get canBook(): boolean {
    return this.has(BOOK_APPOINTMENT.name);
  }

  /** Every appointment that this conversation may touch, cancelled and past ones too. Rejects with `NotSeen`. */
  async all(): Promise<readonly Appointment[]> {
    if (!this.has(FIND_APPOINTMENTS.name)) return [];
    const answer = await this.call(FIND_APPOINTMENTS.name, {});
    if (!answer.ok) throw new NotSeen(answer.code);
    const found = answer.result['appointments'];
    return Array.isArray(found) ? found.map(appointmentOf).filter((each) => each !== null) : [];
  }

  /** Does what was offered. A booking that could not be stored is reported as a failed attempt. */
  async carryOut(offer: Exclude<Offer, { verb: 'person' }>): Promise<Outcome> {
    const starts_at = new Date(offer.at).toISOString();
    if (offer.verb !== 'book') {
      const more = offer.verb === 'move' ? { starts_at } : offer.verb === 'cancel' ? { reason: 'customer_request' } : {};
      return this.change(TOOLS[offer.verb].name, { appointment_id: offer.id, ...more });
    }
    const { service, minutes } = offer;
    const outcome = await this.change(BOOK_APPOINTMENT.name, {
      service,
      starts_at,
      ...(minutes && { duration_minutes: minutes }),
    });
    if (!outcome.ok && outcome.code.includes('unavailable') && this.has(REPORT_FAILED_ATTEMPT.name)) {
      const cause = { code: outcome.code, message: outcome.message || 'The booking could not be made.' };
      await this.call(REPORT_FAILED_ATTEMPT.name, { service, starts_at, ...cause });
    }
    return outcome;
  }

  private async change(name: string, args: Readonly<Record<string, unknown>>): Promise<Outcome> {
    if (!this.has(name)) return { ok: false, code: 'unknown_tool', message: '' };
    const answer = await this.call(name, args);
    if (!answer.ok) return answer;
    const appointment = appointmentOf(answer.result['appointment']);
    return appointment ? { ok: true, appointment, wasThere: answer.result['deduplicated'] === true } : IN_DOUBT;
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
export function upcoming<Each extends AppointmentSummary>(appointments: readonly Each[], now: number): readonly Each[] {
  return appointments
    .filter((each) => isLive(each) && each.startsAt > now)
    .toSorted((one, other) => one.startsAt - other.startsAt);
}

function appointmentOf(value: unknown): Appointment | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, service, status, version, starts_at, ends_at, time_zone } = value as Readonly<Record<string, unknown>>;
  const startsAt = Date.parse(String(starts_at));
  if (typeof id !== 'string' || typeof service !== 'string' || typeof status !== 'string' || Number.isNaN(startsAt)) return null;
  const endsAt = Date.parse(String(ends_at)) || startsAt;
  return {
    id,
    service,
    status,
    startsAt,
    endsAt,
    timeZone: String(time_zone),
    version: typeof version === 'number' ? version : 0,
  };
}
