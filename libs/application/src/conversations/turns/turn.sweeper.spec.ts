import type { DueKey, ReadModels, SchemaStanding } from '@ports/read-models.port';
import { ROUND } from '@testing/envelopes';
import { FakeClock, settle } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import type { FreshRows } from '../../read-models/fresh-rows.js';
import type { TurnOutcomes } from './turn-outcomes.js';
import { TurnSweeper } from './turn.sweeper.js';

const MINUTE = 60_000;

let clock: FakeClock;
interface OpenTurn {
  readonly messageId: string;
  readonly openedAt: number;
  readonly owner?: string;
}

/** Open turns, each of its own conversation, and the open turns after it. */
let open: (OpenTurn & { readonly behind?: readonly OpenTurn[] })[];
let runningHere: Set<string>;
let standing: SchemaStanding;
/** The dead processes, while others live. */
let gone: Set<string> | null;
let areFresh: boolean;
let takenUp: string[];
let answer: Map<string, () => void>;
let sweeper: TurnSweeper;

beforeEach(() => {
  clock = new FakeClock();
  [open, runningHere, areFresh, takenUp, answer] = [[], new Set(), true, [], new Map()];
  gone = null;
  standing = 'same';
  const due = (_name: string, _field: string, upTo: number, limit: number, after?: DueKey) => {
    const from = after ? Number(after.id) + 1 : 0;
    const found = open
      .map((turn, index) => ({ turn, index }))
      .filter(({ turn, index }) => turn.openedAt <= upTo && index >= from);
    return Promise.resolve(
      found.slice(0, limit).map(({ turn, index }) => ({
        id: `${index}`,
        row: { openTurnSince: turn.openedAt, turns: [turn, ...(turn.behind ?? [])] },
      })),
    );
  };
  const outcomes = {
    longAgo: () => clock.now() - 6 * MINUTE,
    abandonedBefore: () => clock.now() + (gone ? -6 : 1) * MINUTE,
    goneOwners: () => Promise.resolve(gone ?? new Set()),
    runsHere: (messageId: string) => runningHere.has(messageId),
    outcome: (_conversationId: string, messageId: string) => {
      takenUp.push(messageId);
      return new Promise<void>((resolve) => answer.set(messageId, resolve));
    },
  };
  const fresh = { caughtUp: () => Promise.resolve(areFresh) };
  sweeper = new TurnSweeper(
    { due, expect: () => Promise.resolve(standing) } as unknown as ReadModels,
    fresh as unknown as FreshRows,
    outcomes as unknown as TurnOutcomes,
    fakeSettings(),
    clock,
  );
});

const left = (count: number, openedAt = clock.now(), name = 'left') =>
  open.push(...Array.from({ length: count }, (_, n) => ({ messageId: `${name} ${n}`, openedAt })));

async function swept(): Promise<number> {
  const before = takenUp.length;
  await sweeper.sweep(...ROUND);
  return takenUp.length - before;
}

async function answered(): Promise<void> {
  open = open.filter(({ messageId }) => !answer.has(messageId));
  for (const tell of answer.values()) tell();
  answer.clear();
  await settle();
}

describe('the sweep of open turns', () => {
  it('takes up sixteen at a time of those that dead processes left, and the others at once after them', async () => {
    left(20);
    expect(await swept()).toBe(16);
    expect(await swept()).toBe(0);
    await answered();
    expect(await swept()).toBe(4);
    expect(new Set(takenUp).size).toBe(20);
  });

  it('looks for them until rows show them for certain', async () => {
    areFresh = false;
    expect(await swept()).toBe(0);
    left(1);
    areFresh = true;
    expect(await swept()).toBe(1);
  });

  it('waits quietly for the process that defines the rows', async () => {
    left(1);
    standing = 'none';
    expect(await swept()).toBe(0);
    standing = 'same';
    expect(await swept()).toBe(1);
  });

  it('leaves what is opened from then on to whoever opened it, until it is too old to be anybody’s', async () => {
    expect(await swept()).toBe(0);
    left(1);
    await clock.advance(6 * MINUTE);
    expect(await swept()).toBe(0);
    await clock.advance(1);
    expect(await swept()).toBe(1);
  });

  it('takes up at any time what a dead process left, and nothing of a living one, where several share an engine', async () => {
    gone = new Set();
    await swept();
    for (const owner of ['dying', 'living']) open.push({ messageId: `of the ${owner}`, openedAt: clock.now(), owner });
    expect(await swept()).toBe(0);
    gone.add('dying');
    await swept();
    expect(takenUp).toEqual(['of the dying']);
  });

  it('takes up those of one conversation one behind the other, and waits for none beyond its window', async () => {
    const openedAt = clock.now();
    open.push({ messageId: 'one', openedAt, behind: ['two', 'three'].map((messageId) => ({ messageId, openedAt })) });
    left(1);
    await swept();
    await settle();
    expect(takenUp).toEqual(['one', 'left 0']);
    answer.get('one')?.();
    await settle();
    expect(takenUp).toEqual(['one', 'left 0', 'two']);
    await swept();
    await clock.advance(fakeSettings().replyWindowMs - 1);
    expect(takenUp).toHaveLength(3);
    await clock.advance(1);
    expect(takenUp).toEqual(['one', 'left 0', 'two', 'three']);
  });

  it('comes back for what rows show of a conversation only when its first turn is under way', async () => {
    const openedAt = clock.now();
    areFresh = false;
    open.push({ messageId: 'one', openedAt });
    await swept();
    areFresh = true;
    open[0] = { messageId: 'one', openedAt, behind: [{ messageId: 'two', openedAt }] };
    await swept();
    expect(takenUp).toEqual(['one']);
    answer.get('one')?.();
    await settle();
    runningHere.add('one');
    await swept();
    expect(takenUp).toEqual(['one', 'two']);
  });

  it('comes back for what stands on a later page, when the first page is all it can do at a time', async () => {
    left(84, clock.now() - 1, 'running');
    runningHere = new Set(open.map(({ messageId }) => messageId));
    left(20);
    expect(await swept()).toBe(16);
    await answered();
    expect(await swept()).toBe(4);
  });

  it('leaves to others what is younger than the first turn of a conversation', async () => {
    await swept();
    left(1);
    await clock.advance(6 * MINUTE + 1);
    open[0] = { ...open[0]!, behind: [{ messageId: 'young', openedAt: clock.now() }] };
    await swept();
    await answered();
    expect(takenUp).toEqual(['left 0']);
  });

  it('leaves no timer behind', async () => {
    left(1);
    await swept();
    await answered();
    expect(clock.pending).toBe(0);
  });

  it('finds what is left behind many that run here', async () => {
    left(250, clock.now() - 1, 'running');
    runningHere = new Set(open.map(({ messageId }) => messageId));
    left(1);
    await swept();
    expect(takenUp).toEqual(['left 0']);
  });
});
