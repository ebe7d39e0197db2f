import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BackupRefused } from '@ports/engine.port';
import { type Config, ConfigError } from './config.js';
import { base64Key, Unreadable } from './readers.js';

const NEEDED =
  'SECRETS_KEY must be set when ENGINE is cluster: base64 of 32 bytes (openssl rand -base64 32), the same for every process';
export const KEY_FILE = 'secrets.key';

/** The installation's key: the operator's, the stored one, or a new one that is not stored yet. */
export class InstallationKey {
  private constructor(
    readonly bytes: Uint8Array,
    private readonly newFile: string | null,
  ) {}

  /** Only reads: a start that fails early leaves no key behind. */
  static of({ secretsKey, dataDir, engine }: Pick<Config, 'secretsKey' | 'dataDir' | 'engine'>): InstallationKey {
    if (secretsKey !== null) return new InstallationKey(secretsKey, null);
    if (engine === 'cluster') throw new ConfigError(NEEDED);
    const file = join(dataDir, KEY_FILE);
    const kept = telling(file, () => readKey(file));
    return kept ? new InstallationKey(kept, null) : new InstallationKey(new Uint8Array(randomBytes(32)), file);
  }

  /** Stores a new key, readable by its owner only. Call once this process has locked the data directory. */
  keep(): void {
    const { newFile, bytes } = this;
    if (newFile !== null) telling(newFile, () => writeKey(newFile, bytes));
  }
}

/** The key files of the data directory, for a backup. Throws `BackupRefused` if the key is in none. */
export function keyFiles({ dataDir, engine }: Pick<Config, 'dataDir' | 'engine'>): readonly string[] {
  if (engine === 'cluster') return [];
  if (existsSync(join(dataDir, KEY_FILE))) return [KEY_FILE];
  throw new BackupRefused(
    `There is no ${KEY_FILE} to copy: the key is what SECRETS_KEY is set to. Keep that, apart from the copy.`,
  );
}

function telling<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`DATA_DIR: the file ${file} can be neither read nor created: ${(error as Error).message}`);
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

/** Creates the file atomically; fails if it exists. */
function writeKey(file: string, key: Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, `${Buffer.from(key).toString('base64')}\n`);
    fsyncSync(handle);
    linkSync(draft, file);
    syncDirectory(dirname(file));
  } finally {
    closeSync(handle);
    rmSync(draft, { force: true });
  }
}

/** A power cut must not lose the key: everything sealed with it would be lost. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
