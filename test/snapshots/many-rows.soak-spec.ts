import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sized, TEST_MS } from '../e2e/harness/size.js';

jest.setTimeout(TEST_MS);

const ROWS = sized(1_000_000);
/** A process that held the rows would end for want of memory. */
const HEAP_MIB = 96;

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'many-rows-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(['parquet', 'ndjson', 'csv'])('many rows become a file as %s in little memory', async (format) => {
  const args = [join(__dirname, 'many-rows.mjs'), format, String(ROWS), join(folder, `rows.${format}`)];
  const { stdout } = await promisify(execFile)(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, ...args]);
  process.stdout.write(`${format}: ${stdout}\n`);
  const { rows, maxRssMiB } = JSON.parse(stdout) as { rows: number; maxRssMiB: number };
  expect(rows).toBe(ROWS);
  expect(maxRssMiB).toBeLessThan(400);
});
