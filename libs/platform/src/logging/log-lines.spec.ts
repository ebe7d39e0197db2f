import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@ports/contracts/eventually';
import { LogLines } from './log-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'log-'));
const file = join(folder, 'log');
afterAll(() => rmSync(folder, { recursive: true }));

let descriptor: number;
afterEach(() => closeSync(descriptor));
const opened = (mode: 'r' | 'w') => new LogLines((descriptor = openSync(file, mode)));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `{"line":${index},"text":"größer"}\n`);

describe('the lines of a log', () => {
  it('come by themselves, a few as well as many, whole and in order', async () => {
    const lines = opened('w');
    const all = numbered(5_000);
    for (const line of all) lines.write(line);
    await eventually(() => expect(readFileSync(file, 'utf8')).toBe(all.join('')));
    lines.write('{"line":"last"}\n');
    await eventually(() => expect(readFileSync(file, 'utf8').endsWith('{"line":"last"}\n')).toBe(true));
  });

  it('are there at once after a flush', () => {
    const lines = opened('w');
    lines.write('{"line":"only"}\n');
    lines.flush();
    expect(readFileSync(file, 'utf8')).toBe('{"line":"only"}\n');
  });

  it('wait up to sixteen megabytes; what comes while so many wait is dropped', async () => {
    const lines = opened('w');
    const megabyte = `${'x'.repeat(1_048_575)}\n`;
    for (let written = 0; written < 40; written++) lines.write(megabyte);
    lines.flush();
    const [onItsWay, waited] = [1, 17];
    await eventually(() => expect(statSync(file).size).toBe((onItsWay + waited) * megabyte.length));
  });

  it('are dropped where nothing can be written, without holding anybody up', async () => {
    writeFileSync(file, 'as it was');
    const lines = opened('r');
    for (const line of numbered(200)) lines.write(line);
    await new Promise((resolve) => setTimeout(resolve, 300));
    lines.write('{"line":"last"}\n');
    lines.flush();
    expect(readFileSync(file, 'utf8')).toBe('as it was');
  });
});
