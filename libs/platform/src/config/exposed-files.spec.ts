import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exposedFiles } from './exposed-files.js';

let dataDir: string;
let key: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'exposed-'));
  key = join(dataDir, 'secrets.key');
  writeFileSync(key, '', { mode: 0o600 });
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const warnings = () => exposedFiles({ dataDir, engine: 'embedded' });

describe('a data directory', () => {
  it('that only its owner may use is warned of by nothing', () => expect(warnings()).toEqual([]));

  it.each([0o777, 0o755, 0o750, 0o701])('that others may use (mode %o) is warned of, with the mode it should have', (mode) => {
    chmodSync(dataDir, mode);
    expect(warnings()).toEqual([
      `DATA_DIR: other users may get at ${dataDir}, whose mode is 0${mode.toString(8)}; it should be 0700`,
    ]);
  });

  it.each([0o644, 0o640, 0o666, 0o602])(
    'whose key others may use (mode %o) is warned of, with the mode it should have',
    (mode) => {
      chmodSync(key, mode);
      expect(warnings()).toEqual([
        `DATA_DIR: other users may get at ${key}, whose mode is 0${mode.toString(8)}; it should be 0600`,
      ]);
    },
  );

  it('is warned of apart from its key', () => {
    chmodSync(key, 0o644);
    chmodSync(dataDir, 0o777);
    expect(warnings()).toHaveLength(2);
  });

  it('without a key of its own is judged all the same', () => {
    rmSync(key);
    chmodSync(dataDir, 0o755);
    expect(warnings()).toHaveLength(1);
  });

  it('is none on the cluster, or before it is made', () => {
    chmodSync(dataDir, 0o777);
    expect(exposedFiles({ dataDir, engine: 'cluster' })).toEqual([]);
    expect(exposedFiles({ dataDir: join(dataDir, 'missing'), engine: 'embedded' })).toEqual([]);
  });
});
