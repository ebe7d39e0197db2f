import { agentTurn } from '@testing/agent-turn';
import { FakeLedger } from '@testing/fake-ledger';
import { IANAZone } from 'luxon';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';
import { spelledOnce } from './zone-spelling.js';

describe('a time zone', () => {
  it('is spelled once for luxon, however clients spell it', () => {
    expect(['Asia/Kolkata', 'asia/kolkata', 'ASIA/Kolkata'].map(spelledOnce)).toEqual(Array(3).fill('Asia/Kolkata'));
  });

  it('is left alone when it is none, or no name', () => {
    expect(['UTC+3', 'Atlantis/City'].map(spelledOnce)).toEqual(['UTC+3', 'Atlantis/City']);
  });

  it('leaves nothing behind for a new spelling, and is shown as it was spelled', async () => {
    const create = jest.spyOn(IANAZone, 'create');
    const booked = async (timeZone: string) => {
      const turn = agentTurn({ content: 'book a haircut tomorrow from 10am to 11:30am', timeZone });
      const toolbox = new FakeLedger(timeZone);
      return (await new ScriptedAgent(new MdastPlainText()).reply({ ...turn, toolbox }, new AbortController().signal)).content;
    };
    expect(await booked('America/Lima')).toContain('10:00** (America/Lima)');
    create.mockClear();
    expect(await booked('AMERICA/lima')).toContain('10:00** (AMERICA/lima)');
    expect(create.mock.calls.flat()).not.toContain('AMERICA/lima');
    create.mockRestore();
  });
});
