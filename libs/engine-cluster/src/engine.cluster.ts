import { BackupRefused, Engine, type EnginePart } from '@ports/engine.port';

/** One server, as it is at present. */
export interface OpenServer {
  readonly name: 'EventStoreDB' | 'MongoDB' | 'Kafka';
  readonly needed: boolean;
  /** Whether it answers. */
  readonly health: () => boolean;
  readonly close: () => Promise<void>;
}

const ITS_OWN_TOOLS =
  'The engine is the cluster: back up EventStoreDB with its own tools. All else is made from its log again, ' +
  'but for the idempotency records and admin sessions in MongoDB.';

/** Three servers, each with a health of its own. Any number of processes use them. */
export class ClusterEngine extends Engine {
  readonly isShared = true;
  private closing: Promise<void> | undefined;

  constructor(private readonly servers: readonly OpenServer[]) {
    super();
  }

  parts(): Promise<readonly EnginePart[]> {
    return Promise.resolve(this.servers.map(({ name, needed, health }) => ({ name, needed, ready: !this.closing && health() })));
  }

  /** Each server makes copies of its own, which no process of this service could make consistent with each other. */
  backUp(): Promise<never> {
    return Promise.reject(new BackupRefused(ITS_OWN_TOOLS));
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  /** Closes each, even where another cannot be closed. */
  private async closeAll(): Promise<void> {
    await Promise.allSettled(this.servers.map(({ close }) => close()));
  }
}
