import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from './config.js';
import { installationKey } from './installation-key.js';

let directory: string;
beforeEach(() => void (directory = join(mkdtempSync(join(tmpdir(), 'key-')), 'data')));
afterEach(() => rmSync(join(directory, '..'), { recursive: true }));

const bytes = (value: number) => () => new Uint8Array(32).fill(value);

describe('the key of an installation', () => {
  it('is made once and found again', () => {
    expect(installationKey(directory, bytes(1))).toEqual(bytes(1)());
    expect(installationKey(directory, bytes(2))).toEqual(bytes(1)());
    expect(readdirSync(directory)).toEqual(['secrets.key']);
  });

  it('is readable by its owner only', () => {
    installationKey(directory, bytes(1));
    expect(statSync(join(directory, 'secrets.key')).mode & 0o777).toBe(0o600);
  });

  it('that is damaged stops the start instead of being replaced', () => {
    installationKey(directory, bytes(1));
    writeFileSync(join(directory, 'secrets.key'), 'AAAA');
    expect(() => installationKey(directory, bytes(2))).toThrow(ConfigError);
  });
});
