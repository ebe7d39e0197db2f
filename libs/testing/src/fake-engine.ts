import { Engine, type EnginePart } from '@ports/engine.port';

/** An engine of which only matters whether it is shared: by default several processes may use it. */
export class FakeEngine extends Engine {
  constructor(readonly leasesVoidBefore = 0) {
    super();
  }

  parts(): Promise<readonly EnginePart[]> {
    return Promise.resolve([]);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
