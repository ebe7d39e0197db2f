import { eventStoreInstanceCases } from '@ports/contracts/event-store-instances.contract';
import { expiringRecordsInstanceCases } from '@ports/contracts/expiring-records-instances.contract';
import type { InstanceCases } from '@ports/contracts/instance-cases';
import { messageBusInstanceCases } from '@ports/contracts/message-bus-instances.contract';
import { readModelsInstanceCases } from '@ports/contracts/read-models-instances.contract';
import { FakeClock } from '@testing/fake-clock';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedAdapters, type EmbeddedPorts, adaptersOver, openEmbeddedEngine } from './open-embedded-engine.js';

const PATIENCE_MS = 100;

/** Adapters whose caches never learn of others' writes. */
const deaf = ({ store }: EmbeddedPorts): EmbeddedAdapters =>
  adaptersOver({ ...store, logNotices: new EventEmitter(), rowNotices: new EventEmitter() });

/** The writer decides all other cases: only adapters with stores of their own would fail them. */
const FAILED_BY_THE_DEAF: readonly string[] = [
  'reads what another has appended, also to a stream that it found empty or read to its end',
  'is woken when another extends the stream it waits for',
  'does not wait for what another has appended already',
  'knows how far another has brought a category, whatever else that appends',
  "hands out another's events to its subscribers, in the order of the log",
  'has the rows that another applied, once it was told that they are there',
  'is told when what it waits for is applied by another',
  'reads the rebuilt rows once another has switched to them, and never rows of both',
  "knows of another's rebuild from when it was begun until it has ended",
  "ends another's rebuild by beginning one of its own",
  'reads what it expects as soon as another has defined that',
];

describe('a contract between two instances', () => {
  const clock = new FakeClock();
  const directories: string[] = [];
  let ports: EmbeddedPorts;
  let apart: EmbeddedPorts;

  const open = () => {
    const directory = mkdtempSync(join(tmpdir(), 'stale-'));
    directories.push(directory);
    return openEmbeddedEngine(directory, clock);
  };
  beforeAll(async () => {
    [ports, apart] = [await open(), await open()];
  });
  afterAll(async () => {
    for (const { engine } of [ports, apart]) await engine.close();
    for (const directory of directories) rmSync(directory, { recursive: true });
  });

  const stale = (sentence: string) => (FAILED_BY_THE_DEAF.includes(sentence) ? deaf(ports) : apart);

  function isFailed<Pair>(cases: InstanceCases<Pair>, pairOf: (one: EmbeddedAdapters, other: EmbeddedAdapters) => Pair): void {
    it.each(Object.entries(cases))('is not kept by one with a stale cache: %s', async (sentence, holds) => {
      await expect(holds(pairOf(ports, stale(sentence)))).rejects.toThrow();
    });
  }

  const patienceMs = PATIENCE_MS;
  isFailed(eventStoreInstanceCases, (one, other) => ({ one: one.events, other: other.events, patienceMs }));
  isFailed(expiringRecordsInstanceCases, (one, other) => ({ one: one.records, other: other.records, clock }));
  isFailed(readModelsInstanceCases, (one, other) => ({ one: one.readModels, other: other.readModels, clock, patienceMs }));
  isFailed(messageBusInstanceCases, (one, other) => ({ one: one.bus, other: other.bus, patienceMs }));

  it('names cases that there are', () => {
    const all = [eventStoreInstanceCases, readModelsInstanceCases].flatMap((cases) => Object.keys(cases));
    expect(all).toEqual(expect.arrayContaining([...FAILED_BY_THE_DEAF]));
  });
});
