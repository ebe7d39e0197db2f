import { Agent, AgentFailed, type AgentReply, type AgentTurn } from '@ports/agent.port';
import { Metrics } from '@platform/operations/metrics';
import { FakeClock } from '@testing/fake-clock';
import { AgentMetrics } from './agent-metrics.js';

const REPLY: AgentReply = { content: 'Yes.', actions: [] };
const NEVER = new AbortController().signal;

let clock: FakeClock;
let metrics: Metrics;
let answer: () => Promise<AgentReply>;
let agent: AgentMetrics;

class Answering extends Agent {
  readonly name = 'answering';
  override reply(): Promise<AgentReply> {
    return answer();
  }
}

beforeEach(() => {
  clock = new FakeClock();
  metrics = new Metrics();
  agent = new AgentMetrics(new Answering(), clock, metrics);
});

const ask = () => agent.reply({} as AgentTurn, NEVER);
const failing = (error: Error) => () => Promise.reject(error);
const told = async (pattern: RegExp) => (await metrics.render()).split('\n').filter((line) => pattern.test(line));

describe('an agent that is metered', () => {
  it('answers as it does, under its own name', async () => {
    answer = () => Promise.resolve(REPLY);
    expect([await ask(), agent.name]).toEqual([REPLY, 'answering']);
    const gone = new AgentFailed('unreachable', 'gone', 5_000);
    answer = failing(gone);
    await expect(ask()).rejects.toBe(gone);
  });

  it('is counted by how its turns end, from nought on', async () => {
    const outcomes = ['answered', 'unreachable', 'timeout', 'http_error', 'malformed_reply', 'internal', 'other'];
    const lines = (count: number) => outcomes.map((outcome) => `agent_turns_total{outcome="${outcome}"} ${count}`);
    expect(await told(/^agent_turns_total/)).toEqual(lines(0));
    answer = () => Promise.resolve(REPLY);
    await ask();
    for (const why of ['unreachable', 'timeout', 'http_error', 'malformed_reply', 'internal'] as const) {
      answer = failing(new AgentFailed(why, 'for a reason'));
      await expect(ask()).rejects.toThrow('for a reason');
    }
    answer = failing(new Error('the store is away'));
    await expect(ask()).rejects.toThrow('the store is away');
    expect(await told(/^agent_turns_total/)).toEqual(lines(1));
  });

  it('is timed, whatever comes of its turns', async () => {
    for (const [ms, fails] of [
      [300, false],
      [4_000, true],
    ] as const) {
      answer = async () => {
        await clock.advance(ms);
        if (fails) throw new AgentFailed('timeout', 'too late');
        return REPLY;
      };
      await ask().catch(() => undefined);
    }
    expect(await told(/^agent_turn_duration_seconds_(sum|count|bucket\{le="(0.1|0.5|2.5|5)")/)).toEqual([
      ...['0.1"} 0', '0.5"} 1', '2.5"} 1', '5"} 2'].map((bucket) => `agent_turn_duration_seconds_bucket{le="${bucket}`),
      'agent_turn_duration_seconds_sum 4.3',
      'agent_turn_duration_seconds_count 2',
    ]);
  });

  it('is failing from the first turn that fails until one is answered', async () => {
    const since = () => told(/^agent_failing_seconds/);
    expect(await since()).toEqual(['agent_failing_seconds 0']);
    answer = failing(new Error('the store is away'));
    await expect(ask()).rejects.toThrow('away');
    expect(await since()).toEqual(['agent_failing_seconds 0']);
    answer = failing(new AgentFailed('unreachable', 'gone'));
    await expect(ask()).rejects.toThrow('gone');
    await clock.advance(30_000);
    await expect(ask()).rejects.toThrow('gone');
    expect(await since()).toEqual(['agent_failing_seconds 30']);
    answer = () => Promise.resolve(REPLY);
    await ask();
    expect(await since()).toEqual(['agent_failing_seconds 0']);
  });
});
