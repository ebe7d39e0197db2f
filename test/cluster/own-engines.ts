import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineProcess } from '../../tools/engines/engine-process.mjs';
import { startEventStoreDb } from '../../tools/engines/eventstoredb/eventstoredb.mjs';
import { startKafka } from '../../tools/engines/kafka/kafka.mjs';
import { startMongoDb } from '../../tools/engines/mongodb/mongodb.mjs';
import type { Servers } from '../e2e/harness/installation.js';

/** Three servers that a spec may kill and restart. */
export class OwnEngines {
  private constructor(
    private readonly folder: string,
    readonly eventStoreDb: EngineProcess,
    readonly kafka: EngineProcess,
    readonly mongoDb: EngineProcess,
  ) {}

  /**
   * @param nodes of EventStoreDB, the first of which leads
   * @param log of EventStoreDB, a file that it begins with
   */
  static async start({ nodes = 1, log }: { readonly nodes?: number; readonly log?: string } = {}): Promise<OwnEngines> {
    const folder = mkdtempSync(join(tmpdir(), 'own-engines-'));
    if (log !== undefined) cpSync(log, join(folder, 'eventstoredb', 'log.jsonl'));
    const [eventStoreDb, kafka, mongoDb] = await Promise.all([
      startEventStoreDb({ directory: join(folder, 'eventstoredb'), nodes }),
      startKafka({ directory: join(folder, 'kafka') }),
      startMongoDb({ directory: join(folder, 'mongodb') }),
    ]);
    return new OwnEngines(folder, eventStoreDb, kafka, mongoDb);
  }

  get servers(): Servers {
    return { EVENTSTORE_URL: this.eventStoreDb.url, KAFKA_BROKERS: this.kafka.url, MONGODB_URL: this.mongoDb.url };
  }

  async dispose(): Promise<void> {
    await Promise.all([this.eventStoreDb, this.kafka, this.mongoDb].map((engine) => engine.kill()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
