import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startThatEnds } from './harness/app.js';

const preloading = (file: string) => ({ NODE_OPTIONS: `--import=${pathToFileURL(join(__dirname, 'harness', file)).href}` });

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'lives-'))));
afterEach(() => rmSync(directory, { recursive: true }));

describe('a signal', () => {
  it('while the service is being loaded ends it with 0, before it has touched anything', async () => {
    const end = await startThatEnds({ DATA_DIR: directory, ...preloading('signal-while-loading.mjs') });
    expect(end).toEqual({ code: 0, stderr: '' });
    expect(readdirSync(directory)).toEqual([]);
  });
});
