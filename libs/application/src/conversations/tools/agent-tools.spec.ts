import { LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import { HAIRCUT, ToolboxWorld, seen, told } from '@testing/toolbox-world';

let world: ToolboxWorld;
beforeEach(async () => {
  world = await ToolboxWorld.create();
});
afterEach(() => world.close());

const toolbox: ToolboxWorld['open'] = (context) => world.open(context);
const booked = async (tools = toolbox()) => (await told(tools, 'book_appointment', HAIRCUT)).id;

describe('an agent', () => {
  it('books, confirms, moves and cancels, and each effect is noted', async () => {
    const tools = toolbox();
    const appointment_id = await booked(tools);
    const later = new Date(NINE_ON_MONDAY + 3_600_000).toISOString();
    await tools.call('confirm_appointment', { appointment_id });
    expect(await tools.call('reschedule_appointment', { appointment_id, starts_at: later })).toMatchObject({
      ok: true,
      result: { appointment: { id: appointment_id, starts_at: later, status: 'rescheduled' } },
    });
    await tools.call('cancel_appointment', { appointment_id, reason: 'ill' });
    expect(tools.effects.map(({ operation }) => operation)).toEqual(['created', 'confirmed', 'rescheduled', 'cancelled']);
    expect(await world.ledger.appointments.peek(appointment_id)).toMatchObject({
      status: 'cancelled',
      source: 'conversation',
      cancellation: { reason: 'ill', cancelledBy: 'customer' },
    });
  });

  it.each([
    [{}, 30],
    [{ duration_minutes: 1_440 }, 1_440],
  ])('books with %j for %d minutes, in the zone of the conversation', async (length, minutes) => {
    const answer = await toolbox({ timeZone: 'Europe/Berlin' }).call('book_appointment', { ...HAIRCUT, ...length });
    const ends_at = new Date(NINE_ON_MONDAY + minutes * 60_000).toISOString();
    const appointment = { starts_at: HAIRCUT.starts_at, ends_at, time_zone: 'Europe/Berlin' };
    expect(answer).toMatchObject({ ok: true, result: { appointment } });
  });

  it('that changes nothing has no effect', async () => {
    const appointment_id = await booked();
    const idle = toolbox();
    await idle.call('reschedule_appointment', { appointment_id, starts_at: HAIRCUT.starts_at });
    expect(await idle.call('book_appointment', HAIRCUT)).toMatchObject({ result: { deduplicated: true } });
    await toolbox().call('cancel_appointment', { appointment_id });
    await idle.call('cancel_appointment', { appointment_id });
    expect(idle.effects).toEqual([]);
  });

  it('notes both halves of a booking that is confirmed at once, and an attempt that failed', async () => {
    const tools = toolbox();
    await tools.call('book_appointment', { ...HAIRCUT, confirm: true });
    await tools.call('report_failed_attempt', { ...HAIRCUT, code: 'full', message: 'No chair.' });
    expect(tools.effects.map(({ operation }) => operation)).toEqual(['created', 'confirmed', 'failed']);
  });

  it('reaches no appointment of another customer, conversation or project', async () => {
    const appointment_id = await booked();
    const strangers = [
      { conversationId: 'conv_2' },
      { customerId: world.ledger.ids.next('customer'), conversationId: 'conv_2' },
      { projectId: world.ledger.ids.next('project') },
    ];
    for (const stranger of strangers) {
      const tools = toolbox(stranger);
      expect(await tools.call('cancel_appointment', { appointment_id })).toMatchObject({ ok: false, code: 'resource_missing' });
      expect(await tools.call('find_appointments', {})).toEqual({ ok: true, result: { appointments: [] } });
      expect(tools.effects).toEqual([]);
    }
    expect(await world.ledger.appointments.peek(appointment_id)).toMatchObject({ status: 'pending', version: 1 });
  });

  it('knows what its conversation booked before its customer was known, and books it no second time', async () => {
    const appointment_id = await booked();
    const tools = toolbox({ customerId: await world.customer() });
    expect(await seen(tools)).toEqual(['haircut pending']);
    expect(await booked(tools)).toBe(appointment_id);
    expect(await tools.call('cancel_appointment', { appointment_id })).toMatchObject({ ok: true });
  });

  it('shows a stranger nothing that was booked for a customer in the same conversation', async () => {
    await booked(toolbox({ customerId: await world.customer() }));
    expect(await toolbox().call('find_appointments', {})).toEqual({ ok: true, result: { appointments: [] } });
  });

  it('keeps strangers apart who want the same hour', async () => {
    const here = await booked(toolbox({ conversationId: 'conv_1' }));
    const there = await booked(toolbox({ conversationId: 'conv_2' }));
    expect(there).not.toBe(here);
  });

  it('is told what is wrong with a call, and nothing happens', async () => {
    const tools = toolbox();
    expect(await tools.call('no_such_tool', {})).toMatchObject({ ok: false, code: 'parameter_invalid' });
    for (const args of [
      null,
      'text',
      {},
      { service: 'x' },
      { service: 'x', starts_at: 'tomorrow' },
      { service: 5, starts_at: HAIRCUT.starts_at },
    ]) {
      expect(await tools.call('book_appointment', args)).toMatchObject({ ok: false, code: 'parameter_invalid' });
    }
    expect(tools.effects).toEqual([]);
  });

  it.each([
    { service: 'x'.repeat(256) },
    { service: ' ' },
    { duration_minutes: 10_081 },
    { service: 'a\0b' },
    { service: '\ud800' },
    { starts_at: '2027-02-30T10:00:00Z' },
    { starts_at: 'foo 12Z' },
    { starts_at: '+275760-09-13T00:00:00.000Z' },
  ])('books nothing with %j', async (wrong) => {
    const tools = toolbox();
    expect(await tools.call('book_appointment', { ...HAIRCUT, ...wrong })).toMatchObject({
      ok: false,
      code: 'parameter_invalid',
      message: expect.stringContaining(Object.keys(wrong)[0]!),
    });
    expect(tools.effects).toEqual([]);
  });

  it('may say as much as a client', async () => {
    const appointment_id = await booked();
    const calls = (more: 0 | 1) =>
      [
        ['reschedule_appointment', { appointment_id, starts_at: HAIRCUT.starts_at, reason: '👍'.repeat(255 + more) }],
        ['report_failed_attempt', { appointment_id, code: '👍'.repeat(100 + more), message: 'x' }],
        ['report_failed_attempt', { appointment_id, code: 'x', message: '👍'.repeat(1_000 + more) }],
        ['book_appointment', { ...HAIRCUT, duration_minutes: 10_080 + more }],
      ] as const;
    for (const [name, args] of calls(1)) {
      expect(await toolbox().call(name, args)).toMatchObject({ ok: false, code: 'parameter_invalid' });
    }
    for (const [name, args] of calls(0)) expect(await toolbox().call(name, args)).toMatchObject({ ok: true });
  });

  it('has no more than twenty calls a turn', async () => {
    const tools = toolbox();
    for (let call = 0; call < 19; call++) await tools.call('no_such_tool', {});
    expect(await tools.call('find_appointments', {})).toMatchObject({ ok: true });
    expect(await tools.call('book_appointment', HAIRCUT)).toMatchObject({ ok: false, code: 'limit_exceeded' });
  });

  it('finds what was booked here, cancelled ones too, and is reminded of live ones only', async () => {
    const customerId = await world.customer();
    const tools = toolbox({ customerId });
    const appointment_id = await booked(tools);
    const found = async () => {
      const answer = await tools.call('find_appointments', {});
      return answer.ok ? answer.result['appointments'] : answer;
    };
    expect(await found()).toMatchObject([{ id: appointment_id, status: 'pending' }]);
    expect(await world.known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_next')).toMatchObject([
      { id: appointment_id, service: 'haircut' },
    ]);
    await tools.call('cancel_appointment', { appointment_id });
    expect(await found()).toMatchObject([{ id: appointment_id, status: 'cancelled' }]);
    expect(await world.known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_next')).toEqual([]);
  });
});
