import { FakeClock, settle } from '@testing/fake-clock';
import type { OffsetReader } from './offset-reader.js';
import { OffsetWriter } from './offset-writer.js';
import { PartitionState } from './partition-state.js';

const TOPIC = 'topic';

/** Two partitions read from offset 10 on, and a group whose offsets are `stored`. */
function group() {
  const partitions = [0, 1].map((number) => new PartitionState(TOPIC, number, new FakeClock()));
  for (const { progress } of partitions) progress.reads(10n);
  const [commits, stored]: [unknown[], Map<number, bigint | null>] = [[], new Map()];
  let failure: Error | undefined;
  const consumer = {
    commitOffsets: (marks: unknown) => (failure ? Promise.reject(failure) : Promise.resolve(void commits.push(marks))),
  };
  const writer = new OffsetWriter(consumer, { of: () => Promise.resolve(stored) } as unknown as OffsetReader, () => partitions);
  return { partitions, commits, stored, writer, fail: (error: Error | undefined) => (failure = error) };
}

const mark = (partition: number, offset: string) => ({ topic: TOPIC, partition, offset });

describe('the offsets of a group', () => {
  it('are stored up to what is done, where that has changed, and from where reading began', async () => {
    const { partitions, commits, writer } = group();
    await writer.store();
    partitions[0]?.progress.take(10n, Promise.resolve());
    partitions[0]?.progress.take(11n, new Promise(() => undefined));
    await settle();
    expect(writer.isDue).toBe(true);
    await writer.store();
    expect(writer.isDue).toBe(false);
    await writer.store();
    expect(commits).toEqual([[mark(0, '10'), mark(1, '10')], [mark(0, '11')]]);
  });

  it('are due again when storing them failed', async () => {
    const { commits, writer, fail } = group();
    fail(new Error('rebalancing'));
    await expect(writer.store()).rejects.toThrow('rebalancing');
    expect(writer.isDue).toBe(true);
    fail(undefined);
    await writer.store();
    expect(commits).toEqual([[mark(0, '10'), mark(1, '10')]]);
  });

  it.each<[string, readonly [number, bigint | null][], readonly string[]]>([
    [
      'are there',
      [
        [0, 10n],
        [1, 10n],
      ],
      [],
    ],
    [
      'were moved by another member',
      [
        [0, 7n],
        [1, 70n],
      ],
      [],
    ],
    [
      'are gone from one partition',
      [
        [0, 10n],
        [1, null],
      ],
      [TOPIC],
    ],
    ['were not asked for, in a partition that the driver does not know of yet', [[0, 10n]], []],
  ])('show a topic as lost where they %s: %j', async (_, found, lost) => {
    const { stored, writer } = group();
    await writer.store();
    for (const [partition, offset] of found) stored.set(partition, offset);
    expect(await writer.lostTopics()).toEqual(lost);
  });

  it('show nothing before they were stored', async () => {
    const { stored, writer } = group();
    for (const partition of [0, 1]) stored.set(partition, null);
    expect(await writer.lostTopics()).toEqual([]);
  });
});
