import type { Actor } from '@domain/appointment/cause';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { STALE_AFTER_MS, sessionDecider } from '@domain/session/session.decider';
import { ENVELOPE, originOf } from '@testing/envelopes';
import { LEDGER_PROJECT, LedgerWorld } from '@testing/ledger-world';
import { sessionStream } from '../sessions/session-stream.js';
import { idFor } from '../runtime/request-context.js';
import { appointmentStream } from './appointment-directory.js';
import { ChangeAppointment } from './appointment.commands.js';

let world: LedgerWorld;
let callId: string;
let appointmentId: string;
beforeEach(async () => {
  world = await LedgerWorld.create();
  callId = await openCall();
  appointmentId = (await world.book({ sessionId: callId })).appointment.id;
});
afterEach(() => world.close());

const cancel = { type: 'CancelAppointment', reason: null, cancelledBy: 'business' } as const;
const THE_CLIENT: Actor = { type: 'client', sessionId: null };

async function openCall(): Promise<string> {
  const sessionId = idFor(world.ids, world.context(), 'session', 'session');
  const call = { direction: 'inbound', from: null, to: null, conversationId: null, metadata: '{}', externalId: null } as const;
  const at = world.clock.now();
  await world.opening.open({ ...call, customer: null, sessionId, projectId: LEDGER_PROJECT, at }, originOf('opening'));
  return sessionId;
}

async function lastActor(): Promise<Actor | undefined> {
  const records = await world.ports.events.read<AppointmentEvent>(appointmentStream(appointmentId));
  return records.at(-1)?.event.cause.actor;
}

async function lastCanceller(): Promise<unknown> {
  const records = await world.ports.events.read<AppointmentEvent>(appointmentStream(appointmentId));
  const last = records.at(-1)?.event;
  return last?.type === 'AppointmentCancelled' ? last.cancelledBy : null;
}

async function hangUp(): Promise<void> {
  const end = { outcome: null, endReason: null, summary: null, endedAt: null };
  const close = { type: 'CloseSession', at: world.clock.now(), ...end } as const;
  await world.streams.run(sessionStream(callId), sessionDecider, close, ENVELOPE);
}

describe('who cancels an appointment where nobody is named', () => {
  const byNobody = { ...cancel, cancelledBy: null };

  it('is the customer while the call goes on that it was booked on', async () => {
    await world.change(appointmentId, byNobody);
    expect(await lastCanceller()).toBe('customer');
  });

  it('is the business once the call is over', async () => {
    await hangUp();
    await world.change(appointmentId, byNobody);
    expect(await lastCanceller()).toBe('business');
  });

  it('is the business where it was booked on no call', async () => {
    appointmentId = (await world.book()).appointment.id;
    await world.change(appointmentId, byNobody);
    expect(await lastCanceller()).toBe('business');
  });
});

describe('who acts on an appointment that was booked on a call', () => {
  it('is the agent on that call while it goes on', async () => {
    await world.change(appointmentId, cancel);
    expect(await lastActor()).toEqual({ type: 'agent', sessionId: callId });
  });

  it('is the client once the call is over', async () => {
    await hangUp();
    await world.change(appointmentId, cancel);
    expect(await lastActor()).toEqual(THE_CLIENT);
  });

  it('is the client once the call was forgotten', async () => {
    world.clock.set(world.clock.now() + STALE_AFTER_MS);
    await world.change(appointmentId, cancel);
    expect(await lastActor()).toEqual(THE_CLIENT);
  });

  it('is the administrator who makes it, and cancels for the business', async () => {
    const context = world.context();
    const actor = { type: 'admin', sessionId: 'ases_1' } as const;
    const asAdmin = { ...context, envelope: { ...context.envelope, actor } };
    await world.change(appointmentId, { ...cancel, cancelledBy: null }, asAdmin);
    expect([await lastActor(), await lastCanceller()]).toEqual([actor, 'business']);
    const [last] = await world.ports.events.read(appointmentStream(appointmentId), { direction: 'backwards', limit: 1 });
    expect(last?.metadata?.actor).toEqual(actor);
  });

  it('is an agent on no call when asked in a conversation', async () => {
    const confirm = { type: 'ConfirmAppointment', expectedVersion: null } as const;
    const inConversation = new ChangeAppointment(world.context(), appointmentId, confirm, null, 'conv_1');
    await world.changing.execute(inConversation);
    expect(await lastActor()).toEqual({ type: 'agent', sessionId: null });
  });
});
