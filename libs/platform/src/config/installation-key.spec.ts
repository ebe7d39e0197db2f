import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from './config.js';
import { InstallationKey } from './installation-key.js';

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'key-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

const keyOfStart = () => InstallationKey.of({ dataDir, secretsKey: null, engine: 'embedded' });
const file = () => join(dataDir, 'secrets.key');

describe('the key of an installation', () => {
  it('is found again once it was kept', () => {
    const key = keyOfStart();
    key.keep();
    expect(key.bytes).toHaveLength(32);
    expect(keyOfStart().bytes).toEqual(key.bytes);
    expect(readdirSync(dataDir)).toEqual(['secrets.key']);
  });

  it('is made anew, and leaves no trace, as long as nobody keeps it', () => {
    expect(keyOfStart().bytes).not.toEqual(keyOfStart().bytes);
    expect(readdirSync(dataDir)).toEqual([]);
    expect(
      InstallationKey.of({ dataDir: join(dataDir, 'not/yet/there'), secretsKey: null, engine: 'embedded' }).bytes,
    ).toHaveLength(32);
  });

  it('that the operator chose is kept by the operator', () => {
    const secretsKey = new Uint8Array(32).fill(1);
    const key = InstallationKey.of({ dataDir, secretsKey, engine: 'embedded' });
    key.keep();
    expect(key.bytes).toEqual(secretsKey);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it("of an engine that processes share is the operator's, or there is none", () => {
    expect(() => InstallationKey.of({ dataDir, secretsKey: null, engine: 'cluster' })).toThrow(
      /^SECRETS_KEY must be set .*openssl/,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('is readable by its owner only', () => {
    keyOfStart().keep();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('never takes the place of another', () => {
    const [one, two] = [keyOfStart(), keyOfStart()];
    one.keep();
    const kept = readFileSync(file());
    expect(() => two.keep()).toThrow(ConfigError);
    expect(readFileSync(file())).toEqual(kept);
    expect(readdirSync(dataDir)).toEqual(['secrets.key']);
  });

  it('that is damaged stops the start instead of being replaced', () => {
    writeFileSync(file(), 'AAAA');
    expect(keyOfStart).toThrow(ConfigError);
    expect(keyOfStart).toThrow(/^SECRETS_KEY:/);
    expect(readFileSync(file(), 'utf8')).toBe('AAAA');
  });

  it('that cannot be read stops the start before another is made', () => {
    mkdirSync(file());
    expect(keyOfStart).toThrow(ConfigError);
  });

  it('is made although a start before this one was cut off while making it', () => {
    writeFileSync(`${file()}.${process.pid}`, 'half a k');
    const key = keyOfStart();
    key.keep();
    expect(keyOfStart().bytes).toEqual(key.bytes);
  });

  it('is on the disk before it gets its name, and so is its name before anything is sealed with it', () => {
    const namedAtSync: boolean[] = [];
    const sync = jest.spyOn(fs, 'fsyncSync').mockImplementation(() => void namedAtSync.push(existsSync(file())));
    keyOfStart().keep();
    sync.mockRestore();
    expect(namedAtSync).toEqual([false, true]);
  });
});
