import { FakeClock, settle } from '@testing/fake-clock';
import { type Member, SupervisedConsumer } from './supervised-consumer.js';
import type { OffsetReader } from './offset-reader.js';
import { UnfinishedCalls } from './unfinished-calls.js';

class FakeMember implements Member {
  readonly asked: string[] = [];
  readonly owns = [];
  readonly fetchedAt = 0;
  end: (why: string) => void = () => undefined;
  readonly ended = new Promise<string>((resolve) => (this.end = resolve));

  leave(): Promise<void> {
    this.asked.push('leave');
    this.end('left');
    return Promise.resolve();
  }

  drop(why: string): Promise<void> {
    this.asked.push(`drop: ${why}`);
    this.end(why);
    return Promise.resolve();
  }
}

function supervised(join?: () => Promise<Member>) {
  const pace = new FakeClock();
  const [members, reasons, joinedAt]: [FakeMember[], string[], number[]] = [[], [], []];
  const unfinished = new UnfinishedCalls();
  const start = pace.elapsed();
  const consumer = new SupervisedConsumer({
    topics: new Map(),
    offsets: {} as OffsetReader,
    join() {
      joinedAt.push(pace.elapsed() - start);
      if (join) return join();
      members.push(new FakeMember());
      return Promise.resolve(members.at(-1) as FakeMember);
    },
    pace,
    unfinished,
    ended: (why) => void reasons.push(why),
  });
  return { consumer, pace, members, reasons, joinedAt, unfinished };
}

describe('a supervised consumer', () => {
  it('joins again half a second after its member ended', async () => {
    const { pace, members, reasons, joinedAt } = supervised();
    await pace.advance(60_000);
    members[0]?.end('crashed');
    await pace.advance(60_000);
    expect(joinedAt).toEqual([0, 60_500]);
    expect(reasons).toEqual(['crashed']);
    expect(members[0]?.asked).toEqual(['drop: ended']);
  });

  it('waits twice as long each time, up to five seconds, while nobody can join', async () => {
    const { pace, reasons, joinedAt } = supervised(() => Promise.reject(new TypeError('no broker')));
    await pace.advance(20_000);
    expect(joinedAt).toEqual([0, 500, 1_500, 3_500, 7_500, 12_500, 17_500]);
    expect(new Set(reasons)).toEqual(new Set(['TypeError: no broker']));
  });

  it('gives its member up for another one when it is told to', async () => {
    const { consumer, pace, members } = supervised();
    await pace.advance(0);
    consumer.replace('stalled');
    await pace.advance(500);
    expect(members[0]?.asked[0]).toBe('drop: stalled');
    expect(consumer.member).toBe(members[1]);
  });

  it('closes when its member has left and everything accepted is done, that of earlier members included', async () => {
    const { consumer, pace, members, unfinished, joinedAt } = supervised();
    let finish = (): void => undefined;
    unfinished.add(new Promise<void>((resolve) => (finish = resolve)));
    await pace.advance(0);
    let isClosed = false;
    const closing = consumer.close().then(() => (isClosed = true));
    await settle();
    expect([members[0]?.asked[0], isClosed]).toEqual(['leave', false]);
    finish();
    await closing;
    await pace.advance(60_000);
    expect([joinedAt, pace.pending]).toEqual([[0], 0]);
  });

  it('that is closed while it joins lets its new member go', async () => {
    const member = new FakeMember();
    let joined = (): void => undefined;
    const { consumer } = supervised(() => new Promise((resolve) => (joined = () => resolve(member))));
    await settle();
    await consumer.close();
    joined();
    await settle();
    expect(member.asked[0]).toBe('drop: closed');
  });
});
