import {
  BOOK_APPOINTMENT,
  CANCEL_APPOINTMENT,
  CONFIRM_APPOINTMENT,
  FIND_APPOINTMENTS,
  REPORT_FAILED_ATTEMPT,
  RESCHEDULE_APPOINTMENT,
} from '@domain/appointment/agent-tools';
import type { AppointmentSummary, Toolbox, ToolResult } from '@ports/agent.port';

export interface Booking {
  readonly service: string;
  readonly startsAt: number;
  readonly minutes: number | null;
  readonly confirm: boolean;
}

export type Change =
  | { readonly ok: true; readonly appointment: AppointmentSummary }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Of a change that may have been made all the same. */
export const IN_DOUBT = 'internal_error';
const ILLEGIBLE: Change = { ok: false, code: IN_DOUBT, message: '' };

function appointmentOf(value: unknown): AppointmentSummary | null {
  if (typeof value !== 'object' || value === null) return null;
  const wire = value as Readonly<Record<string, unknown>>;
  const startsAt = Date.parse(String(wire['starts_at']));
  const endsAt = Date.parse(String(wire['ends_at']));
  const { id, service, status } = wire;
  if (typeof id !== 'string' || typeof service !== 'string' || typeof status !== 'string') return null;
  if (Number.isNaN(startsAt)) return null;
  const zone = wire['time_zone'];
  return {
    id,
    service,
    status,
    startsAt,
    endsAt: Number.isNaN(endsAt) ? startsAt : endsAt,
    timeZone: typeof zone === 'string' ? zone : 'UTC',
  };
}

function changeOf(answer: ToolResult): Change {
  if (!answer.ok) return answer;
  const appointment = appointmentOf(answer.result['appointment']);
  return appointment === null ? ILLEGIBLE : { ok: true, appointment };
}

/** The appointments cannot be looked at: whether there are any is not known. */
export class NotSeen extends Error {
  constructor(code: string) {
    super(`appointments are not found: ${code}`);
    this.name = 'NotSeen';
  }
}

/** The appointment tools of one turn, in our own words. */
export class Ledger {
  constructor(
    private readonly toolbox: Toolbox,
    private readonly signal: AbortSignal,
  ) {}

  get canBook(): boolean {
    return this.has(BOOK_APPOINTMENT.name);
  }

  /** Every appointment this conversation may touch, cancelled ones too. Rejects with `NotSeen`. */
  async all(): Promise<readonly AppointmentSummary[]> {
    if (!this.has(FIND_APPOINTMENTS.name)) return [];
    const answer = await this.call(FIND_APPOINTMENTS.name, {});
    if (!answer.ok) throw new NotSeen(answer.code);
    const found = answer.result['appointments'];
    return Array.isArray(found) ? found.map(appointmentOf).filter((appointment) => appointment !== null) : [];
  }

  async book({ service, startsAt, minutes, confirm }: Booking): Promise<Change> {
    const times = { starts_at: new Date(startsAt).toISOString(), ...(minutes === null ? {} : { duration_minutes: minutes }) };
    const change = await this.change(BOOK_APPOINTMENT.name, { service, ...times, ...(confirm ? { confirm } : {}) });
    // A wish that cannot be stored is a failed attempt; one that may be is none, and a refused one is the customer's to change.
    if (!change.ok && change.code.includes('unavailable') && this.has(REPORT_FAILED_ATTEMPT.name)) {
      const cause = { code: change.code, message: change.message || 'The booking could not be made.' };
      await this.call(REPORT_FAILED_ATTEMPT.name, { service, starts_at: times.starts_at, ...cause });
    }
    return change;
  }

  confirm(id: string): Promise<Change> {
    return this.change(CONFIRM_APPOINTMENT.name, { appointment_id: id });
  }

  move(id: string, startsAt: number): Promise<Change> {
    return this.change(RESCHEDULE_APPOINTMENT.name, { appointment_id: id, starts_at: new Date(startsAt).toISOString() });
  }

  cancel(id: string): Promise<Change> {
    return this.change(CANCEL_APPOINTMENT.name, { appointment_id: id, reason: 'customer_request' });
  }

  /** A turn that was given up changes nothing any more. */
  private call(name: string, args: unknown): Promise<ToolResult> {
    this.signal.throwIfAborted();
    return this.toolbox.call(name, args);
  }

  private has(name: string): boolean {
    return this.toolbox.tools.some((tool) => tool.name === name);
  }

  private async change(name: string, args: Readonly<Record<string, unknown>>): Promise<Change> {
    if (!this.has(name)) return { ok: false, code: 'unknown_tool', message: '' };
    return changeOf(await this.call(name, args));
  }
}
