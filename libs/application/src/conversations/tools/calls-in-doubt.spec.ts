import { Logger } from '@nestjs/common';
import { ScriptedAgent } from '@agent-scripted/agent.scripted';
import { AppendOutcomeUnknown, StoreUnavailable } from '@ports/event-store.port';
import { agentTurn } from '@testing/agent-turn';
import { NINE_ON_MONDAY } from '@testing/ledger-world';
import { HAIRCUT, ToolboxWorld, told } from '@testing/toolbox-world';
import { appointmentsProjection } from '../../appointments/appointments.projection.js';
import type { TurnToolbox } from './toolboxes.js';

const LATER = new Date(NINE_ON_MONDAY + 3_600_000).toISOString();

let world: ToolboxWorld;
beforeEach(async () => {
  world = await ToolboxWorld.create();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
});

const toolbox: ToolboxWorld['open'] = (context) => world.open(context);
const operations = (tools: TurnToolbox) => tools.effects.map(({ operation }) => operation);

/** For this long, changes of appointments are stored without an acknowledgement. Returns a count of them. */
function loseAnswers(forMs: number): () => number {
  return hinder(forMs, async (stream, append) => {
    await append();
    throw new AppendOutcomeUnknown(stream);
  });
}

/** For this long no change of an appointment is stored. */
function takeNothing(forMs: number): () => number {
  return hinder(forMs, () => Promise.reject(new StoreUnavailable('the disk is full')));
}

function hinder(forMs: number, how: (stream: string, append: () => Promise<unknown>) => Promise<never>): () => number {
  const { ports, clock } = world.ledger;
  const append = ports.events.append.bind(ports.events);
  const until = clock.now() + forMs;
  let tries = 0;
  jest.spyOn(ports.events, 'append').mockImplementation((stream, ...batch) => {
    const isHindered = stream.startsWith('appointment-') && clock.now() < until;
    if (isHindered) tries += 1;
    return isHindered ? how(stream, () => append(stream, ...batch)) : append(stream, ...batch);
  });
  return () => tries;
}

async function whileTimePasses<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const finish = () => (isDone = true);
  work.then(finish, finish);
  while (!isDone) await world.ledger.clock.advance(10);
  return work;
}

async function ledger(): Promise<string[]> {
  const { items } = await world.ledger.list(appointmentsProjection as never);
  return (items as unknown as { row: { service: string; status: string } }[]).map(({ row }) => `${row.service} ${row.status}`);
}

describe('a call whose outcome the store leaves open', () => {
  it('is made again until it is known, and told as what it is', async () => {
    const tries = loseAnswers(20_000);
    const tools = toolbox();
    const booked = await whileTimePasses(tools.call('book_appointment', HAIRCUT));
    expect(booked).toMatchObject({ ok: true, result: { appointment: { status: 'pending' }, deduplicated: false } });
    expect([operations(tools), await ledger(), tries() > 1]).toEqual([['created'], ['haircut pending'], true]);
  });

  it.each([
    ['confirm_appointment', {}, 'confirmed'],
    ['reschedule_appointment', { starts_at: LATER }, 'rescheduled'],
    ['cancel_appointment', {}, 'cancelled'],
    ['report_failed_attempt', { code: 'full', message: 'No chair.' }, 'failed'],
  ])('changes once what it changes: %s', async (name, args, status) => {
    const { id: appointment_id } = await told(toolbox(), 'book_appointment', HAIRCUT);
    loseAnswers(20_000);
    const tools = toolbox();
    const changed = await whileTimePasses(tools.call(name, { appointment_id, ...args }));
    expect(changed).toMatchObject({ ok: true, result: { appointment: { status } } });
    expect(operations(tools)).toEqual([status]);
    expect((await world.ledger.appointments.peek(appointment_id)).version).toBe(2);
  });

  it('is done once there is room on the disk again', async () => {
    takeNothing(60_000);
    const tools = toolbox();
    expect(await whileTimePasses(tools.call('book_appointment', HAIRCUT))).toMatchObject({ ok: true });
    expect([operations(tools), await ledger()]).toEqual([['created'], ['haircut pending']]);
  });

  it('is told as done, though what it did could not be looked at in the first moment', async () => {
    const noted = jest.spyOn(world.known, 'changesSince');
    noted.mockImplementationOnce(() => {
      throw new StoreUnavailable('the disk is away');
    });
    const tools = toolbox();
    expect(await whileTimePasses(tools.call('book_appointment', HAIRCUT))).toMatchObject({ ok: true });
    expect([operations(tools), await ledger()]).toEqual([['created'], ['haircut pending']]);
  });

  it('is made no more once the turn is given up', async () => {
    const tries = takeNothing(60_000);
    const givingUp = new AbortController();
    const tools = toolbox({ givenUp: givingUp.signal });
    world.ledger.clock.after(10_000, () => givingUp.abort());
    const answer = whileTimePasses(tools.call('book_appointment', HAIRCUT));
    await expect(answer).rejects.toThrow(StoreUnavailable);
    const before = tries();
    await world.ledger.clock.advance(60_000);
    expect([before > 1, tries(), await ledger()]).toEqual([true, before, []]);
  });

  it.each([
    [20_000, 10_000],
    [1_000, 5_000],
  ])('says in a window of %i ms that the store is away, after about %i ms and in every later call', async (windowMs, afterMs) => {
    const tries = takeNothing(Infinity);
    const begun = world.ledger.clock.now();
    const tools = toolbox({ windowEndsAt: begun + windowMs });
    await expect(whileTimePasses(tools.call('book_appointment', HAIRCUT))).rejects.toThrow(StoreUnavailable);
    expect(world.ledger.clock.now() - begun).toBeGreaterThanOrEqual(afterMs);
    expect(world.ledger.clock.now() - begun).toBeLessThan(afterMs + 5_000);
    const made = tries();
    await expect(tools.call('find_appointments', {})).rejects.toThrow(StoreUnavailable);
    expect([tries(), tools.isInDoubt]).toEqual([made, true]);
  });

  it('is no look at appointments while the log is away: nothing is said of them then', async () => {
    jest.spyOn(world.ledger.ports.events, 'head').mockRejectedValue(new StoreUnavailable('the log does not answer'));
    const tools = toolbox({ windowEndsAt: world.ledger.clock.now() + 1_000 });
    await expect(whileTimePasses(tools.call('find_appointments', {}))).rejects.toThrow(StoreUnavailable);
  });

  it('is told to the customer as done by the scripted agent, and as no failed attempt', async () => {
    loseAnswers(20_000);
    const tools = toolbox();
    const content = 'Please book a haircut on 2026-03-03 at 10:00';
    const turn = agentTurn({ content, toolbox: tools, now: world.ledger.clock.now() });
    const agent = new ScriptedAgent();
    const reply = await whileTimePasses(agent.reply(turn, new AbortController().signal));
    expect(reply.content).toMatch(/^Done: \*\*haircut\*\*/);
    expect([operations(tools), await ledger()]).toEqual([['created'], ['haircut pending']]);
  });
});

describe('a call in which something goes wrong', () => {
  it('is told as one that may have been done, and the log names the kind of failure alone', async () => {
    const lines: unknown[] = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((...line: unknown[]) => void lines.push(line));
    jest.spyOn(world.ledger.booking, 'execute').mockRejectedValue(new TypeError('haircut is not a function'));
    const request = { requestId: 'req_7', idempotencyKey: null };
    const answer = await toolbox({ messageId: 'msg_01J9Z3K8Q4T6V8X0A2C4E6G8J0', isRetry: false, request }).call(
      'book_appointment',
      HAIRCUT,
    );
    expect(answer).toMatchObject({ ok: false, code: 'internal_error', message: expect.stringMatching(/outcome is unknown/) });
    const line = 'book_appointment for msg_01J9Z3K8Q4T6V8X0A2C4E6G8J0 in conv_1 failed: TypeError';
    expect(lines).toEqual([[line, { request_id: 'req_7' }]]);
  });

  it('has what it did counted all the same, once that is looked for', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    jest.spyOn(world.known, 'changesSince').mockImplementationOnce(() => {
      throw new TypeError('a mistake of ours');
    });
    const tools = toolbox();
    expect(await tools.call('book_appointment', HAIRCUT)).toMatchObject({ ok: false, code: 'internal_error' });
    expect([tools.isInDoubt, operations(tools)]).toEqual([true, []]);
    await tools.recall();
    expect([operations(tools), await ledger()]).toEqual([['created'], ['haircut pending']]);
  });

  it('costs no reply, though what it did can never be looked at', async () => {
    const lines: unknown[] = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void lines.push(line));
    jest.spyOn(world.known, 'changedBy').mockRejectedValue(new TypeError('a mistake of ours'));
    const tools = toolbox({ messageId: 'msg_01J9Z3K8Q4T6V8X0A2C4E6G8J0' });
    await tools.recall();
    expect(lines).toEqual(['lookup of effects for msg_01J9Z3K8Q4T6V8X0A2C4E6G8J0 in conv_1 failed: TypeError']);
  });

  it('is none that is refused: nothing is in doubt then', async () => {
    const tools = toolbox();
    await tools.call('book_appointment', {});
    await tools.call('cancel_appointment', { appointment_id: 'apt_of_nobody' });
    expect(tools.isInDoubt).toBe(false);
  });
});
