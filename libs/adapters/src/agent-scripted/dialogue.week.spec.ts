import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

describe('a weekday of the week that was named before', () => {
  it.each([
    [['Book me in for next week', 'Tuesday at 10'], '03-10T10:00'],
    [['I need an appointment next week', 'Friday', 'at 9'], '03-13T09:00'],
    [['I need an appointment next week', 'this Friday at 9'], '03-06T09:00'],
    [['I need an appointment next week', '12 March at 9'], '03-12T09:00'],
    [["I need an appointment, I can't next week", 'Friday at 9'], '03-06T09:00'],
    [['I need an appointment, preferably next week', 'Friday at 9'], '03-13T09:00'],
    [['Is anything free next week? Book me in', 'Friday at 9'], '03-13T09:00'],
    [['I need my teeth cleaned next week, book me in please', 'Friday at 9'], '03-13T09:00'],
    [['Book a massage for me and my wife next week', 'Friday at 9'], '03-13T09:00'],
    [['Book me in for next week', 'Friday this week at 9'], '03-06T09:00'],
    [['Book me in for next week', "I'd rather come sooner, Friday at 9"], '03-06T09:00'],
    [['Book me in before next week', 'Friday at 9'], '03-06T09:00'],
    [['The wedding is next week, I need a haircut appointment', 'Friday at 9'], '03-06T09:00'],
    [['Book a haircut, I fly to Rome next week', 'Friday at 9'], '03-06T09:00'],
    [['I need a haircut appointment before my wedding next week', 'Friday at 9'], '03-06T09:00'],
    [['My next week is full, book a massage', 'Friday at 9'], '03-06T09:00'],
    [['Book a massage this week or next week', 'Friday at 9'], '03-06T09:00'],
  ])('is booked: %j', async (said, start) => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger }).say(...said);
    expect(ledger.appointments.map(({ starts_at }) => starts_at.slice(5, 16))).toEqual([start]);
  });

  it.each([
    [['postpone it to next week', 'Tuesday'], '03-10T10:00'],
    [['can we do next week instead?', 'Friday at 9'], '03-13T09:00'],
    [["I'm away next week, please reschedule", 'Friday'], '03-06T10:00'],
    [['I need to reschedule', 'next week please', 'Tuesday'], '03-10T10:00'],
    [['can we make it next week?', 'Tuesday'], '03-10T10:00'],
    [['move it to sometime next week', 'Tuesday'], '03-10T10:00'],
    [["I'd like my next cleaning visit to be next week", 'Tuesday'], '03-10T10:00'],
    [['move it to next week', 'Friday this week'], '03-06T10:00'],
  ])('is what an appointment is moved to: %j', async (said, start) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(...said);
    expect(ledger.appointments.map(({ starts_at }) => starts_at.slice(5, 16))).toEqual([start]);
  });
});
