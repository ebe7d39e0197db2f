import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { StoreUnavailable } from '@ports/event-store.port';
import { LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import { HAIRCUT, ToolboxWorld, seen, told } from '@testing/toolbox-world';
import type { TurnToolbox } from './toolboxes.js';

let world: ToolboxWorld;
let messageId: string;
beforeEach(async () => {
  world = await ToolboxWorld.create();
  messageId = world.ledger.ids.next('message');
});
afterEach(() => world.close());

const LATER = new Date(NINE_ON_MONDAY + 3_600_000).toISOString();
const toolbox: ToolboxWorld['open'] = (context) => world.open(context);
const booked = async (tools = toolbox()) => (await told(tools, 'book_appointment', HAIRCUT)).id;
const operations = (tools: TurnToolbox) => tools.effects.map(({ operation }) => operation);

describe('a turn that is asked again', () => {
  it('finds the effect it had', async () => {
    const first = await booked(toolbox({ messageId }));
    const again = toolbox({ messageId });
    expect(await booked(again)).toBe(first);
    expect(again.effects).toEqual([{ type: 'appointment', operation: 'created', appointmentId: first }]);
    expect((await world.ledger.appointments.peek(first)).version).toBe(1);
  });

  it('goes on under the correlation id of its message, which its calls share, and names the message as their cause', async () => {
    const first = await booked(toolbox({ messageId, conversationId: 'conv_7', revision: 3 }));
    await toolbox({ messageId, conversationId: 'conv_7', revision: 3 }).call('find_appointments', {});
    const again = toolbox({ messageId, conversationId: 'conv_7', revision: 3 });
    await again.call('find_appointments', {});
    await again.call('confirm_appointment', { appointment_id: first });
    const events = await world.ledger.ports.events.read<AppointmentEvent>(`appointment-${first}`);
    const correlationId = messageId.replace('msg_', 'cor_');
    const metadata = { $correlationId: correlationId, $causationId: 'conversation-conv_7@3' };
    expect(events).toMatchObject(['AppointmentBooked', 'AppointmentConfirmed'].map((type) => ({ event: { type }, metadata })));
    expect(events.map(({ event }) => event.cause.correlationId)).toEqual([correlationId, correlationId]);
  });

  it('that decides otherwise gets its first effect back, under the name that effect has', async () => {
    const appointment_id = await booked();
    await toolbox({ messageId }).call('cancel_appointment', { appointment_id });
    const again = toolbox({ messageId });
    expect(await again.call('confirm_appointment', { appointment_id })).toMatchObject({
      result: { appointment: { status: 'cancelled' } },
    });
    expect(again.effects).toEqual([{ type: 'appointment', operation: 'cancelled', appointmentId: appointment_id }]);
  });

  it('that books at once what it first had looked for finds its own booking', async () => {
    const first = toolbox({ messageId });
    await first.call('find_appointments', {});
    const appointmentId = await booked(first);
    const again = toolbox({ messageId });
    expect(await again.call('book_appointment', HAIRCUT)).toMatchObject({
      result: { appointment: { id: appointmentId, status: 'pending' }, deduplicated: false },
    });
    expect(again.effects).toEqual([{ type: 'appointment', operation: 'created', appointmentId }]);
  });

  it('sees the ledger as it was, and so decides as it did', async () => {
    const first = await booked();
    const second = await toolbox().call('book_appointment', { service: 'beard', starts_at: HAIRCUT.starts_at });
    expect(second.ok).toBe(true);
    const turn = async () => {
      const tools = toolbox({ messageId });
      const before = await seen(tools);
      await tools.call('cancel_appointment', { appointment_id: first });
      await tools.call('book_appointment', { service: 'colour', starts_at: HAIRCUT.starts_at });
      return [before, await seen(tools)];
    };
    const asked = await turn();
    expect(asked).toEqual([
      ['beard pending', 'haircut pending'],
      ['beard pending', 'colour pending', 'haircut cancelled'],
    ]);
    expect(await turn()).toEqual(asked);
  });

  it('is told of every call what it was told first', async () => {
    const turn = async () => {
      const tools = toolbox({ messageId });
      const { id: appointment_id, ...first } = await told(tools, 'book_appointment', HAIRCUT);
      const calls = [
        await told(tools, 'confirm_appointment', { appointment_id }),
        await told(tools, 'reschedule_appointment', { appointment_id, starts_at: LATER }),
        await told(tools, 'cancel_appointment', { appointment_id }),
      ];
      return [first, ...calls].map(({ status, starts_at }) => [status, starts_at]);
    };
    const asked = await turn();
    expect(asked).toEqual([
      ['pending', HAIRCUT.starts_at],
      ['confirmed', HAIRCUT.starts_at],
      ['rescheduled', LATER],
      ['cancelled', LATER],
    ]);
    expect(await turn()).toEqual(asked);
  });

  it('sees no trace of what it booked, though others have changed that since', async () => {
    const customerId = await world.customer();
    const first = toolbox({ customerId, messageId });
    await seen(first);
    const appointment_id = await booked(first);
    await told(toolbox({ customerId }), 'confirm_appointment', { appointment_id });
    expect(await seen(toolbox({ customerId, messageId }))).toEqual([]);
    expect(await world.known.appointmentsOf(LEDGER_PROJECT, customerId, messageId)).toEqual([]);
  });

  it('is told what there is by a call that did something else at first', async () => {
    const appointment_id = await booked();
    const first = toolbox({ messageId });
    await seen(first);
    await told(first, 'reschedule_appointment', { appointment_id, starts_at: LATER });
    const again = await told(toolbox({ messageId }), 'reschedule_appointment', { appointment_id, starts_at: LATER });
    expect(again).toMatchObject({ status: 'rescheduled', starts_at: LATER });
  });

  it('is reminded of appointments as they were before it', async () => {
    const customerId = await world.customer();
    const earlier = await booked(toolbox({ customerId }));
    const tools = toolbox({ customerId, messageId });
    await told(tools, 'cancel_appointment', { appointment_id: earlier });
    await told(tools, 'book_appointment', { ...HAIRCUT, service: 'beard' });
    const reminded = async (message: string) =>
      (await world.known.appointmentsOf(LEDGER_PROJECT, customerId, message)).map(
        ({ service, status }) => `${service} ${status}`,
      );
    expect(await reminded(messageId)).toEqual(['haircut pending']);
    expect(await reminded('msg_next')).toEqual(['beard pending']);
  });

  it('tells what it did in the order of its calls, though their appointments mix', async () => {
    const turn = async () => {
      const tools = toolbox({ messageId });
      const appointment_id = await booked(tools);
      await told(tools, 'confirm_appointment', { appointment_id });
      await told(tools, 'book_appointment', { ...HAIRCUT, service: 'beard' });
      await told(tools, 'reschedule_appointment', { appointment_id, starts_at: LATER });
      return operations(tools);
    };
    expect(await turn()).toEqual(['created', 'confirmed', 'created', 'rescheduled']);
    expect(await turn()).toEqual(['created', 'confirmed', 'created', 'rescheduled']);
  });

  it.each([null, 'known'])('tells what it did though it does nothing more, for a customer who is %s', async (who) => {
    const customerId = who === null ? null : await world.customer();
    const others = await booked(toolbox({ customerId }));
    const first = toolbox({ customerId, messageId });
    await told(first, 'cancel_appointment', { appointment_id: others });
    await told(first, 'book_appointment', { ...HAIRCUT, service: 'beard' });
    const again = toolbox({ customerId, messageId });
    await again.recall();
    await again.recall();
    expect(again.effects).toEqual(first.effects);
    const other = toolbox({ customerId });
    await other.recall();
    expect(other.effects).toEqual([]);
  });

  it('keeps its reply where what it did cannot be looked up', async () => {
    await booked(toolbox({ messageId }));
    jest.spyOn(world.ledger.ports.events, 'head').mockRejectedValue(new StoreUnavailable('the disk is full'));
    const again = toolbox({ messageId });
    await again.recall();
    expect(again.effects).toEqual([]);
    jest.restoreAllMocks();
    await again.recall();
    expect(operations(again)).toEqual(['created']);
  });

  it('books nothing where it first found what was booked, and then moved it', async () => {
    const customerId = await world.customer();
    const earlier = await booked(toolbox({ customerId }));
    const turn = async () => {
      const tools = toolbox({ customerId, messageId });
      const { id: appointment_id } = await told(tools, 'book_appointment', HAIRCUT);
      await told(tools, 'reschedule_appointment', { appointment_id, starts_at: LATER });
      return appointment_id;
    };
    expect(await turn()).toBe(earlier);
    expect(await turn()).toBe(earlier);
    expect(await seen(toolbox({ customerId }))).toEqual(['haircut rescheduled']);
  });

  it('is told again that there was nothing to change', async () => {
    const { id: appointment_id } = await told(toolbox(), 'book_appointment', { ...HAIRCUT, confirm: true });
    const turn = async () => {
      const tools = toolbox({ messageId });
      const first = await tools.call('confirm_appointment', { appointment_id });
      await told(tools, 'cancel_appointment', { appointment_id });
      return first;
    };
    const first = await turn();
    expect(first).toMatchObject({ ok: true, result: { appointment: { status: 'confirmed' } } });
    expect(await turn()).toEqual(first);
  });

  it('is refused again what it was refused, though it changed that since', async () => {
    const { id: appointment_id } = await told(toolbox(), 'book_appointment', HAIRCUT);
    await told(toolbox(), 'cancel_appointment', { appointment_id });
    const turn = async () => {
      const tools = toolbox({ messageId });
      const first = await tools.call('confirm_appointment', { appointment_id });
      await told(tools, 'book_appointment', HAIRCUT);
      return first;
    };
    const first = await turn();
    expect(first).toMatchObject({ ok: false, code: 'appointment_invalid_transition' });
    expect(await turn()).toEqual(first);
  });

  it('keeps its reply while the appointments are projected anew', async () => {
    await booked(toolbox({ messageId }));
    jest.spyOn(world.ledger.ports.readModels, 'reached').mockResolvedValue(false);
    jest.spyOn(world.ledger.ports.readModels, 'isRestored').mockResolvedValue(false);
    const again = toolbox({ messageId });
    await again.recall();
    expect(again.effects).toEqual([]);
    jest.restoreAllMocks();
  });

  it('finds the appointment it booked and moved, though another was booked in its old place since', async () => {
    const customerId = await world.customer();
    const turn = async () => {
      const tools = toolbox({ customerId, messageId });
      const { id: appointment_id } = await told(tools, 'book_appointment', HAIRCUT);
      await told(tools, 'reschedule_appointment', { appointment_id, starts_at: LATER });
      return appointment_id;
    };
    const first = await turn();
    expect(await booked(toolbox({ customerId }))).not.toBe(first);
    expect(await turn()).toBe(first);
  });

  it('remembers cancelled visits of the past, and none that lie ahead', async () => {
    const customerId = await world.customer();
    const appointment_id = await booked(toolbox({ customerId }));
    await told(toolbox({ customerId }), 'cancel_appointment', { appointment_id });
    expect(await world.known.appointmentsOf(LEDGER_PROJECT, customerId, messageId)).toEqual([]);
    world.ledger.clock.set(NINE_ON_MONDAY + 1);
    expect(await world.known.appointmentsOf(LEDGER_PROJECT, customerId, messageId)).toMatchObject([{ status: 'cancelled' }]);
  });

  it('books while the appointments are projected anew', async () => {
    jest.spyOn(world.ledger.ports.readModels, 'reached').mockResolvedValue(false);
    jest.spyOn(world.ledger.ports.readModels, 'isRestored').mockResolvedValue(false);
    expect(await toolbox({ isRetry: false }).call('book_appointment', HAIRCUT)).toMatchObject({ ok: true });
    const beard = { ...HAIRCUT, service: 'beard' };
    expect(await toolbox({ messageId }).call('book_appointment', beard)).toMatchObject({ ok: true });
    jest.restoreAllMocks();
  });

  it('books anew what was cancelled before it', async () => {
    const customerId = await world.customer();
    const cancelled = await booked(toolbox({ customerId }));
    await told(toolbox({ customerId }), 'cancel_appointment', { appointment_id: cancelled });
    const again = await told(toolbox({ customerId, messageId }), 'book_appointment', HAIRCUT);
    expect([again.id === cancelled, again.status]).toEqual([false, 'pending']);
  });

  it.each([true, false])(
    'is told the same of what it found and then moved, with a customer who is known: %s',
    async (isKnown) => {
      const customerId = isKnown ? await world.customer() : null;
      await booked(toolbox({ customerId }));
      const turn = async (isRetry: boolean) => {
        const tools = toolbox({ customerId, messageId, isRetry });
        const first = await tools.call('book_appointment', HAIRCUT);
        const { id } = (first as unknown as { result: { appointment: { id: string } } }).result.appointment;
        await told(tools, 'reschedule_appointment', { appointment_id: id, starts_at: LATER });
        return first;
      };
      expect(await turn(false)).toEqual(await turn(true));
    },
  );
});
