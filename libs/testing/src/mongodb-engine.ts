import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongoDb } from '../../../tools/engines/mongodb/mongodb.mjs';

/** A server of a spec's own, which it may kill, with its data. `end` ends both. */
export async function ownMongodb() {
  const directory = mkdtempSync(join(tmpdir(), 'mongodb-'));
  const engine = await startMongoDb({ directory });
  return {
    engine,
    async end() {
      await engine.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
