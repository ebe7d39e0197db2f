import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

describe('moving an appointment', () => {
  it.each([
    ['move it to the next day', '2026-03-06T10:00:00.000Z'],
    ['move it to 9am on the following day', '2026-03-06T09:00:00.000Z'],
    ['move it to 9am EST', '2026-03-05T14:00:00.000Z'],
  ])("counts from the appointment's own day: %s", async (content, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });

  it.each([
    ['move it to Friday evening', '7', '2026-03-06T19:00:00.000Z'],
    ['move it to Saturday night', 'at 8', '2026-03-07T20:00:00.000Z'],
    ['can we do tomorrow afternoon instead?', 'at 3', '2026-03-03T15:00:00.000Z'],
    ['move it to the next day in the evening', '7:30', '2026-03-06T19:30:00.000Z'],
  ])('asks for the time where the old one lies outside the part of the day: %s', async (content, time, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    const chat = new Chat(agent, { toolbox: ledger });
    expect(await chat.say(content)).toMatch(/Let's move .* At what time\?$/);
    await chat.say(time);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });

  it.each([
    ['move it to Saturday morning', '2026-03-05T11:59:00Z', '2026-03-07T11:59:00.000Z'],
    ['move it to Friday afternoon', '2026-03-05T12:00:00Z', '2026-03-06T12:00:00.000Z'],
    ['move it to Friday evening', '2026-03-05T18:00:00Z', '2026-03-06T18:00:00.000Z'],
    ['push my appointment this afternoon by an hour', '2026-03-02T17:30:00Z', '2026-03-02T18:30:00.000Z'],
  ])('keeps the time where that fits what was said: %s', async (content, before, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', before);
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });

  it.each([
    ['push it out a week', '2026-03-12T10:00:00.000Z'],
    ['move it two weeks out', '2026-03-19T10:00:00.000Z'],
    ['push my cleaning out by two days', '2026-03-07T10:00:00.000Z'],
    ['push out a week', '2026-03-12T10:00:00.000Z'],
    ['move out by a week, please', '2026-03-12T10:00:00.000Z'],
  ])('is pushed out from its own day: %s', async (content, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });

  it.each([
    ['move my cleaning to the evening', '7', '2026-03-05T19:00:00.000Z'],
    ['move the cleaning to the afternoon', 'at 3', '2026-03-05T15:00:00.000Z'],
    ['please move to the late afternoon', '5', '2026-03-05T17:00:00.000Z'],
  ])('is moved to a part of the day by its name, or without one: %s', async (content, time, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    const chat = new Chat(agent, { toolbox: ledger });
    expect(await chat.say(content)).toContain("Let's move");
    await chat.say(time);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });

  it('is moved by its name to the same time of another day', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say('move the cleaning to the same time on Friday');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-06T10:00:00.000Z' }]);
  });

  it.each([
    ['postpone by 30 minutes', '2026-03-05T10:30:00.000Z'],
    ['please push back half an hour', '2026-03-05T10:30:00.000Z'],
    ['postpone half an hour, please', '2026-03-05T10:30:00.000Z'],
    ['can we do it an hour later', '2026-03-05T11:00:00.000Z'],
    ['can we do an hour later?', '2026-03-05T11:00:00.000Z'],
    ['bring forward by two days', '2026-03-03T10:00:00.000Z'],
  ])('needs no name where only one is booked: %s', async (content, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });

  it.each([
    'I do an hour later class',
    'we move back 2 days ago',
    'postpone by two weeks my payment',
    'my train has a delay of 30 minutes',
    "don't push back half an hour",
    'cancel two hours',
    'I like my next appointment on Friday, it suits me',
    'I want my next visit on Friday cancelled',
    "I'd like my next visit tomorrow to be confirmed",
    'I would not like my next visit to be on Friday',
    "I'd like my next visit to be 45 minutes",
  ])('is not what somebody means who says: %s', async (content) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ status: 'pending', starts_at: '2026-03-05T10:00:00.000Z' }]);
  });

  it('goes on asking when a day is ruled out', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    const chat = new Chat(agent, { toolbox: ledger });
    await chat.say('move my cleaning');
    expect(await chat.say('not on Friday')).toMatch(/Which day and time would suit you\?$/);
    expect(await chat.say('not today, thanks')).toContain("I'll leave everything as it is");
  });

  it.each(['no, the other one', 'I meant the massage', 'oops, I did not mean that', 'can you undo that?'])(
    'is not said to be as it was once it has moved: %s',
    async (regret) => {
      const ledger = new FakeLedger();
      ledger.add('cleaning', '2026-03-05T10:00:00Z');
      ledger.add('massage', '2026-03-06T10:00:00Z');
      const chat = new Chat(agent, { toolbox: ledger });
      await chat.say('move my cleaning to Wednesday');
      expect(await chat.say(regret)).toContain('That is done already. Tell me which appointment you mean');
      await chat.say('move the massage to Tuesday at 9');
      expect(ledger.appointments.map(({ starts_at }) => starts_at.slice(5, 16))).toEqual(['03-04T10:00', '03-03T09:00']);
    },
  );
});

describe('a step that a time follows', () => {
  it.each([
    ['move it a week later to 2pm', '2026-03-12T14:00:00.000Z'],
    ['push my cleaning out a week to 14:30', '2026-03-12T14:30:00.000Z'],
    ['push it back an hour to 11', '2026-03-05T11:00:00.000Z'],
    ['there is a party the day after, move it to 3pm', '2026-03-05T15:00:00.000Z'],
    ['since we moved a week later to Berlin, change it to 2pm', '2026-03-05T14:00:00.000Z'],
  ])('is taken as well: %s', async (content, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });
});

describe('a time at which somebody is away', () => {
  it.each([
    "I'm away for a week, please reschedule my appointment",
    "I'll be out a week, push my appointment",
    "We're on holiday for two weeks, move my cleaning please",
    "I'm sick today, can you move my appointment?",
    "please reschedule my appointment, I'm travelling on Thursday",
    "I'm busy on Friday, please move my cleaning",
    "I'm away Thursday and Friday, please move my appointment",
    "please move my appointment, I can't on Thursday and Friday",
    "I'm sick today and tomorrow, please move my appointment",
  ])('is none that an appointment is moved to: %s', async (content) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    const chat = new Chat(agent, { toolbox: ledger });
    expect(await chat.say(content)).toMatch(/Let's move .* Which day and time would suit you\?$/);
    expect(ledger.calls.map(({ name }) => name)).toEqual(['find_appointments']);
    await chat.say('10 March at 9');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-10T09:00:00.000Z' }]);
  });

  it.each([
    "I'm away for a week, move it to 12 March",
    "I'm sick, can you move it by a week?",
    "I'm travelling on Thursday so move it to the 12th",
    "I can't on Thursday, can we do the 12th instead?",
    "I can't on Thursday and the 12th would be better, please move my appointment",
  ])('is told apart from the one it is moved to: %s', async (content) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-12T10:00:00.000Z' }]);
  });
});

describe('a booking that is corrected while it is ordered', () => {
  it.each([
    ['Book a massage tomorrow at 10, actually make it 11', '2026-03-03T11:00:00.000Z'],
    ['I need a massage appointment tomorrow at 10, sorry, make that Wednesday', '2026-03-04T10:00:00.000Z'],
    ['I want the first massage appointment on Friday at 9, make it 10', '2026-03-06T10:00:00.000Z'],
    ['could you book me a massage on Friday at 9? no wait, make it half past ten', '2026-03-06T10:30:00.000Z'],
  ])('moves nothing that is booked already: %s', async (content, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-05T10:00:00.000Z' }, { service: 'massage', starts_at }]);
  });

  it.each([
    'I have an appointment on Thursday at 10, please make it 11',
    "Don't book Thursday at 10 again, make it 11",
    'The booking on Thursday at 10, can you make it 11?',
    'I want to move my appointment, I need a later slot on Thursday, make it 11',
    'I want the appointment on Thursday at 10 to be later, make it 11',
    'I need the cleaning appointment at another time, actually make it 11',
    'I would like the Thursday appointment moved, make it 11',
    'I need a later slot on Thursday, make it 11',
  ])('is none where somebody speaks of what is booked: %s', async (content) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-05T11:00:00.000Z' }]);
  });
});

describe('when the next visit shall be', () => {
  const wishes = [
    ['Can I make my next visit tomorrow at 10?', '2026-03-03T10:00:00.000Z'],
    ['I would like my next visit to be Friday at 3pm', '2026-03-06T15:00:00.000Z'],
    ['May I have my next appointment on 12 March at 9:30, please?', '2026-03-12T09:30:00.000Z'],
  ] as const;

  it.each(wishes)('is booked where none is: %s', async (content, starts_at) => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });

  it.each(wishes)('is where the next one is moved to: %s', async (content, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ service: 'cleaning', starts_at }]);
  });

  it.each([
    'Book a cut for tomorrow at 10 and make my next visit Friday at 9',
    'book a cut for tomorrow at 10, push back half an hour',
  ])('leaves what is booked beside it alone: %s', async (content) => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.calls.map(({ name }) => name)).toEqual(['book_appointment']);
  });

  it('leaves what is booked of another service alone', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say('I want my next massage appointment on Friday', 'at 3');
    expect(ledger.appointments).toMatchObject([
      { service: 'cleaning', starts_at: '2026-03-05T10:00:00.000Z' },
      { service: 'massage', starts_at: '2026-03-06T15:00:00.000Z' },
    ]);
  });

  it.each([
    'I want my next cleaning visit on Friday at 9',
    "I'd like my next dental cleaning visit to be on Friday at 9",
    'May I have our next cleaning appointment on Friday at 9?',
    'I want my next scheduled cleaning appointment on Friday at 9',
  ])('is where the next one of that service is moved to: %s', async (content) => {
    const ledger = new FakeLedger();
    ledger.add('dental cleaning', '2026-03-05T10:00:00Z');
    ledger.add('massage', '2026-03-06T15:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments.map(({ starts_at }) => starts_at.slice(5, 16))).toEqual(['03-06T09:00', '03-06T15:00']);
  });

  it.each(['I want my next available appointment on Friday at 9', 'Can I have our next free cleaning slot on Friday at 9?'])(
    'is one that is still free: %s',
    async (content) => {
      const ledger = new FakeLedger();
      ledger.add('cleaning', '2026-03-05T10:00:00Z');
      await new Chat(agent, { toolbox: ledger }).say(content);
      expect(ledger.appointments.map(({ starts_at }) => starts_at.slice(5, 16))).toEqual(['03-05T10:00', '03-06T09:00']);
    },
  );

  it.each(['scheduled', 'booked', 'existing', 'weekly', 'usual'])('is no service of that name: %s', async (word) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(`I want my next ${word} appointment on Friday at 9`);
    expect(ledger.appointments).toMatchObject([{ service: 'cleaning', starts_at: '2026-03-06T09:00:00.000Z' }]);
  });

  it('is booked once its time is known', async () => {
    const ledger = new FakeLedger();
    const chat = new Chat(agent, { toolbox: ledger });
    expect(await chat.say("I'd like my next visit to be on Friday")).toMatch(/At what time\?$/);
    await chat.say('at 3');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-06T15:00:00.000Z' }]);
  });
});
