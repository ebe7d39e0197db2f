import { HALF_HOUR, NINE_ON_MONDAY } from '@testing/ledger-world';
import { HAIRCUT, ToolboxWorld, told } from '@testing/toolbox-world';

let world: ToolboxWorld;
beforeEach(async () => {
  world = await ToolboxWorld.create();
});
afterEach(() => world.close());

const MINUTE_MS = 60_000;
const iso = (at: number) => new Date(at).toISOString();
const toolbox: ToolboxWorld['open'] = (context) => world.open(context);
const now = () => world.ledger.clock.now();
const booked = async (at = NINE_ON_MONDAY) => (await told(toolbox(), 'book_appointment', { ...HAIRCUT, starts_at: iso(at) })).id;
const peek = (id: string) => world.ledger.appointments.peek(id);

describe('an agent and a time that has passed', () => {
  it.each([
    ['a minute and more ago', () => now() - MINUTE_MS - 1],
    ['yesterday', () => now() - 86_400_000],
    ['a hundred years ago', () => now() - 100 * 365 * 86_400_000],
  ])('books nothing that began %s', async (_, at) => {
    const tools = toolbox();
    for (const more of [{}, { confirm: true }]) {
      expect(await tools.call('book_appointment', { ...HAIRCUT, starts_at: iso(at()), ...more })).toEqual({
        ok: false,
        code: 'starts_in_past',
        message: expect.stringContaining(iso(now())),
      });
    }
    expect(tools.effects).toEqual([]);
    expect(await tools.call('find_appointments', {})).toEqual({ ok: true, result: { appointments: [] } });
  });

  it('moves nothing there', async () => {
    const appointment_id = await booked();
    const call = toolbox().call('reschedule_appointment', { appointment_id, starts_at: iso(now() - 2 * MINUTE_MS) });
    expect(await call).toMatchObject({ ok: false, code: 'starts_in_past' });
    expect(await peek(appointment_id)).toMatchObject({ version: 1, startsAt: NINE_ON_MONDAY });
  });

  it('may book for the minute that is under way', async () => {
    expect(await peek(await booked(now() - MINUTE_MS))).toMatchObject({ status: 'pending' });
  });

  it('reports what failed there, as that is a matter of the past', async () => {
    const report = { ...HAIRCUT, starts_at: iso(now() - HALF_HOUR), code: 'full', message: 'No chair.' };
    expect(await toolbox().call('report_failed_attempt', report)).toMatchObject({ ok: true });
  });

  it('still confirms and cancels what began', async () => {
    const appointment_id = await booked();
    await world.ledger.clock.advance(2 * 86_400_000);
    for (const name of ['confirm_appointment', 'cancel_appointment']) {
      expect(await toolbox().call(name, { appointment_id })).toMatchObject({ ok: true });
    }
  });

  it('is not refused when a turn is asked again what was decided in time', async () => {
    const messageId = world.ledger.ids.next('message');
    const soon = { ...HAIRCUT, starts_at: iso(now() + MINUTE_MS) };
    const turn = async (isRetry: boolean) => {
      const tools = toolbox({ messageId, isRetry });
      const first = await told(tools, 'book_appointment', soon);
      const later = iso(now() + HALF_HOUR);
      return [
        first,
        isRetry ? null : await told(tools, 'reschedule_appointment', { appointment_id: first.id, starts_at: later }),
      ];
    };
    const [before] = await turn(false);
    await world.ledger.clock.advance(2 * HALF_HOUR);
    expect((await turn(true))[0]).toEqual(before);
  });

  it('does for the first time what a turn that is asked again decided in time', async () => {
    const messageId = world.ledger.ids.next('message');
    const soon = { ...HAIRCUT, starts_at: iso(now() + MINUTE_MS) };
    await world.ledger.clock.advance(HALF_HOUR);
    expect(await toolbox({ messageId }).call('book_appointment', soon)).toMatchObject({ ok: true });
  });
});

describe('an agent and a time at which the customer has the same already', () => {
  const TEN = NINE_ON_MONDAY + HALF_HOUR;

  it('moves nothing there, and is told why', async () => {
    const [appointment_id] = [await booked(), await booked(TEN)];
    const tools = toolbox();
    const move = { appointment_id, starts_at: iso(TEN) };
    expect(await tools.call('reschedule_appointment', move)).toMatchObject({ ok: false, code: 'appointment_duplicate' });
    expect(tools.effects).toEqual([]);
    expect(await peek(appointment_id)).toMatchObject({ version: 1, startsAt: NINE_ON_MONDAY });
  });

  it('is refused again when its turn is asked again, though the turn freed the time later', async () => {
    const [first, second] = [await booked(), await booked(TEN)];
    const messageId = world.ledger.ids.next('message');
    const turn = async (isRetry: boolean) => {
      const tools = toolbox({ messageId, isRetry });
      const refused = await tools.call('reschedule_appointment', { appointment_id: first, starts_at: iso(TEN) });
      await tools.call('cancel_appointment', { appointment_id: second });
      const moved = await tools.call('reschedule_appointment', { appointment_id: first, starts_at: iso(TEN) });
      return [refused, moved];
    };
    const asked = await turn(false);
    expect(asked).toMatchObject([{ ok: false, code: 'appointment_duplicate' }, { ok: true }]);
    expect(await turn(true)).toEqual(asked);
    expect(await peek(first)).toMatchObject({ version: 2 });
  });
});
