import { transformFileSync } from '@swc/core';
import { FakeClock } from '@testing/fake-clock';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { DataDirectoryInUse } from './data-directory.js';
import { openEmbeddedEngine } from './open-embedded-engine.js';

const CALLERS = 16;
const ROOT = resolve(__dirname, '../../..');
const LIBRARIES = ['kit', 'domain', 'ports', 'engine-embedded'];
const ALIAS = /from ['"]@(kit|domain|ports|engine-embedded)\/([^'"]+)['"]/g;

describe('a process that is killed', () => {
  const engine = compileEngine();
  let directory: string;
  const children: ChildProcess[] = [];

  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'crash-'))));
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });
  afterAll(() => engine.remove());

  /** Starts a process that appends until it is killed; `lines` resolves after so many lines, or at its end. */
  function start(callers = CALLERS) {
    const child = spawn(process.execPath, [join(__dirname, 'appender.child.mjs'), engine.entry, directory, String(callers)]);
    children.push(child);
    let output = '';
    const errors: string[] = [];
    child.stderr.on('data', (data: Buffer) => errors.push(data.toString()));
    const ended = once(child, 'close');
    const complete = (): string[] => output.split('\n').slice(0, -1);
    const lines = (count: number) =>
      new Promise<string[]>((resolve) => {
        const look = (): void => void (complete().length >= count && resolve(complete()));
        child.stdout.on('data', (data: Buffer) => {
          output += data.toString();
          look();
        });
        void ended.then(() => resolve([...complete(), ...errors]));
      });
    return {
      lines,
      async kill(): Promise<string[]> {
        child.kill('SIGKILL');
        await ended;
        return complete();
      },
    };
  }

  it('loses nothing that was acknowledged and leaves no half batch, again and again', async () => {
    const acknowledged: string[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const child = start();
      expect((await child.lines(300 * round))[0]).toBe('open');
      acknowledged.push(...(await child.kill()).slice(1));
    }
    const { events, records, engine: opened } = await openEmbeddedEngine(directory, new FakeClock(Date.now()));
    const streams = new Map<string, string[][]>();
    for (const line of acknowledged) {
      const [stream = '', ...rest] = line.split(' ');
      streams.set(stream, [...(streams.get(stream) ?? []), rest]);
    }
    expect(streams.size).toBe(3 * CALLERS);
    for (const [stream, answers] of streams) {
      const stored = await events.read(stream);
      for (const [revision, position, key = ''] of answers) {
        expect(stored[Number(revision)]).toMatchObject({ stream, revision: Number(revision), position });
        expect((await records.get(key))?.value).toBe(stream);
      }
      expect(stored.length % 2).toBe(0);
      expect(stored.map(({ revision }) => revision)).toEqual(stored.map((_, index) => index));
    }
    await opened.close();
  });

  it('frees the directory that it kept to itself', async () => {
    const first = start(1);
    expect((await first.lines(2))[0]).toBe('open');
    await expect(openEmbeddedEngine(directory, new FakeClock())).rejects.toBeInstanceOf(DataDirectoryInUse);
    const [refusal, ...more] = await start(1).lines(10);
    expect(refusal).toMatch(/^refused DataDirectoryInUse /);
    expect(refusal).toContain(directory);
    expect(more).toEqual([]);
    await first.kill();
    const { engine: opened } = await openEmbeddedEngine(directory, new FakeClock());
    expect(await opened.parts()).toEqual([{ name: 'store', ready: true, needed: true }]);
    await opened.close();
  });
});

/** The engine as plain modules, for processes that the specs kill. */
function compileEngine(): { readonly entry: string; remove(): void } {
  const out = mkdtempSync(join(tmpdir(), 'compiled-engine-'));
  symlinkSync(join(ROOT, 'node_modules'), join(out, 'node_modules'));
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }');
  for (const library of LIBRARIES) {
    const source = join(ROOT, 'libs', library, 'src');
    for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.ts') && !/(spec|contract|contracts\/.*)\.ts$/.test(file)) compile(join(source, file), out);
    }
  }
  return {
    entry: join(out, 'libs/engine-embedded/src/open-embedded-engine.js'),
    remove: () => rmSync(out, { recursive: true }),
  };
}

function compile(file: string, out: string): void {
  const { code } = transformFileSync(file, {
    swcrc: false,
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  });
  const target = join(out, relative(ROOT, file)).replace(/\.ts$/, '.js');
  mkdirSync(dirname(target), { recursive: true });
  const local = code.replace(ALIAS, (_, library: string, path: string) => {
    const module = relative(dirname(target), join(out, 'libs', library, 'src', `${path}.js`));
    return `from '${module.startsWith('.') ? module : `./${module}`}'`;
  });
  writeFileSync(target, local);
}
