import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config.js';
import { base64Key, Unreadable } from './readers.js';

const FILE = 'secrets.key';

/** The installation's key out of the data directory; made there (readable by its owner only) when it has none yet. */
export function installationKey(dataDir: string, randomBytes: (count: number) => Uint8Array): Uint8Array {
  const file = join(dataDir, FILE);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return readKey(file) ?? makeKey(file, randomBytes) ?? mustExist(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`DATA_DIR: the file ${file} can be neither read nor made: ${(error as Error).message}`);
  }
}

function readKey(file: string): Uint8Array | null {
  try {
    return base64Key(readFileSync(file, 'utf8').trim());
  } catch (error) {
    if (error instanceof Unreadable) throw new ConfigError(`SECRETS_KEY: the file ${file} must hold ${error.message}`);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Whole or not at all, and never over another process's key: null when somebody else was first. */
function makeKey(file: string, randomBytes: (count: number) => Uint8Array): Uint8Array | null {
  const key = randomBytes(32);
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, `${Buffer.from(key).toString('base64')}\n`);
    fsyncSync(handle);
    linkSync(draft, file);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  } finally {
    closeSync(handle);
    rmSync(draft, { force: true });
  }
}

function mustExist(file: string): Uint8Array {
  const key = readKey(file);
  if (!key) throw new ConfigError(`SECRETS_KEY: the file ${file} vanished while it was read`);
  return key;
}
