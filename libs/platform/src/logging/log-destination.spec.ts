import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@ports/contracts/eventually';
import { LogDestination } from './log-destination.js';

type Done = (error: Error | null, written: number) => void;
type Write = (bytes: Buffer, done: Done) => void;

const STDERR = 2;
const failure = (code: string) => Object.assign(new Error(code), { code });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `{"line":${index},"text":"größer"}\n`);
const megabyte = `${'x'.repeat(1_048_575)}\n`;

let written: string;
afterEach(() => jest.restoreAllMocks());

/** A fake standard error: each write behaves as the next of these, and the last one repeats. */
function destination(...ways: readonly [Write, ...Write[]]): LogDestination {
  const left = [...ways];
  written = '';
  jest.spyOn(fs, 'write').mockImplementation(((descriptor: number, text: string | Buffer, ...rest: unknown[]) => {
    expect(descriptor).toBe(STDERR);
    const way = left.length > 1 ? left.shift() : left[0];
    way?.(Buffer.from(text), rest.at(-1) as Done);
  }) as typeof fs.write);
  jest.spyOn(fs, 'writeSync').mockImplementation(((descriptor: number, text: string) => {
    expect(descriptor).toBe(STDERR);
    written += text;
    return Buffer.byteLength(text);
  }) as typeof fs.writeSync);
  return new LogDestination(STDERR);
}

const taking =
  (most = Infinity): Write =>
  (bytes, done) => {
    const taken = bytes.subarray(0, most);
    written += taken.toString('latin1');
    setImmediate(done, null, taken.length);
  };
const refusing =
  (code: string): Write =>
  (_, done) =>
    void setImmediate(done, failure(code), 0);
const silent: Write = () => undefined;
const latin1 = (lines: readonly string[]) => Buffer.from(lines.join('')).toString('latin1');

describe('the lines of a log', () => {
  it('are written whole and in order, however little the reader takes at a time', async () => {
    const log = destination(taking(7), refusing('EAGAIN'), taking(1_000));
    const all = numbered(500);
    for (const line of all) log.write(line);
    await eventually(() => expect(written).toBe(latin1(all)));
    await log.end();
  });

  it('wait for a reader up to 16 MiB, and are dropped beyond', async () => {
    let go: () => void = () => undefined;
    const log = destination((bytes, done) => (go = () => taking()(bytes, done)), taking());
    for (let count = 0; count < 40; count++) log.write(megabyte);
    go();
    await eventually(() => expect(written.length).toBe(16 * megabyte.length));
    log.write('{"line":"later"}\n');
    await eventually(() => expect(written.endsWith('{"line":"later"}\n')).toBe(true));
    await log.end();
  });

  it('are written again once a full disk has room, without those that it refused', async () => {
    const log = destination(refusing('ENOSPC'), refusing('ENOSPC'), taking());
    for (const line of ['{"line":"first"}\n', '{"line":"second"}\n']) {
      log.write(line);
      await pause(20);
    }
    log.write('{"line":"third"}\n');
    await eventually(() => expect(written).toBe('{"line":"third"}\n'));
    await log.end();
  });

  it('are all written at the end, and those that come after it at once', async () => {
    const log = destination(taking(10));
    for (const line of numbered(100)) log.write(line);
    await log.end();
    expect(written).toBe(latin1(numbered(100)));
    log.write('{"line":"after the end"}\n');
    expect(written).toBe(`${latin1(numbered(100))}{"line":"after the end"}\n`);
  });

  it.each([
    ['that takes nothing', silent],
    ['that is always busy', refusing('EAGAIN')],
  ])('wait at the end for a second for a reader %s', async (_, way) => {
    const log = destination(way);
    log.write('{"line":"only"}\n');
    const before = performance.now();
    await log.end();
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(written).toBe('');
  });

  it.each(['EPIPE', 'ENOSPC'])('are given up at the end where they are refused with %s', async (code) => {
    const log = destination(refusing(code));
    log.write('{"line":"only"}\n');
    await pause(20);
    log.write('{"line":"another"}\n');
    await log.end();
    log.write('{"line":"last"}\n');
    expect(written).toBe(code === 'EPIPE' ? '' : '{"line":"last"}\n');
  });

  it('do not keep the process from its exit, though none can be written', () => {
    const log = destination(silent);
    jest.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw failure('ENOSPC');
    });
    jest.spyOn(Atomics, 'wait').mockImplementation(() => {
      throw new Error('the exit waits for the disk');
    });
    for (const line of numbered(3)) log.write(line);
    process.emit('exit', 0);
    expect(written).toBe('');
  });
});
