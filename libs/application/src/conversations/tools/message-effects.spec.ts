import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { ToolboxWorld, HAIRCUT, told } from '@testing/toolbox-world';
import { appointmentStream } from '../../appointments/appointment-directory.js';

const AMENDMENTS = 3_000;
const DAY = 86_400_000;

let world: ToolboxWorld;
beforeEach(async () => void (world = await ToolboxWorld.create()));
afterEach(() => world.close());

/** Somebody amends an appointment again and again. */
async function amendOften(id: string): Promise<void> {
  const { ports, clock, appointments } = world.ledger;
  const { version, projectId } = await appointments.peek(id);
  const cause = {
    reason: null,
    actor: { type: 'client', sessionId: null },
    correlationId: 'c',
    requestId: null,
    idempotencyKey: null,
  };
  const amended = (n: number) =>
    ({
      type: 'AppointmentAmended',
      at: clock.now(),
      projectId,
      changes: { notes: `note ${n}` },
      cause: { ...cause, commandId: `amendment ${n}` },
    }) as AppointmentEvent;
  const batch = Array.from({ length: AMENDMENTS }, (_, n) => ({ id: world.ledger.ids.uuid(), event: amended(n) }));
  await ports.events.append(appointmentStream(id), batch, version - 1);
}

/** How many events of appointments are read meanwhile, and the most at once. */
async function readMeanwhile(work: () => Promise<unknown>): Promise<{ all: number; atOnce: number }> {
  const { events } = world.ledger.ports;
  const read = jest.spyOn(events, 'read');
  await work();
  const counts = await Promise.all(
    read.mock.calls.map(async ([stream], index) =>
      stream.startsWith('appointment-') ? ((await read.mock.results[index]?.value)?.length ?? 0) : 0,
    ),
  );
  read.mockRestore();
  return { all: counts.reduce((sum, count) => sum + count, 0), atOnce: Math.max(...counts) };
}

describe('what a message did to an appointment', () => {
  it('is found among the latest changes, however many there were before the message', async () => {
    const { id } = await told(world.open(), 'book_appointment', HAIRCUT);
    await amendOften(id);
    world.ledger.clock.set(world.ledger.clock.now() + DAY);
    await world.ledger.appointments.peek(id);
    const tools = world.open();
    const { all } = await readMeanwhile(() => told(tools, 'confirm_appointment', { appointment_id: id }));
    expect(tools.effects).toEqual([{ type: 'appointment', operation: 'confirmed', appointmentId: id }]);
    expect(all).toBeLessThan(1_000);
  });

  it('is found behind all that others did since, a part of it at a time', async () => {
    const { id } = await told(world.open(), 'book_appointment', HAIRCUT);
    const messageId = world.ledger.ids.next('message');
    await told(world.open({ messageId, isRetry: false }), 'confirm_appointment', { appointment_id: id });
    await amendOften(id);
    const again = world.open({ messageId });
    const { atOnce } = await readMeanwhile(() => told(again, 'confirm_appointment', { appointment_id: id }));
    expect(again.effects).toEqual([{ type: 'appointment', operation: 'confirmed', appointmentId: id }]);
    expect(atOnce).toBeLessThanOrEqual(1_000);
  });

  it('is found though the clock was set back meanwhile', async () => {
    const { id } = await told(world.open(), 'book_appointment', HAIRCUT);
    const tools = world.open();
    world.ledger.clock.set(world.ledger.clock.now() - DAY);
    await told(tools, 'confirm_appointment', { appointment_id: id });
    expect(tools.effects).toEqual([{ type: 'appointment', operation: 'confirmed', appointmentId: id }]);
  });
});
