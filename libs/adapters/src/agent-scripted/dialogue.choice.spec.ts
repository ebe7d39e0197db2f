import type { Agent, AgentTurn } from '@ports/agent.port';
import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const plainText = new MdastPlainText();
const agent = new ScriptedAgent(plainText);

/** As the server stores replies where `markdown` is false. */
class PlainAgent extends ScriptedAgent {
  override async reply(turn: AgentTurn, signal: AbortSignal) {
    const reply = await super.reply(turn, signal);
    return { ...reply, content: await plainText.strip(reply.content) };
  }
}
const plainAgent = new PlainAgent(plainText);

function ledgerOfTwo(): FakeLedger {
  const ledger = new FakeLedger();
  ledger.add('haircut', '2026-03-04T10:00:00Z');
  ledger.add('massage', '2026-03-05T15:00:00Z');
  return ledger;
}

function chatOn(ledger: FakeLedger, by: Agent = agent): Chat {
  return new Chat(by, { toolbox: ledger });
}

function cancelledOn({ appointments }: FakeLedger): string[] {
  return appointments.filter(({ status }) => status === 'cancelled').map(({ service }) => service);
}

describe('cancelling one of two', () => {
  it.each([
    ["cancel my haircut, that's all", ['haircut']],
    ['cancel my haircut. After all I am ill.', ['haircut']],
    ['I want to cancel my haircut, not all of them', ['haircut']],
    ['cancel my appointment on Wednesday, we are all ill', ['haircut']],
    ['cancel all appointments on Wednesday', ['haircut']],
    ['cancel the haircut but not the massage', ['haircut']],
    ['cancel everything except the 10am one', []],
    ['cancel everything but the massage', []],
    ['cancel my pedicure', []],
    ['cancel my appointment', []],
    ['cancel both of them', ['haircut', 'massage']],
  ])('%s', async (content, cancelled) => {
    const ledger = ledgerOfTwo();
    const said = await chatOn(ledger).say(content);
    expect(cancelledOn(ledger)).toEqual(cancelled);
    expect(said.includes('Which one do you mean?')).toBe(cancelled.length === 0);
  });

  it.each([
    ['both', ['haircut', 'massage']],
    ['the second', ['massage']],
    ['not the first', []],
  ])('asked which, somebody says %s', async (answer, cancelled) => {
    const ledger = ledgerOfTwo();
    await chatOn(ledger).say('cancel my appointment', answer);
    expect(cancelledOn(ledger)).toEqual(cancelled);
  });

  it.each(["cancel my haircut. Actually no, don't.", 'cancel my haircut, no, never mind'])('%s', async (content) => {
    const ledger = ledgerOfTwo();
    expect(await chatOn(ledger).say(content)).toContain("I'll leave everything as it is");
    expect(cancelledOn(ledger)).toEqual([]);
  });

  it('numbers are those of the list that was shown', async () => {
    const ledger = ledgerOfTwo();
    ledger.add('haircut', '2026-03-06T10:00:00Z');
    await chatOn(ledger).say('cancel my haircut', '2');
    expect(ledger.appointments.map(({ status }) => status)).toEqual(['pending', 'pending', 'cancelled']);
  });

  it('does not find one service inside the name of another', async () => {
    const ledger = new FakeLedger();
    ledger.add('cut', '2026-03-04T10:00:00Z');
    ledger.add('haircut', '2026-03-05T10:00:00Z');
    await chatOn(ledger).say('cancel my haircut');
    expect(cancelledOn(ledger)).toEqual(['haircut']);
  });
});

describe.each([
  ['in markdown', agent],
  ['in plain text', plainAgent],
])('the one spoken of last, %s', (_, by) => {
  const booked = ['book a haircut tomorrow at 10am', 'book a massage on Friday at 3pm'];

  it('is the one that "it" means', async () => {
    const ledger = new FakeLedger();
    await chatOn(ledger, by).say(...booked, 'move it to 4pm');
    expect(ledger.appointments.map(({ starts_at }) => starts_at)).toEqual([
      '2026-03-03T10:00:00.000Z',
      '2026-03-06T16:00:00.000Z',
    ]);
  });

  it('is not what "my appointment" means', async () => {
    const ledger = new FakeLedger();
    expect(await chatOn(ledger, by).say(...booked, 'cancel my appointment')).toContain('Which one do you mean?');
    expect(cancelledOn(ledger)).toEqual([]);
  });

  it('stays meant while its new time is asked for', async () => {
    const ledger = ledgerOfTwo();
    await chatOn(ledger, by).say('reschedule', '2', 'Friday at noon');
    expect(ledger.appointments).toMatchObject([{ status: 'pending' }, { starts_at: '2026-03-06T12:00:00.000Z' }]);
  });

  it.each([
    ["please don't cancel my massage, cancel the haircut"],
    ['cancel the haircut but keep the massage'],
    ['cancel haircut or massage?', 'cancel only the haircut'],
  ])('is not the one that stays: %s', async (...contents) => {
    const ledger = ledgerOfTwo();
    await chatOn(ledger, by).say(...contents);
    expect(cancelledOn(ledger)).toEqual(['haircut']);
  });

  it('is not asked for any more by another order', async () => {
    const ledger = new FakeLedger();
    ledger.add('haircut', '2026-03-04T11:00:00Z');
    ledger.add('massage', '2026-03-06T15:00:00Z');
    await chatOn(ledger, by).say('cancel my appointment', 'ok, move the haircut to 5 March');
    expect(ledger.appointments).toMatchObject([
      { status: 'rescheduled', starts_at: '2026-03-05T11:00:00.000Z' },
      { status: 'pending', starts_at: '2026-03-06T15:00:00.000Z' },
    ]);
  });
});

describe('the other one of two', () => {
  it.each(['move the first one to 3pm', 'move the earlier one to Friday'])(
    'is not the one that was booked last: %s',
    async (content) => {
      const ledger = new FakeLedger();
      const chat = new Chat(agent, { toolbox: ledger });
      expect(await chat.say('book a cut tomorrow at 10am', 'book a massage tomorrow at 11am', content)).toMatch(
        /Which one do you mean\?$/,
      );
      expect(ledger.appointments.map(({ starts_at }) => starts_at.slice(11, 16))).toEqual(['10:00', '11:00']);
    },
  );
});

it.each([
  ['book a massage on Thursday', 'actually change the date to Friday 9am', 'massage'],
  ['book a massage on Friday', 'please move the start time to 9am', 'massage'],
  ['book a massage on Friday', 'confirm my place at 9am', 'massage'],
  ['book a massage on Friday', 'please confirm my spot at 9am', 'massage'],
  ['book a massage on Friday', 'confirm my request for 9am', 'massage'],
  ['book a massage on Friday', 'please confirm the details: 9am', 'massage'],
  ['book a massage on Friday', 'move the treatment to 9am', 'massage'],
  ['book a massage on Friday', 'confirm the service for 9am', 'massage'],
  ['book a massage on Friday', 'shift the beginning to 9am', 'massage'],
  ['book a massage on Friday', 'reschedule the request to 9am', 'massage'],
  ['book a massage on Friday', 'change the duration to 90 minutes, at 9am', 'massage'],
  ['book a massage on Friday', 'change the length to 90 minutes and start at 9am', 'massage'],
  ['book a massage', 'confirm the back massage for Friday 9am', 'massage'],
])('what belongs to the open wish is no other visit: %s, %s', async (wish, answer, service) => {
  const ledger = new FakeLedger();
  await new Chat(agent, { toolbox: ledger }).say(wish, answer);
  expect(ledger.appointments).toMatchObject([{ service, starts_at: '2026-03-06T09:00:00.000Z' }]);
});

it.each([[['please move my haircut', 'Friday 9am']], [['move my haircut to Friday', '9am']]])(
  'what is named is moved, though the time of another visit was asked for: %j',
  async (said) => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger }).say('book a haircut tomorrow at 10am', 'book a massage', ...said);
    expect(ledger.appointments).toMatchObject([{ service: 'haircut', starts_at: '2026-03-06T09:00:00.000Z' }]);
  },
);
