import { ConsumerHealth, type SeenPartition } from './consumer-health.js';

const STALLED_AFTER_MS = 60_000;
const partition = (position: bigint, isWaiting = false): SeenPartition => ({ key: 't/0', position, end: 10n, isWaiting });

/** Looks every five seconds; returns the seconds at which the consumer was stalled. */
function stalledAfter(seconds: number, seen: (second: number) => Parameters<ConsumerHealth['look']>[1]): number | undefined {
  const health = new ConsumerHealth(STALLED_AFTER_MS, 0);
  for (let second = 5; second <= seconds; second += 5) {
    health.look(second * 1000, seen(second));
    if (health.isStalled(second * 1000)) return second;
  }
  return undefined;
}

describe('a consumer', () => {
  it('is stalled a minute after its last fetch', () =>
    expect(stalledAfter(300, (second) => ({ fetchedAt: Math.min(second, 30) * 1000, partitions: [] }))).toBe(90));

  it('is stalled a minute after it should have joined', () => expect(stalledAfter(300, () => ({ partitions: [] }))).toBe(60));

  it('is stalled when a message that is due is not offered for a minute', () =>
    expect(stalledAfter(300, (second) => ({ fetchedAt: second * 1000, partitions: [partition(7n, second < 20)] }))).toBe(80));

  it.each<[string, (second: number) => readonly SeenPartition[]]>([
    ['goes on, however slowly', (second) => [partition(BigInt(Math.floor(second / 50)))]],
    ['has offered everything', () => [partition(10n)]],
    ['is held, or has no room', () => [partition(7n, true)]],
    ['was given to another member', (second) => (second % 50 === 0 ? [] : [partition(7n)])],
  ])('is not stalled while its partition %s', (_, partitions) =>
    expect(stalledAfter(300, (second) => ({ fetchedAt: second * 1000, partitions: partitions(second) }))).toBe(undefined),
  );

  it('is not stalled while the brokers are absent, nor within a minute of their return', () =>
    expect(stalledAfter(600, (second) => (second <= 400 ? null : { fetchedAt: 0, partitions: [partition(7n)] }))).toBe(460));

  it('is stalled by a message that ends each member as soon as it has joined', () =>
    expect(
      stalledAfter(300, (second) => (second % 15 === 0 ? { fetchedAt: second * 1000, partitions: [partition(7n)] } : {})),
    ).toBe(75));

  it('is stalled where none of its members can fetch', () => expect(stalledAfter(300, () => ({}))).toBe(60));

  describe('that is stalled', () => {
    const stalled = (position: (second: number) => bigint) => {
      const health = new ConsumerHealth(STALLED_AFTER_MS, 0);
      const replacements: (readonly [number, boolean])[] = [];
      for (let second = 0; second <= 240; second += 5) {
        health.look(second * 1000, { fetchedAt: second * 1000, partitions: [partition(position(second))] });
        if (health.isReplacementDue(second * 1000)) replacements.push([second, health.replaced(second * 1000)]);
      }
      return replacements;
    };

    it('gets another member at once and after each further minute, which tell that the one before did no better', () =>
      expect(stalled(() => 7n)).toEqual([
        [60, false],
        [120, true],
        [180, true],
        [240, true],
      ]));

    it('is as any other again once its member gets on', () =>
      expect(stalled((second) => (second < 100 ? 7n : 8n))).toEqual([
        [60, false],
        [160, false],
        [220, true],
      ]));
  });
});
