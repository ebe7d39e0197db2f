import type fc from 'fast-check';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { AppointmentDirectory } from '@application/appointments/appointment-directory';
import { BookAppointment, ChangeAppointment, type AppointmentChange } from '@application/appointments/appointment.commands';
import { ChangeAppointmentHandler } from '@application/appointments/appointment.handlers';
import { BookAppointmentHandler } from '@application/appointments/book-appointment.handler';
import { NaturalKeys } from '@application/appointments/natural-keys';
import { Claims } from '@application/claims/claims';
import { CustomerDirectory } from '@application/customers/customer-directory';
import { StreamCache } from '@application/streams/stream-cache';
import type { RequestContext } from '@application/runtime/request-context';
import { SessionDirectory } from '@application/sessions/session-directory';
import { StreamRunner } from '@application/streams/stream-runner';
import { isLive, naturalKey, type Appointment } from '@domain/appointment/appointment';
import { appointmentDecider } from '@domain/appointment/appointment.decider';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import type { Appended, ExpectedRevision, NewEvent, Recorded } from '@ports/event-store.port';
import type { ReadModels } from '@ports/read-models.port';
import { FakeClock } from './fake-clock.js';
import { ENVELOPE } from './envelopes.js';
import { FakeIds } from './fake-ids.js';
import { bookingInput, HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from './ledger-world.js';
import { carryOut, ShuffledEventStore } from './shuffled.js';

export const TIMES = [NINE_ON_MONDAY, NINE_ON_MONDAY + HALF_HOUR] as const;

export interface RaceStep {
  readonly do: 'book' | 'move' | 'rebook' | 'cancel' | 'fail';
  /** The index of one of the three appointments; a new booking replaces the appointment at this index. */
  readonly which: number;
  /** The index into `TIMES`. */
  readonly to: number;
  /** The process dies in this append, counted from 1: it is stored but never acknowledged. Null when it survives. */
  readonly diesAfter: number | null;
}

/** The view that one process has of a shared log; no append returns after the process died. */
class MortalEventStore extends ShuffledEventStore {
  private appendsLeft = Infinity;
  private die: () => void = () => undefined;
  readonly death = new Promise<void>((resolve) => (this.die = resolve));

  diesAfter(appends: number | null): void {
    this.appendsLeft = appends ?? Infinity;
  }

  override async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    const appended = await super.append(stream, events, expected);
    if (--this.appendsLeft > 0) return appended;
    this.die();
    return NEVER;
  }
}

const NEVER = new Promise<never>(() => undefined);

/** One replica of the ledger, with a cache of its own. */
class Process {
  readonly store: MortalEventStore;
  readonly booking: BookAppointmentHandler;
  readonly changing: ChangeAppointmentHandler;

  constructor(log: Recorded[], scheduler: fc.Scheduler, clock: FakeClock, ids: FakeIds) {
    const store = (this.store = new MortalEventStore(scheduler, log));
    const streams = new StreamRunner(store, new StreamCache(store), clock, ids);
    const claims = new Claims(streams, store, new NodeCryptoSecrets(Buffer.alloc(32, 7)), clock);
    const customers = new CustomerDirectory(streams, claims, clock);
    const sessions = new SessionDirectory(streams, {} as ReadModels, clock);
    const appointments = new AppointmentDirectory(streams);
    const keys = new NaturalKeys(claims, appointments);
    this.booking = new BookAppointmentHandler(appointments, keys, sessions, customers, clock, ids);
    this.changing = new ChangeAppointmentHandler(appointments, keys, sessions, clock);
  }
}

/** Several processes that concurrently book and change three appointments over one log. */
export class LedgerRace {
  private readonly clock = new FakeClock();
  private readonly ids = new FakeIds(this.clock, 1);
  private readonly log: Recorded[] = [];
  private readonly known: string[] = [];
  private count = 0;

  constructor(private readonly scheduler: fc.Scheduler) {}

  /** Books three appointments: one at each of `TIMES` and one at another time. */
  async begin(): Promise<void> {
    for (const startsAt of [...TIMES, NINE_ON_MONDAY - HALF_HOUR]) this.known.push((await this.book(startsAt)).appointment.id);
  }

  book(startsAt: number, { booking } = this.process()) {
    return booking.execute(new BookAppointment(this.context(), bookingInput({ startsAt })));
  }

  /** Runs the steps in order; a new process continues after the current one died. */
  async act(steps: readonly RaceStep[]): Promise<void> {
    let process = this.process();
    for (const step of steps) {
      process.store.diesAfter(step.diesAfter);
      const died = process.store.death.then(() => true);
      if (await Promise.race([this.take(step, process).then(() => false), died])) process = this.process();
    }
  }

  /** Runs the scheduled operations until the work settles. */
  over<T>(work: Promise<T>): Promise<T> {
    return carryOut(this.scheduler, this.clock, work);
  }

  /** Positions of bookings and moves that were stored while another live appointment had the same natural key. */
  doubled(): string[] {
    const ledger = new Map<string, Appointment>();
    return this.log.flatMap(({ stream, event, position }) => {
      if (!stream.startsWith('appointment-')) return [];
      const before = ledger.get(stream) ?? appointmentDecider.initial;
      const others = [...ledger].filter(([other]) => other !== stream).map(([, other]) => other);
      const appointment = appointmentDecider.evolve(before, event as AppointmentEvent);
      ledger.set(stream, appointment);
      const isDoubled = others.some((other) => isLive(other) && naturalKey(other) === naturalKey(appointment));
      const comes = isLive(appointment) && !(isLive(before) && naturalKey(before) === naturalKey(appointment));
      return comes && isDoubled ? [position] : [];
    });
  }

  private async take(step: RaceStep, process: Process): Promise<void> {
    const startsAt = TIMES[step.to] ?? 0;
    if (step.do === 'book') {
      this.known[step.which] = (await this.book(startsAt, process)).appointment.id;
      return;
    }
    const id = this.known[step.which] ?? '';
    const change = new ChangeAppointment(this.context(), id, changeOf(step.do, startsAt));
    await process.changing.execute(change).catch((error: { code?: string }) => {
      if (error.code !== 'appointment_invalid_transition' && error.code !== 'appointment_duplicate') throw error;
    });
  }

  private process(): Process {
    return new Process(this.log, this.scheduler, this.clock, this.ids);
  }

  private context(): RequestContext {
    const commandId = `request ${++this.count}`;
    const startedAt = this.clock.now();
    return {
      projectId: LEDGER_PROJECT,
      requestId: null,
      idempotencyKey: null,
      startedAt,
      isRetry: false,
      commandId,
      idSeed: [commandId],
      envelope: ENVELOPE,
    };
  }
}

function changeOf(name: Exclude<RaceStep['do'], 'book'>, startsAt: number): AppointmentChange {
  const newTime = { expectedVersion: null, startsAt, endsAt: null };
  switch (name) {
    case 'move':
      return { type: 'RescheduleAppointment', ...newTime, mode: 'in_place', confirm: false };
    case 'rebook':
      return { type: 'RebookAppointment', ...newTime };
    case 'cancel':
      return { type: 'CancelAppointment', expectedVersion: null, reason: null, cancelledBy: 'customer' };
    case 'fail':
      return { type: 'FailAppointment', expectedVersion: null, code: 'x', message: 'y' };
  }
}
