import { SystemClock } from '@adapters/clock.system';
import { type OpenEventStoreDb, openEventStoreDb } from '@engine-cluster/eventstoredb/open-eventstoredb';
import type { EventStoreUnderTest } from '@ports/contracts/event-store.contract';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineProcess } from '../../../tools/engines/engine-process.mjs';
import { startEventStoreDb } from '../../../tools/engines/eventstoredb/eventstoredb.mjs';

/** A double of EventStoreDB on a directory of its own, which is gone with it. */
export async function eventStoreDouble(off: readonly string[] = []): Promise<{ process: EngineProcess; end(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'eventstoredb-'));
  const process = await startEventStoreDb({ directory, off });
  return {
    process,
    async end() {
      await process.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A prefix that nobody else has on a shared server. */
const freshPrefix = (): string => `t${randomUUID().slice(0, 8)}-`;

/** Stores over one log, each as in a process of its own. */
export async function storesOver(eventStoreUrl: string, prefix = freshPrefix()): Promise<EventStoreUnderTest> {
  const opened: OpenEventStoreDb[] = [];
  const open = async () => {
    const one = await openEventStoreDb({ eventStoreUrl, prefix }, new SystemClock());
    opened.push(one);
    return one.store;
  };
  const close = async () => {
    for (const one of opened.splice(0)) await one.close();
  };
  return {
    store: await open(),
    another: open,
    restart: async () => {
      await close();
      return open();
    },
    close,
  };
}
