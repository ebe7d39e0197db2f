import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';
import { spelledOut } from './spelling.js';

const agent = new ScriptedAgent(new MdastPlainText());

describe('a slip of haste', () => {
  it.each([
    ['i wnat to bok an apointment tomorow', 'i want to book an appointment tomorrow'],
    ['pls cancle my appts on wensday', 'pls cancel my appointments on wednesday'],
    ['whens my appoinment? i cant come, dont wanna', "when's my appointment? i can't come, don't want to"],
    ['can u reschedual it?', 'can you reschedule it?'],
    ['around 3ish tmrw, id like that', "around 3 tomorrow, i'd like that"],
  ])('in "%s" is read as it is meant', (written, meant) => {
    expect(spelledOut(written)).toBe(meant);
  });

  it.each(['the apportionment was cancelled', 'what if an english dish is fetid', 'a disappointment', 'boking'])(
    'is none in "%s"',
    (written) => {
      expect(spelledOut(written)).toBe(written);
    },
  );

  it('is no part of a service', async () => {
    const ledger = new FakeLedger();
    const chat = new Chat(agent, { toolbox: ledger });
    await chat.say('i want to book an apointment tomorow at 10am', 'pls reshedule my apointment to friday 2pm', 'dont cancle it');
    expect(ledger.appointments).toMatchObject([
      { service: 'appointment', status: 'rescheduled', starts_at: '2026-03-06T14:00:00.000Z' },
    ]);
  });
});
