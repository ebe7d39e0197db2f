import { readable } from './intent.js';
import { asksWhoAnswers, wantsPerson } from './person-request.js';

describe('asking for a person', () => {
  test.each([
    'human',
    'HUMAN!!!',
    'agent',
    'agent?',
    'representative',
    'talk to someone',
    'I want to talk to a human',
    'Can I speak with a representative please?',
    'get me an agent now!',
    'is an agent available',
    'I need a real person',
    'this is useless, human please',
    'can someone call me back?',
    'connect me with your team',
    'transfer me',
    'No, I want a human',
    "I don't want a bot, I want a human",
    "Why can't I talk to a human?",
    'I would rather deal with an agent',
    'let me talk to your manager',
    'Please escalate this',
  ])('%j does', (text) => {
    expect(wantsPerson(readable(text))).toBe(true);
  });

  test.each([
    "I don't need a human",
    'no human needed',
    'please do not connect me to a human',
    'I work in human resources',
    'my travel agent booked it',
    'the agent was rude',
    'reagent',
    'I am an agent',
    'humane treatment',
    'a representative sample',
    'I talked to someone yesterday',
    'I spoke to a representative last week and he cancelled my appointment, why?',
    'which cleaning agent do you use',
    'I will come in person',
    'a non-human reader',
    'the user agent string',
    'can you transfer me the money',
    'are you human?',
  ])('%j does not', (text) => {
    expect(wantsPerson(readable(text))).toBe(false);
  });

  test.each(['Are you human?', 'Am I talking to a bot?', 'is this a real person'])('%j asks who answers', (text) => {
    expect(asksWhoAnswers(readable(text))).toBe(true);
  });
});
