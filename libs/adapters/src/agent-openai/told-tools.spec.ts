import { agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeLedger } from '@testing/fake-ledger';
import { FakeModel, completion } from '@testing/fake-model';
import { OpenAiAgent } from './agent.openai.js';

it('a model is told what every tool takes, and what it cannot do without', async () => {
  const model = await FakeModel.start();
  try {
    model.script = () => completion('Hello.');
    const agent = new OpenAiAgent({ baseUrl: model.baseUrl, apiKey: null, model: 'tiny', timeoutMs: 10_000 }, new FakeClock());
    await agent.reply(agentTurn({ content: 'Hi', toolbox: new FakeLedger() }), new AbortController().signal);
    const told = model.requests[0]?.tools.map(({ function: { name, parameters } }) => {
      const { properties, required } = parameters as { properties: object; required: readonly string[] };
      return [name, Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`))];
    });
    expect(told).toEqual([
      ['find_appointments', []],
      ['book_appointment', ['service', 'starts_at', 'duration_minutes?', 'confirm?']],
      ['confirm_appointment', ['appointment_id']],
      ['reschedule_appointment', ['appointment_id', 'starts_at']],
      ['cancel_appointment', ['appointment_id', 'reason?']],
      ['report_failed_attempt', ['appointment_id?', 'service?', 'starts_at?', 'code', 'message']],
      ['hand_off_to_human', ['reason', 'summary']],
      ['end_conversation', ['reason']],
    ]);
  } finally {
    await model.stop();
  }
});
