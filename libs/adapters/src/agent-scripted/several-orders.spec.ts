import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';
import { appointmentIntent } from './intent.js';
import { ordersIn } from './several-orders.js';

const agent = new ScriptedAgent(new MdastPlainText());

function orders(text: string): string[] {
  const { first, further } = ordersIn(text, appointmentIntent(text));
  return [first, ...further].map((order) => order.text);
}

describe('the orders of a message', () => {
  it.each([
    ['cancel my haircut and book a facial on friday at 3pm', ['cancel my haircut', 'book a facial on friday at 3pm']],
    ['cancel my haircut. move my massage to friday', ['cancel my haircut', 'move my massage to friday']],
    ['cancel my haircut on tuesday and my massage', ['cancel my haircut on tuesday', 'cancel my massage']],
    [
      'move my cut to 9am, then my facial to 10 and cancel the massage',
      ['move my cut to 9am', 'move my facial to 10', 'cancel the massage'],
    ],
    ['book monday 9am. book tuesday 9am, book friday at 10', ['book monday 9am', 'book tuesday 9am', 'book friday at 10']],
    [
      'book the slot on friday at 9, book the slot on monday at 9',
      ['book the slot on friday at 9', 'book the slot on monday at 9'],
    ],
    ['book friday at 9 and book it again on monday at 9', ['book friday at 9', 'book it again on monday at 9']],
    ['book a cut on friday at 9 and book a facial at 10', ['book a cut on friday at 9', 'book a facial at 10']],
    ['book a cut on friday at 9 and confirm my massage', ['book a cut on friday at 9', 'confirm my massage']],
  ])('%j are several', (text, several) => {
    expect(orders(text)).toEqual(several);
  });

  it.each([
    'book a haircut tomorrow at 10 and confirm it',
    'book and confirm a massage for friday at 9',
    'book a cut and color tomorrow at 10',
    "i can't make it on tuesday and want to move my appointment to friday",
    'move my haircut and my massage to friday',
    'i booked an appointment on friday and want to move it to monday',
    'cancel my haircut and my newspaper subscription',
    'when is my appointment and can i cancel it?',
    'cancel it, cancel it now!',
    'book a cut on monday at 9, book it now!',
    'book monday at 9, or if that is taken, book tuesday at 9',
    'book monday at 9, no wait, book tuesday at 9',
    'book monday at 9, book tuesday at 9 instead',
    'book monday at 9. then on second thought book tuesday at 9',
    'book a cut on friday. book it at 10am',
    'book at 10am, then book me in for friday',
    'book a cut for friday at 10am. please book the appointment for friday at 10am',
    'book tomorrow at 10am, then book it for 10:00',
    'cancel my facial. actually no, move it to friday at 10',
    'cancel my facial, oh wait, i changed my mind, move it to friday',
  ])('%j is one', (text) => {
    expect(orders(text)).toEqual([text]);
  });
});

describe('a message with several orders', () => {
  let ledger: FakeLedger;
  let chat: Chat;
  const standing = () => ledger.appointments.map(({ service, status, starts_at }) => [service, status, starts_at.slice(5, 16)]);

  beforeEach(() => {
    ledger = new FakeLedger();
    ledger.add('haircut', '2026-03-03T10:00:00Z');
    ledger.add('facial', '2026-03-06T15:00:00Z');
    chat = new Chat(agent, { toolbox: ledger });
  });

  it('has each of them carried out, and the times of one name none of another', async () => {
    const said = await chat.say('cancel my haircut and book a massage on friday at 3pm');
    expect(said).toMatch(/haircut.* is cancelled\. Done: \*\*massage.* is booked\. Shall I confirm it\?$/);
    expect(standing()).toEqual([
      ['haircut', 'cancelled', '03-03T10:00'],
      ['facial', 'pending', '03-06T15:00'],
      ['massage', 'pending', '03-06T15:00'],
    ]);
  });

  it('that are bookings has all of them made', async () => {
    const said = await chat.say('book a massage on friday at 3pm, then book a cut on thursday at 9 and confirm it');
    expect(said).toMatch(/massage.* is booked\. .*cut.* is booked and confirmed\./);
    expect(standing().slice(2)).toEqual([
      ['massage', 'pending', '03-06T15:00'],
      ['cut', 'confirmed', '03-05T09:00'],
    ]);
  });

  it('that name the day and the time of one booking has that one made', async () => {
    await chat.say('Book a massage on Friday. Book it at 10am.');
    expect(standing().slice(2)).toEqual([['massage', 'pending', '03-06T10:00']]);
  });

  it('is told what to write again after a question', async () => {
    const said = await chat.say('move my haircut and cancel the facial');
    expect(said).toMatch(/please write “cancel the facial” again\. Which day and time would suit you\?$/);
    await chat.say('thursday at 9');
    expect(standing()).toEqual([
      ['haircut', 'rescheduled', '03-05T09:00'],
      ['facial', 'pending', '03-06T15:00'],
    ]);
  });

  it('has done what can be done before what needs a question', async () => {
    const said = await chat.say('cancel my haircut and book a massage');
    expect(said).toMatch(/haircut.* is cancelled\. One thing at a time: .*“book a massage” again\. Is there anything else/);
    expect(standing()).toContainEqual(['haircut', 'cancelled', '03-03T10:00']);
  });

  it('that takes back its first order has the second carried out alone', async () => {
    await chat.say('cancel my haircut. Actually no, move it to thursday at 10');
    expect(standing()).toEqual([
      ['haircut', 'rescheduled', '03-05T10:00'],
      ['facial', 'pending', '03-06T15:00'],
    ]);
  });

  it('can have all confirmed', async () => {
    expect(await chat.say('please confirm my appointments')).toContain('Which one do you mean?');
    expect(await chat.say('both')).toContain('All 2 upcoming appointments are confirmed.');
    expect(standing()).toEqual([
      ['haircut', 'confirmed', '03-03T10:00'],
      ['facial', 'confirmed', '03-06T15:00'],
    ]);
  });
});
