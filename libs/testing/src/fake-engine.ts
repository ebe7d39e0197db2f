import { BackupRefused, Engine, type EnginePart } from '@ports/engine.port';

/** An engine of which only matters whether it is shared: by default several processes may use it. */
export class FakeEngine extends Engine {
  constructor(readonly leasesVoidBefore = 0) {
    super();
  }

  parts(): Promise<readonly EnginePart[]> {
    return Promise.resolve([]);
  }

  backUp(): Promise<never> {
    return Promise.reject(new BackupRefused('it stores nothing'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
