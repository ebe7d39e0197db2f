import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

describe('the time that is booked from one hour to another', () => {
  it.each([
    ['12:00', '13:00', 'tomorrow from 12 to 1'],
    ['09:00', '17:00', 'tomorrow from 9 to 5'],
    ['09:00', '17:00', 'tomorrow from 9am to 5'],
    ['11:00', '13:00', 'tomorrow from 11 to 1'],
    ['11:30', '13:30', 'tomorrow 11:30 to 1:30'],
    ['11:30', '13:30', 'tomorrow 11:30-1:30'],
    ['10:00', '14:00', '2026-03-03 from 10:00 to 14:00'],
    ['10:00', '10:30', '2026-03-03 from 10:00 to 09:00'],
    ['15:00', '15:30', 'tomorrow from 3pm to 2pm'],
    ['12:00', '13:00', 'from 12 to 1 tomorrow'],
    ['09:00', '17:00', 'from 9 to 5 tomorrow'],
    ['10:00', '14:00', 'from 10am to 2 tomorrow'],
    ['11:30', '13:30', '11:30 to 1:30 tomorrow'],
    ['08:00', '21:00', '2026-03-03 08:00 - 2026-03-03 21:00'],
    ['08:00', '21:00', '2026-03-03T08:00 - 2026-03-03T21:00'],
    ['10:00', '11:00', '03-03-2026 10:00-11:00'],
    ['08:00', '21:00', 'tomorrow from 8am to 9pm'],
    ['08:00', '21:00', 'tomorrow from 08:00 to 9pm'],
    ['07:00', '20:00', 'tomorrow from 7 to 20'],
    ['06:00', '14:00', 'tomorrow from 6 to 14:00'],
    ['11:00', '13:00', 'tomorrow from 11-1pm'],
    ['11:00', '13:00', 'tomorrow morning from 11 to 1pm'],
    ['09:00', '17:00', 'from 9-5pm tomorrow'],
    ['20:00', '21:00', 'tomorrow from 8 to 9pm'],
    ['05:00', '06:00', 'tomorrow from 5 to 6am'],
    ['20:00', '20:30', 'tomorrow evening from 8 to 9am'],
    ['10:00', '12:00', 'tomorrow from 10am to noon'],
  ])('is from %s to %s, by the clock and in half a day: %s', async (starts, ends, when) => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger }).say(`book a checkup ${when}`);
    expect(ledger.appointments).toMatchObject([
      { starts_at: `2026-03-03T${starts}:00.000Z`, ends_at: `2026-03-03T${ends}:00.000Z` },
    ]);
  });

  it.each([
    ['2026-03-10T11:00', 2, 'from 11 to 1 next Tuesday'],
    ['2026-03-06T09:00', 8, 'from 9 to 5 on Friday'],
    ['2026-03-06T11:00', 2, 'from 11 to 1 on Friday'],
    ['2026-03-06T22:00', 8, 'from 10pm to 6am on Friday'],
    ['2026-03-06T10:00', 23, 'from Friday 10am to Saturday 9am'],
    ['2026-03-06T10:00', 23, 'from Fri 10am to Sat 9am'],
    ['2026-10-24T08:00', 24, 'from October 24 8am to October 25 8am'],
    ['2026-03-05T10:00', 23, 'from March 5 10am to March 6 9am'],
    ['2026-05-05T10:00', 23, 'from May 5 10am to May 6 9am'],
    ['2026-03-03T10:00', 23, '2026-03-03 10:00 - 2026-03-04 09:00'],
    ['2026-03-03T15:00', 13.5, '2026-03-03T10:00:00-05:00 - 2026-03-03T23:30:00-05:00'],
    ['2026-03-03T22:00', 2, 'tomorrow from 10pm to 12'],
    ['2026-03-03T20:00', 4.5, 'tomorrow from 8pm to 12:30'],
    ['2026-03-03T20:00', 4, 'tomorrow evening from 8 to 12'],
    ['2026-03-03T22:00', 4, 'tomorrow from 10 to 2am'],
    ['2026-03-03T22:00', 2, 'tomorrow from 10pm to midnight'],
    ['2026-03-03T22:00', 2, 'from 10 to midnight tomorrow'],
    ['2026-03-03T08:00', 16, 'tomorrow from 8am to midnight'],
    ['2026-03-03T22:00', 4, 'tomorrow night from 10 to 2am'],
    ['2026-03-03T09:00', 12, 'tomorrow from 9 to 9pm'],
    ['2026-03-03T19:00', 12, 'tomorrow from 19:00 to 07:00'],
    ['2026-03-03T20:00', 12, 'tomorrow 20:00 to 8:00'],
    ['2026-03-03T18:00', 12, 'tomorrow 18:00 until 06:00'],
    ['2026-03-03T19:00', 12, 'tomorrow 7pm to 07:00'],
    ['2026-03-03T20:00', 12, 'tomorrow from 8pm to 8'],
    ['2026-12-31T22:00', 8, 'from December 31 10pm to January 1 6am'],
    ['2026-03-06T10:00', 0.5, 'from Friday 10am to Sunday 9am'],
    ['2026-03-03T20:30', 11.5, 'tomorrow from 8:30pm to 8'],
    ['2026-03-03T20:00', 0.5, 'tomorrow from 8pm to 8:30'],
    ['2026-03-03T20:00', 0.5, 'tomorrow from 8pm to 8pm'],
    ['2026-03-03T14:00', 0.5, 'tomorrow from 14:00 to 05:00'],
    ['2026-03-03T14:00', 1, 'tomorrow from 02:00 pm - 03:00'],
    ['2026-03-03T14:00', 1, 'tomorrow from 2pm to 03:00'],
    ['2026-03-03T15:00', 1.5, 'tomorrow from 3pm to 04:30'],
    ['2026-03-03T12:00', 0.5, 'tomorrow from noon to 12:30'],
    ['2026-03-03T12:00', 1.5, 'tomorrow from noon till 1:30pm'],
    ['2026-03-03T12:00', 2.25, 'tomorrow from noon to 2:15'],
    ['2026-03-06T12:00', 24, 'from Friday noon to Saturday noon'],
    ['2026-03-03T10:30', 1.5, 'tomorrow from 10:30am to noon'],
    ['2026-03-03T11:45', 0.25, 'tomorrow 11:45am to noon'],
    ['2026-03-20T20:00', 1, 'March 20 from 8 to 9pm'],
    ['2026-03-20T08:05', 12.5, 'March 20 from 08:05 to 8:35pm'],
    ['2026-03-20T20:05', 0.5, 'March 20 from 8:05 to 8:35pm'],
  ])('is from %s on for %d hours: %s', async (starts, hours, when) => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger }).say(`book a checkup ${when}`);
    const [from, to] = [new Date(`${starts}:00Z`), new Date(Date.parse(`${starts}:00Z`) + hours * 3_600_000)];
    expect(ledger.appointments).toMatchObject([{ starts_at: from.toISOString(), ends_at: to.toISOString() }]);
  });
});
