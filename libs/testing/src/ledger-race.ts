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
import { FakeIds } from './fake-ids.js';
import { bookingInput, HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from './ledger-world.js';
import { carryOut, ShuffledEventStore } from './shuffled.js';

export const TIMES = [NINE_ON_MONDAY, NINE_ON_MONDAY + HALF_HOUR] as const;

export interface RaceStep {
  readonly do: 'book' | 'move' | 'rebook' | 'cancel' | 'fail';
  /** One of three appointments; whatever is booked takes the place of one. */
  readonly which: number;
  /** Which of the times. */
  readonly to: number;
  /** The process dies with its so-manieth append: stored, but never answered. Null when it lives on. */
  readonly diesAfter: number | null;
}

/** A process's view of a shared log, until the process dies. */
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

/** One replica of the ledger; none knows what another has cached. */
class Process {
  readonly store: MortalEventStore;
  readonly booking: BookAppointmentHandler;
  readonly changing: ChangeAppointmentHandler;

  constructor(log: Recorded[], scheduler: fc.Scheduler, clock: FakeClock, ids: FakeIds) {
    const store = (this.store = new MortalEventStore(scheduler, log));
    const streams = new StreamRunner(store, new StreamCache(store), clock, ids);
    const claims = new Claims(streams, store, new NodeCryptoSecrets(Buffer.alloc(32, 7)), clock);
    const customers = new CustomerDirectory(streams, claims, clock);
    const sessions = new SessionDirectory(streams, claims, customers, {} as ReadModels, clock, ids);
    const appointments = new AppointmentDirectory(streams);
    const keys = new NaturalKeys(claims, appointments);
    this.booking = new BookAppointmentHandler(appointments, keys, sessions, customers, clock, ids);
    this.changing = new ChangeAppointmentHandler(appointments, keys, sessions, clock, ids);
  }
}

/** Three appointments of nobody in particular, and many who book and change them over one log. */
export class LedgerRace {
  private readonly clock = new FakeClock();
  private readonly ids = new FakeIds(this.clock, 1);
  private readonly log: Recorded[] = [];
  private readonly known: string[] = [];
  private count = 0;

  constructor(private readonly scheduler: fc.Scheduler) {}

  /** Books the three: one at each time, one elsewhere. */
  async begin(): Promise<void> {
    for (const startsAt of [...TIMES, NINE_ON_MONDAY - HALF_HOUR]) this.known.push((await this.book(startsAt)).appointment.id);
  }

  book(startsAt: number, { booking } = this.process()) {
    return booking.execute(new BookAppointment(this.context(), bookingInput({ startsAt })));
  }

  /** Takes one step after another; after a death the next process goes on. */
  async act(steps: readonly RaceStep[]): Promise<void> {
    let process = this.process();
    for (const step of steps) {
      process.store.diesAfter(step.diesAfter);
      const died = process.store.death.then(() => true);
      if (await Promise.race([this.take(step, process).then(() => false), died])) process = this.process();
    }
  }

  /** Runs what is scheduled until the work is over. */
  over<T>(work: Promise<T>): Promise<T> {
    return carryOut(this.scheduler, this.clock, work);
  }

  /** Bookings stored while a live appointment had their key. */
  doubledBookings(): string[] {
    const ledger = new Map<string, Appointment>();
    return this.log.flatMap(({ stream, event, position }) => {
      if (!stream.startsWith('appointment-')) return [];
      const appointment = appointmentDecider.evolve(ledger.get(stream) ?? appointmentDecider.initial, event as AppointmentEvent);
      const others = [...ledger].filter(([other]) => other !== stream).map(([, other]) => other);
      ledger.set(stream, appointment);
      const isDoubled = others.some((other) => isLive(other) && naturalKey(other) === naturalKey(appointment));
      return event.type === 'AppointmentBooked' && isDoubled ? [position] : [];
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
      if (error.code !== 'appointment_invalid_transition') throw error;
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
