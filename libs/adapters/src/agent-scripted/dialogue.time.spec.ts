import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

/** What stands in the ledger after messages that begin on Monday, 2 March 2026, at 09:00 UTC. */
async function booked(...messages: string[]): Promise<string[]> {
  const ledger = new FakeLedger();
  await new Chat(agent, { toolbox: ledger }).say(...messages);
  return ledger.appointments.map(({ starts_at }) => starts_at.slice(5, 16));
}

describe('the time that is booked', () => {
  it.each([
    'Good morning, book a haircut tomorrow at 3',
    'Morning! Could you book tomorrow at 3 please?',
    'I work in the morning, so book tomorrow at 3 in the afternoon',
  ])('is in the part of the day that is wished for, not in that of a greeting: %s', async (content) => {
    expect(await booked(content)).toEqual(['03-03T15:00']);
  });

  it.each([
    ['03-03T06:00', ['book tomorrow morning', 'at 6']],
    ['03-03T06:30', ['book tomorrow morning', 'half past 6']],
    ['03-03T20:00', ['book tomorrow evening', '8']],
    ['03-03T20:00', ['book tomorrow', 'in the evening', '8']],
    ['03-03T20:00', ['book tomorrow', 'Evening', '8']],
    ['03-03T09:00', ['book tomorrow evening', 'morning.', '9']],
    ['03-03T20:00', ['book tomorrow', '8 in the evening']],
    ['03-03T20:00', ['book at 8', 'tomorrow evening']],
    ['03-03T08:00', ['book tomorrow evening', '8am']],
    ['03-03T14:00', ['book tomorrow evening', '14:00']],
    ['03-03T12:00', ['book tomorrow evening', 'at noon']],
    ['03-04T08:00', ['book tomorrow evening', 'Wednesday at 8']],
    ['03-03T20:00', ['book tomorrow evening', 'on Wednesday at 8pm, no, tomorrow at 8pm']],
    ['03-02T21:00', ['book tonight', '9']],
  ])('is %s when the part of the day is told apart from it: %j', async (moment, messages) => {
    expect(await booked(...messages)).toEqual([moment]);
  });

  it.each([
    "I can't tomorrow, book Wednesday at 11",
    "I'm busy tomorrow morning, book Wednesday at 11",
    'I called on Friday. Book Wednesday at 11.',
    'I was there yesterday and want to book Wednesday at 11',
    'I have a meeting at 9 on Wednesday, book me Wednesday at 11',
    'My last visit was on Tuesday at 10am, book Wednesday at 11am',
    'I sat down to book Wednesday at 11',
    'On Wednesday at 11 I want to book a visit, as Friday is my birthday',
  ])('is the one of the order, whatever else is told: %s', async (content) => {
    expect(await booked(content)).toEqual(['03-04T11:00']);
  });

  it.each(['We have sat at 10am free, book it', 'book a haircut, can I have sat 10am?', 'book just sat morning at 10'])(
    'is on a Saturday by its short name: %s',
    async (content) => {
      expect(await booked(content)).toEqual(['03-07T10:00']);
    },
  );

  it.each([
    ['2026-03-28T21:00', '2026-03-29T04:00', 'book a shift on March 28 from 10pm to 6am'],
    ['2026-03-29T00:30', '2026-03-29T01:30', 'book a shift on March 29 from 1:30am to 3:30am'],
    ['2026-10-24T21:30', '2026-10-25T07:00', 'book a shift on October 24 from 11:30pm to 8am'],
    ['2026-03-28T21:00', '2026-03-29T05:00', 'book a shift on March 28 at 10pm for 8 hours'],
    ['2026-03-06T09:00', '2026-03-07T08:00', 'book a shift from Friday 10am to Saturday 9am'],
    ['2026-03-06T21:00', '2026-03-07T05:00', 'book a shift on Friday from 10pm to 6am'],
    ['2026-10-25T00:30', '2026-10-25T00:45', 'book a shift on October 25 from 2:30am to 2:45am'],
    ['2026-10-24T23:00', '2026-10-25T00:30', 'book a shift on October 25 from 1am to 2:30am'],
    ['2026-10-24T06:00', '2026-10-25T07:00', 'book a shift from October 24 8am to October 25 8am'],
  ])('is from %s to %s, also where clocks change on the way: %s', async (starts, ends, content) => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger, timeZone: 'Europe/Berlin' }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at: `${starts}:00.000Z`, ends_at: `${ends}:00.000Z` }]);
  });

  it('is as long as is said before the order', async () => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger }).say('I need 45 minutes, book Wednesday at 11');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-04T11:00:00.000Z', ends_at: '2026-03-04T11:45:00.000Z' }]);
  });

  it.each([
    ['03-05T08:00', 'book at 9 Europe/Berlin March 5'],
    ['03-05T08:00', 'book at 9 Berlin time March 5'],
    ['03-05T15:10', 'book at ten past four Europe/Berlin March 5'],
  ])('is %s where a date follows the zone: %s', async (moment, content) => {
    expect(await booked(content)).toEqual([moment]);
  });

  it.each(['Hi, a visit tomorrow at 11 please', "let's do a visit tomorrow at 11", 'schedule tomorrow at 11 for a visit'])(
    'is that of a visit: %s',
    async (content) => {
      expect(await booked(content)).toEqual(['03-03T11:00']);
    },
  );

  it.each(['March 16', 'Mar 16', '16 March', '16 march please', 'on March 16th'])(
    'is of the day that was answered with: %s',
    async (day) => {
      expect(await booked('book a haircut at 4', day)).toEqual(['03-16T16:00']);
    },
  );

  it('is of a day in May', async () => {
    expect(await booked('book a haircut at 4', 'May 16')).toEqual(['05-16T16:00']);
    expect(await booked('book a haircut at 4', '16 May')).toEqual(['05-16T16:00']);
  });

  it('is none for somebody who tells of a visit', async () => {
    expect(await booked('I had a visit on Tuesday at 10')).toEqual([]);
  });

  it.each(['book tomorrow at 10am? no thanks', 'Hi! Could you book tomorrow at 10am? No.'])(
    'is none where the wish is declined at once: %s',
    async (content) => {
      expect(await booked(content)).toEqual([]);
    },
  );

  it('is asked for where only a time without room was named', async () => {
    const ledger = new FakeLedger();
    const chat = new Chat(agent, { toolbox: ledger });
    expect(await chat.say("I'd like an appointment, but I can't tomorrow")).toMatch(/Which day and time would suit you\?$/);
    expect(await chat.say('Wednesday at 11')).toContain('is booked');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-04T11:00:00.000Z' }]);
  });

  it('is nothing for somebody who only weighs it', async () => {
    expect(await booked("I don't know whether to book tomorrow at 10am")).toEqual([]);
    expect(await booked('My last visit was on Tuesday at 10am')).toEqual([]);
  });

  it.each([
    ['03-03T19:30', ['book tomorrow at 7pm', 'can we make it half past 7 instead?']],
    ['03-03T20:30', ['book tomorrow at 9pm', 'move it to 8:30']],
    ['03-03T08:30', ['book tomorrow at 9pm', 'move it to 8:30am']],
    ['03-03T08:30', ['book tomorrow at 9pm', 'move it to 8:30 in the morning']],
    ['03-03T08:30', ['book tomorrow at 9pm', 'move it to 08:30']],
    ['03-04T09:00', ['book tomorrow at 7pm', 'move it to Wednesday at 9']],
    ['03-03T09:00', ['book tomorrow at 5pm', 'move it to 9']],
    ['03-03T00:30', ['book tomorrow at 7pm', 'move it to 0:30']],
  ])('is %s when it is moved by an hour alone: %j', async (moment, messages) => {
    expect(await booked(...messages)).toEqual([moment]);
  });

  it('is today for somebody who is sick today', async () => {
    expect(await booked("I'm sick today, can I come at 4?")).toEqual(['03-02T16:00']);
  });

  it('is moved to the day that takes the place of the day', async () => {
    expect(await booked('book tomorrow at 10am', 'change the day to March 9th')).toEqual(['03-09T10:00']);
  });

  it('is known again when it is the end of a day', async () => {
    const ledger = new FakeLedger();
    const chat = new Chat(agent, { toolbox: ledger });
    const said = await chat.say('book tomorrow at 12 at night', 'thanks', 'cancel my appointment tomorrow at 12 at night');
    expect(said).toContain('is cancelled');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-04T00:00:00.000Z', status: 'cancelled' }]);
  });

  it('is moved by as much as is said', async () => {
    expect(await booked('book tomorrow at 10am', 'push it a week')).toEqual(['03-10T10:00']);
    expect(await booked('book tomorrow at 10am', 'move it to the evening', '8')).toEqual(['03-03T20:00']);
  });
});

describe('a weekday in so many weeks, which could be either of two days', () => {
  const ledger = new FakeLedger();
  let chat: Chat;
  beforeEach(() => {
    ledger.appointments = [];
    ledger.add('haircut', '2026-03-04T10:00:00Z');
    chat = new Chat(agent, { toolbox: ledger });
  });

  it.each(['cancel my haircut Monday in two weeks', 'confirm my haircut on Monday in two weeks'])(
    'is no other day’s appointment: %s',
    async (content) => {
      expect(await chat.say(content)).toMatch(/Which one do you mean\?$/);
      expect(ledger.appointments).toMatchObject([{ status: 'pending' }]);
    },
  );

  it('is asked about before something is moved there, whatever the time', async () => {
    expect(await chat.say('move it to Monday in two weeks at 4')).toMatch(/Which day and time would suit you\?$/);
    await chat.say('March 16');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-16T16:00:00.000Z' }]);
  });

  it('takes the place of the day named before', async () => {
    expect(await chat.say('book March 5 at 10, wait, Monday in two weeks')).toMatch(/On which day\?$/);
  });
});

describe('several days in one wish', () => {
  it.each([
    'book Tuesday, Wednesday and Friday at 10',
    'book tomorrow and Thursday at 10',
    'On Tuesday and Friday I want to book at 10',
  ])('are not passed over in silence: %s', async (content) => {
    const ledger = new FakeLedger();
    const said = await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-03T10:00:00.000Z' }]);
    expect(said).toContain('please write again for each of the others');
  });

  it.each([
    [["I can't Monday and Tuesday, book Wednesday at 10"]],
    [['book Monday and Friday', 'just Friday at 10']],
    [['book between Monday and Friday at 10']],
    [['book tomorrow at 10 and confirm it']],
  ])('are none in %j', async (messages) => {
    const said = await new Chat(agent, { toolbox: new FakeLedger() }).say(...messages);
    expect(said).toContain('is booked');
    expect(said).not.toContain('the others');
  });
});
