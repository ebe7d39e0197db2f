import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Chat } from '@testing/chat';
import { FakeLedger, type FakeAppointment } from '@testing/fake-ledger';
import { ScriptedAgent } from './agent.scripted.js';

interface Sentence {
  readonly said: readonly string[];
  readonly zone: string;
  readonly at: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly names: readonly string[];
  readonly marks: readonly string[];
}

const FOLDER = join(__dirname, '../sentences');
const agent = new ScriptedAgent();

function listOf(cell: string | undefined, separator: string): readonly string[] {
  return cell === undefined || cell === '-' ? [] : cell.split(separator).map((each) => each.trim());
}

/** Rows are `messages | before | after | reply | marks`; a line with `@` sets place and time of the following ones. */
function sentencesOf(file: string): readonly Sentence[] {
  let [zone, at] = ['UTC', 0];
  return readFileSync(join(FOLDER, file), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [place, time] = line.startsWith('@ ') ? line.slice(2).split(' ') : [];
      if (place !== undefined && time !== undefined) [zone, at] = [place, Date.parse(time)];
      if (line === '' || line.startsWith('@') || line.startsWith('#')) return [];
      const [said, ledger, then, names, marks] = line.split(' | ');
      const before = listOf(ledger, ', ');
      const after = then === '=' ? before : listOf(then, ', ');
      return [{ said: listOf(said, ' // '), zone, at, before, after, names: listOf(names, ' ; '), marks: listOf(marks, ' ; ') }];
    });
}

function ledgerOf({ before, zone }: Sentence): FakeLedger {
  const ledger = new FakeLedger(zone);
  for (const each of before) {
    const [, service = '', time = '', status = 'pending'] = /^(.+?) (\d{4}-\d\d-\d\dT\d\d:\d\d)(?: (\w+))?$/.exec(each) ?? [];
    ledger.add(service, `${time}Z`, status);
  }
  return ledger;
}

/** "haircut 2026-03-03T10:00", with status unless pending, and minutes unless thirty. */
function brief({ service, starts_at, ends_at, status }: FakeAppointment): string {
  const minutes = (Date.parse(ends_at) - Date.parse(starts_at)) / 60_000;
  return [service, starts_at.slice(0, 16), ...(status === 'pending' ? [] : [status]), ...(minutes === 30 ? [] : [minutes])].join(
    ' ',
  );
}

const ACTED = 'acted before';
const tables = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.txt'))
  .map((file) => [file.replace('.txt', ''), sentencesOf(file)] as const);

describe.each(tables)('the scripted agent is told of %s', (_name, sentences) => {
  it.each(sentences.map((sentence) => [sentence.said.join(' // '), sentence] as const))('%s', async (_said, sentence) => {
    const ledger = ledgerOf(sentence);
    const chat = new Chat(agent, { toolbox: ledger, timeZone: sentence.zone }, sentence.at);
    const actions: string[] = [];
    let last = '';
    for (const message of sentence.said) {
      const changes = ledger.changes;
      const reply = await chat.reply(message);
      expect(ledger.changes - changes).toBeLessThanOrEqual(1);
      actions.push(...reply.actions.map(({ type }) => type));
      last = reply.content;
    }
    expect(ledger.appointments.map(brief)).toEqual(sentence.after);
    for (const name of sentence.names) expect(last).toContain(name);
    expect(actions).toEqual(sentence.marks.filter((mark) => !mark.startsWith(ACTED)));
  });
});

describe('the sentences that the agent before this one rightly acted on', () => {
  const marks = tables
    .flatMap(([, sentences]) => sentences.flatMap((sentence) => sentence.marks))
    .filter((mark) => mark.startsWith(ACTED));

  it('are acted on still, at least four in five', () => {
    const acting = marks.filter((mark) => mark === ACTED).length;
    const lost = marks.filter((mark) => mark === `${ACTED}, asks: not read`).length;
    expect(acting).toBeGreaterThan(100);
    expect(acting / (acting + lost)).toBeGreaterThanOrEqual(0.8);
  });
});

it('the agent asks the runtime for no zone that it was asked before', async () => {
  const asked = async () =>
    new Chat(agent, { toolbox: new FakeLedger(), timeZone: 'Asia/Tokyo' }).say('book a shave tomorrow at 10am');
  await asked();
  const made = jest.spyOn(Intl, 'DateTimeFormat');
  expect(await asked()).toContain('Asia/Tokyo');
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});
