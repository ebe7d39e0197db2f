import fc from 'fast-check';
import { naturalKey } from '@domain/appointment/appointment';
import { HALF_HOUR, LedgerWorld, NINE_ON_MONDAY } from '@testing/ledger-world';
import { LedgerRace, TIMES, type RaceStep } from '@testing/ledger-race';

describe('a key that an appointment moves to while another has it', () => {
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

  it('is its own when the other leaves', async () => {
    const [moved, other] = [await bookAt(NINE_ON_MONDAY), await bookAt(TEN)];
    await world.change(moved, moveTo(TEN));
    await world.change(other, cancel);
    expect(await world.book({ startsAt: TEN })).toMatchObject({ deduplicated: true, appointment: { id: moved } });
  });

  it('is its own again when it was rebooked and the other leaves', async () => {
    const first = await bookAt(TEN);
    await world.change(first, cancel);
    const second = await bookAt(TEN);
    await world.change(first, rebookAt(TEN));
    expect(await bookAt(TEN)).toBe(second);
    await world.change(second, fail);
    expect(await bookAt(TEN)).toBe(first);
  });

  it('is nobody’s when both have left', async () => {
    const [moved, other] = [await bookAt(NINE_ON_MONDAY), await bookAt(TEN)];
    await world.change(moved, moveTo(TEN));
    await world.change(moved, moveTo(TEN + HALF_HOUR));
    await world.change(other, cancel);
    expect([moved, other]).not.toContain(await bookAt(TEN));
  });

  it.each([
    ['moved on', moveTo(TEN), moveTo(TEN + HALF_HOUR)],
    ['was cancelled', moveTo(TEN), cancel],
    ['has failed', moveTo(TEN), fail],
  ])('keeps nobody waiting once it %s', async (_, there, away) => {
    const moved = await bookAt(NINE_ON_MONDAY);
    await world.change(moved, there);
    await world.change(moved, away);
    const other = await bookAt(NINE_ON_MONDAY + 4 * HALF_HOUR);
    await world.change(other, moveTo(TEN));
    expect(await bookAt(TEN)).toBe(other);
  });

  it('is free where an earlier version claimed it for a move, promising nothing, that was never made', async () => {
    const { appointment: elsewhere } = await world.book({ startsAt: NINE_ON_MONDAY });
    const { id: holder, projectId } = elsewhere;
    const value = naturalKey({ ...elsewhere, startsAt: TEN });
    const hasLeft = () => Promise.resolve(false);
    await world.claims.acquire({ kind: 'booking', projectId, value, holder, creation: null, commandId: 'old', hasLeft });
    expect(await world.book({ startsAt: TEN })).toMatchObject({ deduplicated: false });
  });

  it('is taken by a move of which only the claim was stored, before anybody books there', async () => {
    const moved = await bookAt(NINE_ON_MONDAY);
    const run = jest.spyOn(world.appointments, 'run').mockRejectedValueOnce(new Error('The process died.'));
    await expect(world.change(moved, moveTo(TEN))).rejects.toThrow('died');
    run.mockRestore();
    expect(await world.book({ startsAt: TEN })).toMatchObject({
      deduplicated: true,
      appointment: { id: moved, status: 'rescheduled', startsAt: TEN },
    });
  });
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
    'are never doubled by a booking (%i at a time)',
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
          expect(race.doubledBookings()).toEqual([]);
        }),
        { numRuns },
      );
    },
    60_000,
  );
});
