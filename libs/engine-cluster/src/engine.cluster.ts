import { BackupRefused, Engine, type EnginePart } from '@ports/engine.port';

export interface OpenServer {
  readonly name: 'EventStoreDB' | 'MongoDB' | 'Kafka';
  readonly needed: boolean;
  readonly health: () => boolean;
  readonly close: () => Promise<void>;
}

const ITS_OWN_TOOLS =
  'The engine is the cluster: back up EventStoreDB with its own tools. All else is made from its log again, ' +
  'but for the idempotency records and admin sessions in MongoDB.';

export class ClusterEngine extends Engine {
  readonly isShared = true;
  private closing: Promise<void> | undefined;

  constructor(private readonly servers: readonly OpenServer[]) {
    super();
  }

  parts(): Promise<readonly EnginePart[]> {
    return Promise.resolve(this.servers.map(({ name, needed, health }) => ({ name, needed, ready: !this.closing && health() })));
  }

  /** Servers have their own monitoring. */
  disk(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Each server has its own backups, which this service could not make consistent with each other. */
  backUp(): Promise<never> {
    return Promise.reject(new BackupRefused(ITS_OWN_TOOLS));
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    await Promise.allSettled(this.servers.map(({ close }) => close()));
  }
}
