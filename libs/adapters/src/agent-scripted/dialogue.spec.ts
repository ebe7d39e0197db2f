import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

function chatOn(ledger: FakeLedger, timeZone = 'UTC'): Chat {
  return new Chat(agent, { toolbox: ledger, timeZone });
}

describe('booking', () => {
  it('books in one message', async () => {
    const ledger = new FakeLedger('America/New_York');
    const said = await chatOn(ledger, 'America/New_York').say("I'd like to book a haircut for next Monday 15:30 for 45 minutes");
    expect(ledger.calls).toEqual([
      { name: 'book_appointment', args: { service: 'haircut', starts_at: '2026-03-09T19:30:00.000Z', duration_minutes: 45 } },
    ]);
    expect(said).toContain('**haircut** on **Monday, 9 March 2026 at 15:30** (America/New_York) is booked');
  });

  it('asks for what is missing, one after the other', async () => {
    const ledger = new FakeLedger();
    const chat = chatOn(ledger);
    expect(await chat.say('book me in')).toContain('Which day and time');
    expect(await chat.say('tomorrow')).toContain('At what time?');
    expect(await chat.say('10am')).toContain('Tuesday, 3 March 2026 at 10:00');
    expect(ledger.appointments).toMatchObject([{ service: 'appointment', starts_at: '2026-03-03T10:00:00.000Z' }]);
  });

  it.each([
    '2026-03-05T14:00:00Z',
    '2026-03-05T16:00:00+02:00',
    '2026-03-05T14:00',
    '2026-03-05 14:00',
    '2026-03-05 14:00-15:30',
    '2026-03-05 16:00+02:00',
    '2026-03-05 09:00-05:00',
  ])('takes %s for an answer', async (answer) => {
    const ledger = new FakeLedger();
    await chatOn(ledger).say('book me in', answer);
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-05T14:00:00.000Z' }]);
  });

  it('asks for the day when only a time was named', async () => {
    const ledger = new FakeLedger();
    const chat = chatOn(ledger);
    expect(await chat.say('Book a massage at 4pm')).toContain('On which day?');
    await chat.say('on the 12th');
    expect(ledger.appointments).toMatchObject([{ service: 'massage', starts_at: '2026-03-12T16:00:00.000Z' }]);
  });

  it('remembers what it asked over small talk', async () => {
    const ledger = new FakeLedger('Europe/Berlin');
    await chatOn(ledger, 'Europe/Berlin').say('Can I come Monday?', 'Do you have parking nearby?', 'at ten');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-09T09:00:00.000Z' }]);
  });

  it.each([
    ['Please book an appointment for a dental cleaning on 2026-03-05T14:00', 'dental cleaning'],
    ['book dental_cleaning tomorrow at 10:00', 'dental_cleaning'],
    ['Book me in for a cut and color tomorrow at 3pm', 'cut and color'],
    ['I need a quick check-up appointment tomorrow at 9', 'check-up'],
    ['Book a haircut Monday 15:30', 'haircut'],
    ['Book a haircut 2026-03-05T14:00:00Z', 'haircut'],
    ['book a haircut December 5 10:30am', 'haircut'],
    ['book a haircut day after tomorrow at noon', 'haircut'],
    ['book a haircut quarter to five tomorrow', 'haircut'],
    ['book me in tomorrow at 9', 'appointment'],
    ['an appointment for me tomorrow at 9 please', 'appointment'],
  ])('%s: the service is %s', async (content, service) => {
    const ledger = new FakeLedger();
    await chatOn(ledger).say(content);
    expect(ledger.appointments).toMatchObject([{ service }]);
  });

  it.each([
    ['haircut', ['book a haircut tomorrow', 'Friday instead', '9am']],
    ['haircut', ['book a haircut tomorrow', 'make it Friday', '9am']],
    ['haircut', ['book a haircut', 'I want an appointment on Friday', '9am']],
    ['haircut', ['book a haircut', 'confirm it', 'Friday', '9am']],
    ['massage', ['book a haircut tomorrow at 10am', 'confirm', 'book a massage tomorrow', 'make it Friday', 'at 9']],
    ['massage', ['book a haircut tomorrow at 10am', 'book a massage', 'move it to Friday', 'hm', '9am']],
  ])('books the %s that was asked for, whatever word its day comes with: %j', async (service, messages) => {
    const ledger = new FakeLedger();
    await chatOn(ledger).say(...messages);
    expect(ledger.appointments.at(-1)).toMatchObject({ service, starts_at: '2026-03-06T09:00:00.000Z' });
    expect(ledger.calls.map(({ name }) => name)).not.toContain('reschedule_appointment');
  });

  it('takes a word about another appointment for none about the one it offers', async () => {
    const ledger = new FakeLedger();
    const chat = chatOn(ledger);
    expect(await chat.say('when is my appointment?', 'confirm the checkup')).toContain('no upcoming appointment');
    await chat.say('Book a shave tomorrow at 2pm');
    expect(ledger.appointments).toMatchObject([{ service: 'shave', status: 'pending' }]);
  });

  it('takes a day for one about what it offers', async () => {
    const ledger = new FakeLedger();
    await chatOn(ledger).say('when is my appointment?', 'make it Friday', '9am');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-06T09:00:00.000Z' }]);
  });

  it('books nothing in the past and asks again', async () => {
    const ledger = new FakeLedger();
    const chat = chatOn(ledger);
    expect(await chat.say('book me in yesterday at 10am')).toContain('already passed');
    expect(await chat.say('today at 8am')).toContain('already passed');
    await chat.say('tomorrow then');
    expect(ledger.appointments).toMatchObject([{ service: 'appointment', starts_at: '2026-03-03T08:00:00.000Z' }]);
  });

  it('lets go of a wish that is taken back', async () => {
    const ledger = new FakeLedger();
    const chat = chatOn(ledger);
    expect(await chat.say('book an appointment', 'never mind')).toContain("I'll leave everything as it is");
    expect(await chat.say('tomorrow at 10am')).toContain('“tomorrow at 10am”');
    expect(ledger.appointments).toEqual([]);
  });

  it('offers a person when it cannot book, and tells why', async () => {
    const ledger = new FakeLedger();
    ledger.refusal = { ok: false, code: 'calendar_unavailable', message: 'The calendar is down.' };
    const chat = chatOn(ledger);
    expect(await chat.say('book me in tomorrow at 10am')).toMatch(/did not work: The calendar is down\. .*person\?$/);
    expect(ledger.calls.at(-1)).toMatchObject({ name: 'report_failed_attempt', args: { code: 'calendar_unavailable' } });
    expect((await chat.reply('yes')).actions).toMatchObject([{ type: 'handoff' }]);
  });

  it.each([
    ['book me in tomorrow at 10am', 'book_appointment'],
    ['cancel my appointment', 'cancel_appointment'],
    ['cancel all my appointments', 'cancel_appointment'],
  ])('claims neither that it worked nor that it did not where that is not known: %s', async (content, last) => {
    const ledger = new FakeLedger();
    ledger.add('haircut', '2026-03-04T10:00:00Z');
    ledger.refusal = { ok: false, code: 'internal_error', message: 'It may have been done or not.' };
    expect(await chatOn(ledger).say(content)).toBe(
      "I'm sorry, something went wrong, and I can't tell whether that is done. Shall I connect you with a person?",
    );
    expect(ledger.calls.at(-1)?.name).toBe(last);
  });

  it.each([
    'when is my appointment?',
    'cancel my appointment',
    'cancel all my appointments',
    'confirm my appointment',
    'move my haircut to friday at 2pm',
  ])('claims nothing of appointments that cannot be looked at: %s', async (content) => {
    const ledger = new FakeLedger();
    ledger.add('haircut', '2026-03-04T10:00:00Z');
    ledger.unseen = true;
    const chat = chatOn(ledger);
    expect(await chat.say(content)).toBe(
      "I'm sorry, I can't see your appointments at the moment. Shall I connect you with a person?",
    );
    expect(new Set(ledger.calls.map(({ name }) => name))).toEqual(new Set(['find_appointments']));
    expect((await chat.reply('yes')).actions).toMatchObject([{ type: 'handoff' }]);
  });

  it('says so where there is no ledger', async () => {
    expect(await new Chat(agent).say('book me in tomorrow at 10am')).toBe(
      "I'm sorry, I can't book or change appointments here yet. Shall I connect you with a person?",
    );
  });
});

describe('confirming, moving and cancelling', () => {
  it('knows which one "it" is right after booking', async () => {
    const ledger = new FakeLedger();
    const chat = chatOn(ledger);
    expect(await chat.say('book me in for tomorrow at 10am', 'confirm it')).toContain('is confirmed');
    await chat.say('move it to 3pm');
    expect(ledger.appointments).toMatchObject([{ status: 'rescheduled', starts_at: '2026-03-03T15:00:00.000Z' }]);
    await chat.say('yes');
    expect(ledger.appointments).toMatchObject([{ status: 'confirmed' }]);
    await chat.say('move it to Friday');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-06T15:00:00.000Z' }]);
    await chat.say('an hour earlier would be better, push it an hour earlier');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-06T14:00:00.000Z' }]);
    expect(await chat.say('cancel it')).toContain('is cancelled');
    expect(ledger.appointments).toMatchObject([{ status: 'cancelled' }]);
  });

  it('means the one spoken of last among several', async () => {
    const ledger = new FakeLedger();
    await chatOn(ledger).say(
      'book a cleaning on Thursday at 2pm',
      'book a massage on Friday at 10:30 and confirm it',
      'cancel it',
    );
    expect(ledger.appointments.map(({ service, status }) => [service, status])).toEqual([
      ['cleaning', 'pending'],
      ['massage', 'cancelled'],
    ]);
  });

  it.each([
    ['the second one', 'checkup'],
    ['1', 'cleaning'],
    ['the checkup', 'checkup'],
    ['the one on Wednesday', 'checkup'],
    ['tomorrow', 'cleaning'],
  ])('asks which one of several is meant: %s', async (answer, cancelled) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z');
    ledger.add('checkup', '2026-03-04T11:00:00Z');
    const chat = chatOn(ledger);
    expect(await chat.say('cancel my appointment')).toMatch(/1\. \*\*cleaning[^]+2\. \*\*checkup[^]+Which one do you mean\?$/);
    await chat.say(answer);
    expect(ledger.appointments.filter(({ status }) => status === 'cancelled').map(({ service }) => service)).toEqual([cancelled]);
  });

  it('tells the day an appointment is on from the day it goes to', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z');
    ledger.add('checkup', '2026-03-06T09:00:00Z');
    await chatOn(ledger).say('move my appointment from Friday to Monday');
    expect(ledger.appointments.map(({ starts_at }) => starts_at)).toEqual([
      '2026-03-03T10:00:00.000Z',
      '2026-03-09T09:00:00.000Z',
    ]);
  });

  it('touches nothing when none fits', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z');
    expect(await chatOn(ledger).say('cancel my appointment on Friday')).toContain('I see none then');
    expect(ledger.appointments).toMatchObject([{ status: 'pending' }]);
  });

  it('cancels nothing for somebody who only cannot come', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z');
    const chat = chatOn(ledger);
    expect(await chat.say("I can't make it tomorrow")).toContain('Which day and time');
    await chat.say('Friday');
    expect(ledger.appointments).toMatchObject([{ status: 'rescheduled', starts_at: '2026-03-06T10:00:00.000Z' }]);
  });

  it('says the same when a cancellation is asked for again', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z', 'cancelled');
    expect(await chatOn(ledger).say('cancel my appointment')).toContain('is cancelled');
  });

  it('cancels all at once', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z');
    ledger.add('checkup', '2026-03-06T09:00:00Z');
    await chatOn(ledger).say('cancel all my appointments');
    expect(ledger.appointments.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  it('offers to book where there is none', async () => {
    const ledger = new FakeLedger();
    const chat = chatOn(ledger);
    expect(await chat.say('move my appointment')).toContain('I see no upcoming appointment');
    await chat.say('yes', 'tomorrow at 10am');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-03T10:00:00.000Z' }]);
  });
});
