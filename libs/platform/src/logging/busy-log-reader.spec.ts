import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@ports/contracts/eventually';
import { LogLines } from './log-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'log-'));
const file = join(folder, 'log');
afterAll(() => rmSync(folder, { recursive: true }));

type Written = (error: Error | null, written: number) => void;
const write = fs.write.bind(fs) as (to: number, bytes: Buffer, done: Written) => void;
const failure = (code: string) => Object.assign(new Error(code), { code });
const written = () => readFileSync(file, 'utf8');
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Enough to be written at once. */
const LONG = `${'x'.repeat(40_000)}\n`;

let descriptor: number;
let lines: LogLines;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  lines = new LogLines((descriptor = openSync(file, 'w')));
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  closeSync(descriptor);
});

function writing(how: (to: number, bytes: Buffer, done: Written) => void) {
  return jest.spyOn(fs, 'write').mockImplementation(how as typeof fs.write);
}

describe('the lines of a log, whose reader', () => {
  it('takes little at a time, are given up five seconds after a flush', () => {
    let [waited, calls] = [0, 0];
    jest.spyOn(Atomics, 'wait').mockImplementation((...[, , , ms]) => ((waited += ms ?? 0), 'timed-out'));
    jest.spyOn(fs, 'writeSync').mockImplementation(() => {
      if (++calls % 2 === 1) throw failure('EAGAIN');
      return 1;
    });
    lines.write('x'.repeat(10_000));
    lines.flush();
    expect(waited).toBe(5_000);
  });

  it('does not answer are waited for a second at the end, and then the rest is written', async () => {
    writing(() => undefined);
    lines.write(LONG);
    lines.write('{"line":"rest"}\n');
    const ending = lines.end();
    await jest.advanceTimersByTimeAsync(999);
    expect(written()).toBe('');
    await jest.advanceTimersByTimeAsync(1);
    expect(written()).toBe('{"line":"rest"}\n');
    await ending;
  });

  it('does not answer are all there at the exit, if they came after the end', async () => {
    await lines.end();
    writing(() => undefined);
    for (const line of [LONG, '{"line":"last"}\n']) lines.write(line);
    process.emit('exit', 0);
    expect(written()).toBe(`${LONG}{"line":"last"}\n`);
  });

  it('is busy is asked again every 50 ms, however much comes meanwhile', async () => {
    const tries = writing((_to, _bytes, done) => void setImmediate(done, failure('EAGAIN'), 0));
    for (let times = 0; times < 20; times++) {
      lines.write(LONG);
      await turn();
      await turn();
    }
    expect(tries.mock.calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(49);
    expect(tries.mock.calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(tries.mock.calls).toHaveLength(2);
    jest.restoreAllMocks();
    lines.flush();
    expect(written()).toBe(LONG.repeat(20));
  });

  it('takes a part of what was written is given the rest at once', async () => {
    writing((to, bytes, done) => write(to, bytes.subarray(0, 20_000), done));
    lines.write(LONG);
    while (!written().endsWith('\n')) await turn();
    expect(written()).toBe(LONG);
  }, 2_000);

  it('refused what came before, gets what came meanwhile by itself', async () => {
    const refusing = writing(write).mockImplementationOnce(((_to: number, _bytes: Buffer, done: Written) => {
      setImmediate(done, failure('ENOSPC'), 0);
    }) as typeof fs.write);
    lines.write(LONG);
    lines.write('{"line":"meanwhile"}\n');
    await turn();
    await turn();
    await jest.advanceTimersByTimeAsync(199);
    expect(refusing.mock.calls).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    jest.useRealTimers();
    await eventually(() => expect(written()).toBe('{"line":"meanwhile"}\n'));
  }, 2_000);

  it('is a disk that filled up within a line, begin anew behind it', async () => {
    let calls = 0;
    writing((to, bytes, done) => {
      calls += 1;
      if (calls === 1) write(to, bytes.subarray(0, 20), done);
      else if (calls <= 3) setImmediate(done, failure('ENOSPC'), 0);
      else write(to, bytes, done);
    });
    lines.write(LONG);
    while (calls < 2) await turn();
    await turn();
    await turn();
    lines.write(LONG);
    while (calls < 3) await turn();
    await turn();
    await turn();
    lines.write('{"line":"stored again"}\n');
    await jest.advanceTimersByTimeAsync(200);
    jest.useRealTimers();
    await eventually(() => expect(written()).toBe(`${'x'.repeat(20)}\n{"line":"stored again"}\n`));
  }, 2_000);

  it.each([0, 20])('is a disk that filled up at the end, begin anew at the exit: %d', async (taken) => {
    const writeSync = fs.writeSync.bind(fs) as (to: number, bytes: Buffer) => number;
    const ending = jest
      .spyOn(fs, 'writeSync')
      .mockImplementationOnce(((to: number, bytes: Buffer) =>
        taken === 0 ? 0 : writeSync(to, bytes.subarray(0, taken))) as typeof fs.writeSync);
    ending.mockImplementationOnce(() => {
      throw failure('ENOSPC');
    });
    lines.write('{"line":"the last before the end"}\n');
    await lines.end();
    lines.write('{"line":"after it"}\n');
    process.emit('exit', 0);
    const cut = '{"line":"the last before the end"}'.slice(0, taken);
    expect(written()).toBe(`${cut === '' ? '' : `${cut}\n`}{"line":"after it"}\n`);
  });

  it('is busy within a line, are not torn at the exit', async () => {
    let calls = 0;
    writing((to, bytes, done) => {
      calls += 1;
      if (bytes.length > 40_000) write(to, bytes.subarray(0, 20), done);
      else setImmediate(done, failure('EAGAIN'), 0);
    });
    lines.write(LONG);
    while (calls < 2) await turn();
    await turn();
    await turn();
    lines.write('{"line":"last"}\n');
    lines.flush();
    expect(written()).toBe(`${LONG}{"line":"last"}\n`);
  });
});
