import fc from 'fast-check';
import { agentTurn } from '@testing/agent-turn';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());
const NEVER = new AbortController().signal;

const PIECES = [
  ...['hello', 'Good morning', 'morning', 'bye', "that's all", 'thanks', 'help', 'yes', 'no', 'please', 'never mind'],
  ...['book', 'me in', 'cancel', 'move', 'confirm', 'my appointment', 'when is', 'tomorrow', 'at 10am', 'on Friday', 'the first'],
  ...['are you a bot', 'a human', 'talk to someone', 'your prices', 'opening hours', 'I like', 'tell me about'],
  ...['?', '!', '.', ',', ' and ', '\n', '*', '**bold**', '<b>', '- ', '1. ', '\ud83d\ude00', '\u2019', '', '   '],
];
const message = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(' ')),
  fc.string(),
);
const before = fc.array(fc.record({ role: fc.constantFrom('user', 'assistant'), content: message, at: fc.constant(0) }), {
  maxLength: 3,
});

describe('what the scripted agent says at once', () => {
  it('is what it replies to somebody unknown, whatever was said before', async () => {
    await fc.assert(
      fc.asyncProperty(message, before, async (content, said) => {
        const atOnce = agent.replyAtOnce(content);
        if (atOnce !== null) expect(await agent.reply(agentTurn({ content, before: said as never }), NEVER)).toEqual(atOnce);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['Hello!', 'What are your prices?', 'Are you a robot?', 'thanks', 'Bye then', 'We have moved to Rome.'])(
    'is something to %j',
    (content) => expect(agent.replyAtOnce(content)?.content).toMatch(/./),
  );

  it.each(['Book me in for tomorrow', 'I want a human', 'yes', 'at 10am', 'Morning', '**Prices**?', 'When is my appointment?'])(
    'is nothing to %j, which takes more than the message',
    (content) => expect(agent.replyAtOnce(content)).toBeNull(),
  );
});
