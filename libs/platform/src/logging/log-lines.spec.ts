import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
type Written = (error: Error | null, written: number) => void;
const busy = () => Object.assign(new Error('busy'), { code: 'EAGAIN' });
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

  it('come whole to a reader who is busy at times, or takes little at a time', async () => {
    const lines = opened('w');
    const write = fs.write.bind(fs) as (to: number, bytes: Buffer, done: Written) => void;
    let calls = 0;
    const haltingly = (to: number, bytes: Buffer, done: Written) =>
      ++calls === 1 ? setImmediate(done, busy(), 0) : write(to, bytes.subarray(0, 1_000), done);
    const halting = jest.spyOn(fs, 'write').mockImplementation(haltingly as typeof fs.write);
    const all = numbered(200);
    for (const line of all) lines.write(line);
    await eventually(() => expect(readFileSync(file, 'utf8')).toBe(all.join('')));
    halting.mockRestore();
  });

  it('are there at once after a flush', () => {
    const lines = opened('w');
    lines.write('{"line":"only"}\n');
    lines.flush();
    expect(readFileSync(file, 'utf8')).toBe('{"line":"only"}\n');
  });

  it('are there when the process ends, which is told of it once', () => {
    const lines = opened('w');
    const listeners = process.listenerCount('exit');
    for (const line of numbered(3)) lines.write(line);
    expect(process.listenerCount('exit')).toBe(listeners + 1);
    process.emit('exit', 0);
    expect(readFileSync(file, 'utf8')).toBe(numbered(3).join(''));
  });

  describe('at the end of a process whose reader', () => {
    const write = fs.write.bind(fs) as (to: number, bytes: Buffer, done: Written) => void;
    const all = numbered(1_500);
    const early = all.slice(0, 1_000);
    const expectWhole = () => expect(readFileSync(file, 'utf8')).toBe(all.join(''));
    afterEach(() => jest.restoreAllMocks());

    /** Writes by turns as told, and what comes after the last turn not at all. */
    function writing(...turns: ((to: number, bytes: Buffer, done: Written) => void)[]): Promise<void> {
      return new Promise((resolve) => {
        jest.spyOn(fs, 'write').mockImplementation(((to: number, bytes: Buffer, done: Written) => {
          turns.shift()?.(to, bytes, done);
          if (turns.length === 0) resolve();
        }) as typeof fs.write);
      });
    }

    it('was busy, are whole and in order', async () => {
      const lines = opened('w');
      const isHeld = writing(
        (to, bytes, done) => write(to, bytes.subarray(0, 1_010), done),
        (_to, _bytes, done) => setImmediate(done, busy(), 0),
      );
      for (const line of early) lines.write(line);
      await isHeld;
      for (const line of all.slice(1_000)) lines.write(line);
      await new Promise((resolve) => setImmediate(resolve));
      await lines.end();
      expectWhole();
    });

    it('is being written to wait for that', async () => {
      const lines = opened('w');
      const isWriting = writing((to, bytes, done) => void setTimeout(() => write(to, bytes.subarray(0, 1_010), done), 50));
      for (const line of early) lines.write(line);
      await isWriting;
      for (const line of all.slice(1_000)) lines.write(line);
      await lines.end();
      expectWhole();
    });

    it('is busy all the time are no more than what may wait', async () => {
      const lines = opened('w');
      jest.spyOn(fs, 'write').mockImplementation(((...[, , done]: [number, Buffer, Written]) => {
        setImmediate(done, busy(), 0);
      }) as typeof fs.write);
      const megabyte = `${'x'.repeat(1_048_575)}\n`;
      for (let written = 0; written < 40; written++) {
        lines.write(megabyte);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await lines.end();
      expect(statSync(file).size).toBe(18 * megabyte.length);
    });
  });

  describe('that are flushed to a reader who is busy', () => {
    let waited: number;
    beforeEach(() => {
      waited = 0;
      jest.spyOn(Atomics, 'wait').mockImplementation((...[, , , ms]) => ((waited += ms ?? 0), 'timed-out'));
    });
    afterEach(() => jest.restoreAllMocks());

    it('at times, or takes little at a time, are whole', () => {
      const lines = opened('w');
      const write = fs.writeSync.bind(fs) as (to: number, bytes: Buffer) => number;
      let calls = 0;
      const haltingly = (to: number, bytes: Buffer) => {
        if (++calls % 3 === 0) throw busy();
        return write(to, bytes.subarray(0, 40));
      };
      jest.spyOn(fs, 'writeSync').mockImplementation(haltingly as typeof fs.writeSync);
      for (const line of numbered(10)) lines.write(line);
      lines.flush();
      expect(readFileSync(file, 'utf8')).toBe(numbered(10).join(''));
    });

    it('all the time are given up after a second', () => {
      const lines = opened('w');
      jest.spyOn(fs, 'writeSync').mockImplementation(() => {
        if (waited > 5_000) return 1_000;
        throw busy();
      });
      lines.write('{"line":"only"}\n');
      lines.flush();
      expect(waited).toBe(1_000);
    });
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
    const tries = jest.spyOn(fs, 'write');
    for (const line of numbered(200)) lines.write(line);
    await new Promise((resolve) => setTimeout(resolve, 300));
    lines.write('{"line":"last"}\n');
    lines.flush();
    expect(readFileSync(file, 'utf8')).toBe('as it was');
    expect(tries.mock.calls.length).toBeLessThan(5);
    tries.mockRestore();
  });
});
