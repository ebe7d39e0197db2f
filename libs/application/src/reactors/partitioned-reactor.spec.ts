import { Logger } from '@nestjs/common';
import { settle } from '@testing/fake-clock';
import { NotesWorld } from '@testing/notes-world';
import type { Recorded } from '@ports/event-store.port';
import type { Reactor } from '../runtime/reactor.js';

const note = { type: 'NoteWritten', at: 1, projectId: 'prj_1', text: 'x' } as const;
const diary = { name: 'diary', categories: ['note'], partitionKey: ({ stream }: Recorded): string | null => stream };

let world: NotesWorld;
let warnings: string[];
/** Ends what the test left running. */
let finish: () => void;

beforeEach(() => {
  warnings = [];
  finish = () => undefined;
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((message: string) => void warnings.push(message));
});
afterEach(async () => {
  world.shutdown.begin();
  finish();
  await world.close();
  jest.restoreAllMocks();
});

const unfinished = () =>
  new Promise<void>((resolve) => {
    const others = finish;
    finish = () => {
      others();
      resolve();
    };
  });

async function following(reactor: Partial<Reactor>, ...ids: readonly string[]): Promise<void> {
  const whole = { ...diary, handle: () => Promise.resolve(), ...reactor };
  world = await NotesWorld.open({ reactors: [whole] });
  for (const id of ids) await world.append(id, note);
  await world.host.onApplicationBootstrap();
}

async function steps(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await world.clock.advance(100);
}

describe('a reactor with partitions', () => {
  it.each(['cus_other', 'cus_nobodys'])(
    'waits ever longer while one partition fails, though %s has something to do',
    async (id) => {
      const triedAt: number[] = [];
      const handle = async ([first]: readonly Recorded[]) => {
        if (first?.stream !== 'note-cus_stuck') return;
        triedAt.push(world.clock.now());
        throw new Error('database disk image is malformed');
      };
      const partitionKey = ({ stream }: Recorded) => (stream === 'note-cus_nobodys' ? null : stream);
      await following({ partitionKey, handle }, 'cus_stuck', id);
      await steps(60);
      const pauses = triedAt.slice(1, 6).map((at, index) => at - (triedAt[index] ?? 0));
      expect(pauses).toEqual([100, 200, 400, 800, 1_600]);
      expect(await world.ports.events.read('reactor-diary')).toEqual([]);
      expect(warnings).toHaveLength(1);
    },
  );

  it('begins again when nothing is under way any more, and tells the log why', async () => {
    let slow = 0;
    const handle = async ([first]: readonly Recorded[]) => {
      if (first?.stream === 'note-cus_bad') throw new Error('out of reach');
      slow++;
      await unfinished();
    };
    await following({ handle }, 'cus_slow', 'cus_bad');
    await steps(10);
    expect(slow).toBe(1);
    finish();
    await steps(3);
    expect(warnings).toContainEqual(expect.stringContaining('out of reach'));
  });

  it('tells how much it has read and not handled', async () => {
    await following({ handle: unfinished }, 'cus_1');
    await world.append('cus_2', note);
    await world.append('cus_1', { type: 'NoteAmended', at: 1, text: 'y' });
    await steps(1);
    expect(world.effects.waiting()).toEqual({ diary: 3 });
  });

  it('notes its place also when a thousand events were nobody’s business', async () => {
    await following({ partitionKey: () => null });
    await world.append('cus_1', note, ...Array.from({ length: 999 }, () => ({ type: 'NoteAmended', at: 1, text: 'y' }) as const));
    for (let turn = 0; turn < 100; turn++) await settle();
    expect(await world.ports.events.read('reactor-diary')).toHaveLength(1);
  });

  it('lets what takes long know that the end has begun', async () => {
    const signals: AbortSignal[] = [];
    const handle = (_: readonly Recorded[], signal: AbortSignal) => {
      signals.push(signal);
      return unfinished();
    };
    await following({ handle }, 'cus_1');
    while (signals.length === 0) await settle();
    world.shutdown.begin();
    expect(signals[0]?.aborted).toBe(true);
  });
});
