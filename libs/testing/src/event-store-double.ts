import { SystemClock } from '@adapters/clock.system';
import { type OpenEventStoreDb, openEventStoreDb } from '@engine-cluster/eventstoredb/open-eventstoredb';
import type { EventStoreUnderTest } from '@ports/contracts/event-store.contract';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineProcess } from '../../../tools/engines/engine-process.mjs';
import { startEventStoreDb } from '../../../tools/engines/eventstoredb/eventstoredb.mjs';
import type { Limits } from '../../../tools/engines/eventstoredb/limits.mjs';

/** What a double of EventStoreDB does wrong with a call, once, `times`, or with `every` nth call for ever. */
export interface Misbehaviour {
  readonly call: 'append' | 'read' | 'readAll' | 'readStream';
  readonly kind: string;
  readonly times?: number;
  readonly every?: number;
  readonly [detail: string]: unknown;
}

/** `silent` answers nothing; `gone` ends its connections and refuses new ones. */
export type NodeState = 'leader' | 'follower' | 'unknown' | 'catching up' | 'silent' | 'gone';

export interface CallCounts {
  readonly append: number;
  readonly batchAppend: number;
  readonly readAll: number;
  readonly readStream: number;
  readonly subscribe: number;
  readonly features: number;
  readonly sent: number;
}

const JOURNAL = 'log.jsonl';

/** A double of EventStoreDB on a directory of its own, which is gone with it. */
export class EventStoreDouble {
  private constructor(
    readonly process: EngineProcess,
    private readonly directory: string,
  ) {}

  /** `off`: the behaviours that it lacks. `limits`: those of servers up to 24 when absent. */
  static async start(off: readonly string[] = [], more: { nodes?: number; limits?: Limits } = {}): Promise<EventStoreDouble> {
    const directory = mkdtempSync(join(tmpdir(), 'eventstoredb-'));
    return new EventStoreDouble(await startEventStoreDb({ directory, off, ...more }), directory);
  }

  /** Several nodes with one log, of which the first leads. */
  static cluster(nodes = 3): Promise<EventStoreDouble> {
    return EventStoreDouble.start([], { nodes });
  }

  get url(): string {
    return this.process.url;
  }

  async misbehave(plan: Misbehaviour): Promise<void> {
    await this.process.ask('misbehave', plan);
  }

  async behave(): Promise<void> {
    await this.process.ask('behave');
  }

  /** Gives each node a state, in the order of the addresses. */
  async nodes(...states: readonly NodeState[]): Promise<void> {
    await this.process.ask('nodes', states);
  }

  async calls(): Promise<CallCounts> {
    return (await this.process.ask('calls')) as CallCounts;
  }

  /** A copy of what it has stored. */
  copy(): Buffer {
    return readFileSync(join(this.directory, JOURNAL));
  }

  /** It is stopped, and started on what was stored before: a copy of its own, or that of another. */
  async restore(copy: Buffer): Promise<void> {
    await this.process.kill();
    writeFileSync(join(this.directory, JOURNAL), copy);
    await this.process.restart();
  }

  async end(): Promise<void> {
    await this.process.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
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
