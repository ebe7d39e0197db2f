import { agentTurn } from '@testing/agent-turn';
import { FakeLedger } from '@testing/fake-ledger';
import { StoreUnavailable } from '../event-store.port.js';
import { type Agent, AgentFailed, MAX_NOTE_BYTES, type AgentTurn } from '../agent.port.js';

export interface AgentHarness {
  /** Must understand "hello", a wish for a human, "goodbye", and "book me a haircut for tomorrow at 10am". */
  readonly agent: Agent;
  close(): Promise<void>;
}

const BOOKING = 'Book me a haircut for tomorrow at 10am please';
const NEVER = new AbortController().signal;

const AWAY = new StoreUnavailable('the log does not answer');

const forever = () => new Promise<never>(() => undefined);

async function failureOf(reply: Promise<unknown>): Promise<AgentFailed> {
  const error: unknown = await reply.then(
    () => new Error('The agent replied.'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AgentFailed);
  return error as AgentFailed;
}

export function agentContract(name: string, make: () => Promise<AgentHarness>): void {
  describe(`${name} is an Agent`, () => {
    let agent: Agent;
    let close: () => Promise<void>;

    beforeAll(async () => {
      const harness = await make();
      agent = harness.agent;
      close = () => harness.close();
    });

    afterAll(() => close());

    const ask = (content: string, parts: Partial<AgentTurn> = {}) => agent.reply({ ...agentTurn({ content }), ...parts }, NEVER);

    it.each(['Hello!', 'Wo ist der Bahnhof? 👩‍👩‍👧', '?', 'x'.repeat(8000)])(
      'replies to %.40s with words and nothing else',
      async (content) => {
        const reply = await ask(content);
        expect(reply.content.trim()).not.toBe('');
        expect(reply.content).not.toMatch(/\p{Surrogate}/u);
        expect(reply.actions).toEqual([]);
      },
    );

    it('has a name, and notes nothing that the server would drop', async () => {
      expect(agent.name).toMatch(/^[a-z]+$/);
      for (const content of [BOOKING, 'Hello!', 'x'.repeat(8000)]) {
        const { note = '{}' } = await ask(content, { toolbox: new FakeLedger() });
        expect(Buffer.byteLength(note)).toBeLessThanOrEqual(MAX_NOTE_BYTES);
        expect(() => void JSON.parse(note)).not.toThrow();
      }
    });

    it.each(['[]', '7', 'null', '{"offer":7,"draft":{"service":{}}}'])('replies whatever was noted before: %s', async (note) => {
      const at = Date.UTC(2026, 2, 2, 9);
      const before = [
        { role: 'user', content: 'hi', at },
        { role: 'assistant', content: 'Hello!', at, note },
      ] as const;
      const turn = agentTurn({ content: 'yes', before, toolbox: new FakeLedger() });
      expect((await agent.reply(turn, NEVER)).content.trim()).not.toBe('');
    });

    it('hands over to a person who is asked for', async () => {
      const { actions } = await ask('I want to talk to a human');
      expect(actions).toEqual([{ type: 'handoff', reason: expect.stringMatching(/./), summary: expect.stringMatching(/./) }]);
    });

    it('ends the conversation when leave is taken, and says so', async () => {
      const { content, actions } = await ask('goodbye');
      expect(content.trim()).not.toBe('');
      expect(actions).toEqual([{ type: 'end_conversation', reason: expect.stringMatching(/./) }]);
    });

    it('books through the tools it is given', async () => {
      const ledger = new FakeLedger();
      const { content } = await ask(BOOKING, { toolbox: ledger });
      expect(content.trim()).not.toBe('');
      expect(ledger.appointments.map(({ starts_at }) => starts_at)).toEqual(['2026-03-03T10:00:00.000Z']);
    });

    it('calls no tool that it was not given', async () => {
      const called: string[] = [];
      const call = async (tool: string) => {
        called.push(tool);
        return { ok: false, code: 'unknown_tool', message: 'There is no such tool.' } as const;
      };
      const { content } = await ask(BOOKING, { toolbox: { tools: [], call } });
      expect(content.trim()).not.toBe('');
      expect(called).toEqual([]);
    });

    it('makes the same calls in the same order when a turn is asked again', async () => {
      const [first, second] = [new FakeLedger(), new FakeLedger()];
      await ask(BOOKING, { toolbox: first });
      await ask(BOOKING, { toolbox: second });
      expect(second.calls).toEqual(first.calls);
      expect(first.calls.length).toBeGreaterThan(0);
    });

    it('still replies when a tool refuses', async () => {
      const ledger = new FakeLedger();
      ledger.refusal = { ok: false, code: 'time_range_invalid', message: 'That is no time.' };
      expect((await ask(BOOKING, { toolbox: ledger })).content.trim()).not.toBe('');
    });

    it('asks nobody and changes nothing once the turn is given up', async () => {
      const ledger = new FakeLedger();
      const turn = agentTurn({ content: BOOKING, toolbox: ledger });
      expect((await failureOf(agent.reply(turn, AbortSignal.abort()))).why).toBe('timeout');
      expect(ledger.calls).toEqual([]);
    });

    it('gives up at once when the turn is given up while it waits', async () => {
      const giveUp = new AbortController();
      const stuck = new Promise<void>((waiting) => {
        const turn: AgentTurn = { ...agentTurn({ content: BOOKING }), transcript: () => (waiting(), forever()) };
        void failureOf(agent.reply(turn, giveUp.signal)).then(({ why }) => whys.push(why));
      });
      const whys: string[] = [];
      await stuck;
      giveUp.abort();
      await new Promise((resolve) => setImmediate(resolve));
      expect(whys).toEqual(['timeout']);
    });

    it.each([
      ['transcript', { transcript: () => Promise.reject(AWAY) }],
      ['tools', { toolbox: { ...new FakeLedger(), tools: new FakeLedger().tools, call: () => Promise.reject(AWAY) } }],
    ])('passes on that the store is out of reach, when its %s cannot be read', async (_, parts: Partial<AgentTurn>) => {
      await expect(ask(BOOKING, parts)).rejects.toBe(AWAY);
    });

    it('fails with the kind of failure and no word of the conversation when it cannot read it', async () => {
      const unreadable = async () => Promise.reject(new RangeError('lost 4711'));
      const failure = await failureOf(ask(BOOKING, { transcript: unreadable }));
      expect(failure.why).toBe('internal');
      expect(failure.message).toMatch(/: RangeError\.$/);
      expect(failure.message).not.toMatch(/4711|tomorrow/);
    });
  });
}
