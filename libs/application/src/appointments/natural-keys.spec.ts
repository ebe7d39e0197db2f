import fc from 'fast-check';
import { naturalKey } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import type { ClaimEvent } from '@domain/claim/claim.decider';
import { beginningOf, wholeLog } from '@testing/cause-chain';
import { ENVELOPE, originOf } from '@testing/envelopes';
import { HALF_HOUR, LedgerWorld, NINE_ON_MONDAY } from '@testing/ledger-world';
import { LedgerRace, TIMES, type RaceStep } from '@testing/ledger-race';

describe('a key that another appointment has', () => {
  let world: LedgerWorld;
  beforeEach(async () => {
    world = await LedgerWorld.create();
  });
  afterEach(() => world.close());

  const TEN = NINE_ON_MONDAY + HALF_HOUR;
  const cancel = { type: 'CancelAppointment', reason: null, cancelledBy: 'customer' } as const;
  const fail = { type: 'FailAppointment', code: 'x', message: 'y' } as const;
  const moveTo = (startsAt: number) =>
    ({ type: 'RescheduleAppointment', startsAt, endsAt: null, mode: 'in_place', confirm: false }) as const;
  const rebookAt = (startsAt: number) => ({ type: 'RebookAppointment', startsAt, endsAt: null }) as const;
  const bookAt = async (startsAt: number) => (await world.book({ startsAt })).appointment.id;

  const duplicateOf = (id: string) => ({ code: 'appointment_duplicate', details: { extras: { existing_id: id } } });

  it.each(['in_place', 'cancel_and_recreate'] as const)('is refused to a move (%s), which changes nothing', async (mode) => {
    const [moved, other] = [await bookAt(NINE_ON_MONDAY), await bookAt(TEN)];
    await expect(world.change(moved, { ...moveTo(TEN), mode })).rejects.toMatchObject(duplicateOf(other));
    expect(await world.appointments.peek(moved)).toMatchObject({ status: 'pending', version: 1, startsAt: NINE_ON_MONDAY });
  });

  it('is refused to a rebooking', async () => {
    const first = await bookAt(TEN);
    await world.change(first, cancel);
    const second = await bookAt(TEN);
    await expect(world.change(first, rebookAt(TEN))).rejects.toMatchObject(duplicateOf(second));
    await world.change(first, rebookAt(TEN + HALF_HOUR));
    await expect(world.change(second, moveTo(TEN + HALF_HOUR))).rejects.toMatchObject(duplicateOf(first));
  });

  it.each([
    ['moved on', moveTo(TEN + HALF_HOUR)],
    ['was cancelled', cancel],
    ['has failed', fail],
  ])('is free for it once the other %s', async (_, away) => {
    const [moved, other] = [await bookAt(NINE_ON_MONDAY), await bookAt(TEN)];
    await expect(world.change(moved, moveTo(TEN))).rejects.toMatchObject(duplicateOf(other));
    await world.change(other, away);
    expect(await world.change(moved, moveTo(TEN))).toMatchObject({ status: 'rescheduled', startsAt: TEN });
    expect(await bookAt(TEN)).toBe(moved);
  });

  it('is not that of another service, resource or customer', async () => {
    const moved = await bookAt(NINE_ON_MONDAY);
    const link = { phone: '+4915112345678' };
    for (const different of [{ service: 'shave' }, { resourceId: 'chair_2' }, { customer: link }]) {
      await world.book({ startsAt: TEN, ...different });
    }
    expect(await world.change(moved, moveTo(TEN))).toMatchObject({ startsAt: TEN });
  });

  it('stays its own while its end, notes or status change', async () => {
    const moved = await bookAt(NINE_ON_MONDAY);
    const longer = { ...moveTo(NINE_ON_MONDAY), endsAt: NINE_ON_MONDAY + 3 * HALF_HOUR };
    for (const mode of ['in_place', 'cancel_and_recreate'] as const) {
      const endsAt = longer.endsAt + (mode === 'in_place' ? 0 : HALF_HOUR);
      expect(await world.change(moved, { ...longer, mode, endsAt })).toMatchObject({ startsAt: NINE_ON_MONDAY, endsAt });
    }
    expect(await world.change(moved, { type: 'ConfirmAppointment' })).toMatchObject({ status: 'confirmed' });
  });

  it('is given to one of two that move there at once', async () => {
    const [one, two] = [await bookAt(NINE_ON_MONDAY), await bookAt(NINE_ON_MONDAY + 4 * HALF_HOUR)];
    const beside = world.beside();
    const outcomes = await Promise.allSettled([world.change(one, moveTo(TEN)), beside.change(two, moveTo(TEN))]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toEqual([expect.objectContaining({ reason: expect.objectContaining({ code: 'appointment_duplicate' }) })]);
  });

  it('is free where an earlier version claimed it for a move, promising nothing, that was never made', async () => {
    const { appointment: elsewhere } = await world.book({ startsAt: NINE_ON_MONDAY });
    const { id: holder, projectId } = elsewhere;
    const value = naturalKey({ ...elsewhere, startsAt: TEN });
    const hasLeft = () => Promise.resolve(false);
    await world.claims.acquire({ kind: 'booking', projectId, value, holder, creation: null, origin: originOf('old'), hasLeft });
    expect(await world.book({ startsAt: TEN })).toMatchObject({ deduplicated: false });
  });

  it('is taken by a move of which only the claim was stored, before anybody books or moves there', async () => {
    const [moved, other] = [await bookAt(NINE_ON_MONDAY), await bookAt(NINE_ON_MONDAY + 4 * HALF_HOUR)];
    const run = jest.spyOn(world.appointments, 'run').mockRejectedValueOnce(new Error('The process died.'));
    await expect(world.change(moved, moveTo(TEN))).rejects.toThrow('died');
    run.mockRestore();
    await expect(world.change(other, moveTo(TEN))).rejects.toMatchObject(duplicateOf(moved));
    expect(await world.book({ startsAt: TEN })).toMatchObject({
      deduplicated: true,
      appointment: { id: moved, status: 'rescheduled', startsAt: TEN },
    });
  });

  it('is made for another request by the claim of the one that died, under the correlation id of that', async () => {
    const [moved, other] = [await bookAt(NINE_ON_MONDAY), await bookAt(NINE_ON_MONDAY + 4 * HALF_HOUR)];
    const dead = world.context();
    const run = jest.spyOn(world.appointments, 'run').mockRejectedValueOnce(new Error('The process died.'));
    await expect(world.change(moved, moveTo(TEN), dead)).rejects.toThrow('died');
    run.mockRestore();
    await expect(world.change(other, moveTo(TEN))).rejects.toMatchObject(duplicateOf(moved));
    const log = await wholeLog(world.ports.events);
    const made = log.find(({ event }) => event.type === 'AppointmentRescheduled');
    const { $correlationId } = dead.envelope;
    expect(made?.metadata).toEqual({ $correlationId, $causationId: expect.stringMatching(/^booking-.*@\d+$/) as string });
    expect(beginningOf(made!, log)).toBe('req_1');
  });

  it('is made by the move that died after its claim, when that is asked again', async () => {
    const moved = await bookAt(NINE_ON_MONDAY);
    const run = jest.spyOn(world.appointments, 'run').mockRejectedValueOnce(new Error('The process died.'));
    await expect(world.change(moved, moveTo(TEN), world.context('key'))).rejects.toThrow('died');
    run.mockRestore();
    expect(await world.change(moved, moveTo(TEN), world.context('key', true))).toMatchObject({ startsAt: TEN, version: 2 });
  });
});

describe('two appointments of one key that an earlier version let be', () => {
  let world: LedgerWorld;
  let [holder, second]: string[] = [];
  beforeEach(async () => {
    world = await LedgerWorld.create();
    holder = (await world.book()).appointment.id;
    second = (await world.book({ startsAt: NINE_ON_MONDAY + HALF_HOUR })).appointment.id;
    await behindTheHolder(world, second);
  });
  afterEach(() => world.close());

  it('change within their key as any other does', async () => {
    const longer = { endsAt: NINE_ON_MONDAY + 3 * HALF_HOUR, startsAt: NINE_ON_MONDAY };
    const change = { type: 'RescheduleAppointment', ...longer, mode: 'in_place', confirm: true } as const;
    for (const id of [holder, second]) {
      expect(await world.change(id ?? '', change)).toMatchObject({ status: 'confirmed', ...longer });
      expect(await world.change(id ?? '', { type: 'AmendAppointment', changes: { notes: 'x' } })).toMatchObject({ notes: 'x' });
    }
  });

  it('keep their places: the second has the key when the first leaves', async () => {
    expect((await world.book()).appointment.id).toBe(holder);
    await world.change(holder ?? '', { type: 'CancelAppointment', reason: null, cancelledBy: 'customer' });
    expect((await world.book()).appointment.id).toBe(second);
    const back = { type: 'RebookAppointment', startsAt: NINE_ON_MONDAY, endsAt: null } as const;
    await expect(world.change(holder ?? '', back)).rejects.toMatchObject({ details: { extras: { existing_id: second } } });
  });

  /** Stores the move to the holder's key as earlier versions did: a claim behind the holder's, then the move. */
  async function behindTheHolder({ secrets, ports, appointments, ids }: LedgerWorld, id: string | undefined) {
    const appointment = await appointments.peek(id ?? '');
    const { projectId } = appointment;
    const key = naturalKey({ ...appointment, startsAt: NINE_ON_MONDAY });
    const stream = `booking-${projectId}.${secrets.keyedHash('claims', `${projectId}\nbooking\n${key}`)}`;
    const cause = {
      reason: null,
      actor: { type: 'client', sessionId: null },
      commandId: 'moved',
      correlationId: 'cor_1',
    } as const;
    const noKey = { requestId: null, idempotencyKey: null };
    const time = { startsAt: NINE_ON_MONDAY, endsAt: NINE_ON_MONDAY + HALF_HOUR };
    const creation: AppointmentCommand = {
      type: 'RescheduleAppointment',
      at: 1,
      cause: { ...cause, ...noKey },
      expectedVersion: 1,
      ...time,
      mode: 'in_place',
      confirm: false,
    };
    const event: ClaimEvent = { type: 'Claimed', at: 1, holder: appointment.id, creation, behind: 1 };
    await ports.events.append(stream, [{ id: ids.uuid(), event, text: JSON.stringify(event) }], 0);
    await appointments.run(appointment.id, creation, ENVELOPE);
  }
});

describe('what a process promised before it died', () => {
  let world: LedgerWorld;
  beforeEach(async () => {
    world = await LedgerWorld.create();
  });
  afterEach(() => world.close());

  const MONTH_MS = 31 * 86_400_000;
  const TEN = NINE_ON_MONDAY + HALF_HOUR;

  async function cutOff(work: () => Promise<unknown>): Promise<void> {
    const run = jest.spyOn(world.appointments, 'run').mockRejectedValueOnce(new Error('The process died.'));
    await expect(work()).rejects.toThrow('died');
    run.mockRestore();
    await world.clock.advance(MONTH_MS);
  }

  it('is booked when somebody comes to book it, not in the past: its events are new', async () => {
    await cutOff(() => world.book({ startsAt: TEN, externalId: 'promised' }));
    const { appointment, deduplicated } = await world.book({ startsAt: TEN });
    expect([deduplicated, appointment.externalId]).toEqual([true, 'promised']);
    expect([appointment.createdAt, appointment.updatedAt]).toEqual([world.clock.now(), world.clock.now()]);
  });

  it('is moved when somebody comes to book there, not in the past', async () => {
    const { appointment } = await world.book();
    const move = { type: 'RescheduleAppointment', startsAt: TEN, endsAt: null, mode: 'in_place', confirm: false } as const;
    await cutOff(() => world.change(appointment.id, move));
    const { appointment: moved } = await world.book({ startsAt: TEN });
    expect(moved).toMatchObject({ id: appointment.id, status: 'rescheduled', updatedAt: world.clock.now() });
  });
});

describe('appointments that are booked, moved, ended and rebooked by many at once, some of whom die', () => {
  const which = fc.nat(2);
  const to = fc.nat(TIMES.length - 1);
  const step: fc.Arbitrary<RaceStep> = fc.record({
    do: fc.constantFrom('book', 'book', 'move', 'move', 'rebook', 'cancel', 'fail'),
    which,
    to,
    diesAfter: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) }),
  });
  const script = fc.array(step, { minLength: 1, maxLength: 8 });

  it.each([
    [1, 60],
    [3, 250],
  ])(
    'are never doubled (%i at a time)',
    async (actors, numRuns) => {
      const scripts = fc.array(script, { minLength: actors, maxLength: actors });
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), scripts, async (scheduler, acts) => {
          const race = new LedgerRace(scheduler);
          await race.over(race.begin());
          await race.over(Promise.all(acts.map((steps) => race.act(steps))));
          for (const startsAt of TIMES) {
            const { appointment } = await race.over(race.book(startsAt));
            expect(appointment).toMatchObject({ startsAt, status: expect.stringMatching(/pending|rescheduled/) as string });
          }
          expect(race.doubled()).toEqual([]);
        }),
        { numRuns },
      );
    },
    60_000,
  );
});
