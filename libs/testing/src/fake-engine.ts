import { BackupRefused, type Disk, Engine, type EnginePart } from '@ports/engine.port';

/** How many processes an engine admits. */
export type Processes = 'one' | 'several';

/** An engine of which only matters whether it is shared: by default several processes may use it. */
export class FakeEngine extends Engine {
  readonly isShared: boolean;

  constructor(processes: Processes = 'several') {
    super();
    this.isShared = processes === 'several';
  }

  parts(): Promise<readonly EnginePart[]> {
    return Promise.resolve([]);
  }

  disk(): Promise<Disk | null> {
    return Promise.resolve(null);
  }

  backUp(): Promise<never> {
    return Promise.reject(new BackupRefused('it stores nothing'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
