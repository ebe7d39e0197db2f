import { memberColumnsOf } from '@application/projections/columns/columns-of';
import type { Projection } from '@application/read-models/projection';
import type { Clock } from '@ports/clock.port';
import { EngineInUse, EngineNotOpened, EVER } from '@ports/engine.port';
import { START } from '@ports/event-store.port';
import type { ReadModels } from '@ports/read-models.port';
import { type FolderPorts, openFolder } from './folder.module.js';
import { type EventLog, logName } from '../log/event-log.js';
import { WrongWords } from '../wrong-words.js';

const LOG = 'workbench log';

/** The rows that the workbench has folded, on this machine. Belongs to one log. */
export class WorkbenchFolder {
  private readonly defined = new Map<string, Projection>();

  private constructor(
    private readonly directory: string,
    private readonly ports: FolderPorts,
  ) {}

  /** Rejects with `WrongWords` where the folder belongs to another log, and with `EngineNotOpened`. */
  static async open(directory: string, log: EventLog, clock: Clock): Promise<WorkbenchFolder> {
    const ports = await openFolder(directory, clock).catch((error: unknown) => {
      throw error instanceof EngineNotOpened ? notOpened(directory, error) : error;
    });
    const folder = new WorkbenchFolder(directory, ports);
    try {
      const name = await logName(log, START);
      if (name !== null) await folder.bind(name);
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  get readModels(): ReadModels {
    return this.ports.readModels;
  }

  /** Prepares the rows of a projection. Those of an older program are made anew. */
  async define(projection: Projection): Promise<void> {
    await this.readModels.define(projection.schema);
    this.defined.set(projection.schema.name, projection);
  }

  /** Leaves one SQLite file, with a view for each projection that was defined. */
  async close(): Promise<void> {
    const views = [...this.defined].map(([collection, projection]) => ({
      name: tableOf(projection),
      collection,
      columns: memberColumnsOf(projection),
    }));
    await this.ports.close(views);
  }

  private async bind(name: string): Promise<void> {
    const { record } = await this.ports.records.create(LOG, name, EVER);
    if (record.value !== name)
      throw new WrongWords(`${this.directory} holds rows of another log: name another folder with --folder.`);
  }
}

/** The name by which SQLite and DuckDB find the rows. */
export function tableOf({ schema }: Projection): string {
  return `${schema.name.replaceAll('-', '_')}_rows`;
}

function notOpened(directory: string, cause: EngineNotOpened): Error {
  if (cause instanceof EngineInUse) return new Error(`${directory} is in use by another process.`, { cause });
  return new Error(`${directory} cannot be used: ${cause.message.replace(/^.*?cannot be used: /, '')}`, { cause });
}
