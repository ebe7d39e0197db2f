import { APPOINTMENT_TOOLS } from '@domain/appointment/agent-tools';
import type { Toolbox, ToolResult } from '@ports/agent.port';

export interface FakeAppointment {
  readonly id: string;
  readonly service: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly time_zone: string;
  readonly status: string;
  readonly version: number;
}

type Args = Readonly<Record<string, unknown>>;

const HALF_HOUR = 30;

/** The appointment tools over a list in memory: what is booked already is not booked again. `calls` records every call. */
export class FakeLedger implements Toolbox {
  readonly tools = APPOINTMENT_TOOLS;
  readonly calls: { readonly name: string; readonly args: Args }[] = [];
  appointments: FakeAppointment[] = [];
  /** When set, every change is refused with this result. */
  refusal: Extract<ToolResult, { ok: false }> | null = null;
  /** While true, `find_appointments` fails. */
  unseen = false;

  constructor(private readonly timeZone = 'UTC') {}

  add(service: string, startsAt: string, status = 'pending'): FakeAppointment {
    return this.insert(service, new Date(startsAt), HALF_HOUR, status);
  }

  async call(name: string, args: unknown): Promise<ToolResult> {
    const given = args as Args;
    this.calls.push({ name, args: given });
    if (name === 'find_appointments' && this.unseen) return { ok: false, code: 'service_unavailable', message: 'Try again.' };
    if (name === 'find_appointments') return { ok: true, result: { appointments: this.appointments } };
    if (this.refusal !== null) return this.refusal;
    const before = this.appointments.length;
    const appointment = this.change(name, given);
    return appointment
      ? {
          ok: true,
          result: { appointment, ...(name === 'book_appointment' && { deduplicated: this.appointments.length === before }) },
        }
      : { ok: false, code: 'resource_missing', message: 'No such appointment.' };
  }

  /** How many calls have asked for a change. */
  get changes(): number {
    return this.calls.filter(({ name }) => name !== 'find_appointments').length;
  }

  private change(name: string, args: Args): FakeAppointment | undefined {
    switch (name) {
      case 'book_appointment': {
        const minutes = typeof args['duration_minutes'] === 'number' ? args['duration_minutes'] : HALF_HOUR;
        const status = args['confirm'] === true ? 'confirmed' : 'pending';
        const [service, start] = [String(args['service']), new Date(String(args['starts_at']))];
        return this.liveAt(service, start) ?? this.insert(service, start, minutes, status);
      }
      case 'confirm_appointment':
        return this.update(args, () => ({ status: 'confirmed' }));
      case 'cancel_appointment':
        return this.update(args, () => ({ status: 'cancelled' }));
      case 'reschedule_appointment':
        return this.update(args, (old) => {
          const start = new Date(String(args['starts_at']));
          const length = Date.parse(old.ends_at) - Date.parse(old.starts_at);
          const times = { starts_at: start.toISOString(), ends_at: new Date(start.getTime() + length).toISOString() };
          return { status: 'rescheduled', ...times };
        });
      default:
        return undefined;
    }
  }

  private liveAt(service: string, start: Date): FakeAppointment | undefined {
    const isSame = (one: FakeAppointment) => one.service === service && one.starts_at === start.toISOString();
    return this.appointments.find((one) => isSame(one) && one.status !== 'cancelled');
  }

  private insert(service: string, start: Date, minutes: number, status: string): FakeAppointment {
    const appointment = {
      id: `apt_${this.appointments.length + 1}`,
      service,
      starts_at: start.toISOString(),
      ends_at: new Date(start.getTime() + minutes * 60_000).toISOString(),
      time_zone: this.timeZone,
      status,
      version: 1,
    };
    this.appointments.push(appointment);
    return appointment;
  }

  private update(args: Args, change: (old: FakeAppointment) => Partial<FakeAppointment>): FakeAppointment | undefined {
    const index = this.appointments.findIndex(({ id }) => id === args['appointment_id']);
    const old = this.appointments[index];
    if (old === undefined) return undefined;
    const changed = { ...old, ...change(old), version: old.version + 1 };
    this.appointments[index] = changed;
    return changed;
  }
}
