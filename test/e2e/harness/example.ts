import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../../docs/examples');
const START_WITHIN_MS = 30_000;
const LISTENING = /^Listening on (\S+)$/m;

type Variables = Readonly<Record<string, string>>;

/** A program of `docs/examples`, run as it stands. */
export class Example {
  private output = { stdout: '', stderr: '' };

  private constructor(
    private readonly child: ChildProcess,
    private readonly ended: Promise<number | null>,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.output.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.output.stderr += text));
  }

  /** Begins to run a file of the folder: `.mjs` with Node, `.py` with the given Python, `.sh` with a shell. */
  private static run(file: string, variables: Variables, args: readonly string[], stdin: 'ignore' | 'pipe' = 'ignore'): Example {
    const program = { mjs: process.execPath, py: process.env['EXAMPLES_PYTHON'] ?? 'python3', sh: 'sh' }[
      file.split('.').at(-1) ?? ''
    ];
    if (program === undefined) throw new Error(`Nobody knows how to run ${file}.`);
    const env = { PATH: process.env['PATH'] ?? '', ...variables };
    const child = spawn(program, [join(FOLDER, file), ...args], { env, stdio: [stdin, 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    return new Example(child, ended);
  }

  /** Runs a program to its end. */
  static async result(
    file: string,
    variables: Variables,
    args: readonly string[] = [],
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
    const example = Example.run(file, variables, args);
    return { code: await example.ended, ...example.output };
  }

  /** Starts a program that goes on until it is stopped, and takes lines. */
  static start(file: string, variables: Variables): Example {
    return Example.run(file, variables, [], 'pipe');
  }

  /** Starts a program that listens, and waits until it does. */
  static async listening(file: string, variables: Variables): Promise<{ readonly url: string; readonly example: Example }> {
    const example = Example.run(file, variables, []);
    const url = await new Promise<string>((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${file} ${why}\n${example.output.stdout}${example.output.stderr}`));
      const late = setTimeout(() => fail('did not listen in time'), START_WITHIN_MS);
      example.child.stdout?.on('data', () => {
        const [, address] = LISTENING.exec(example.output.stdout) ?? [];
        if (address !== undefined) resolve(address);
      });
      void example.ended.then((code) => fail(`ended with ${code}`), reject).finally(() => clearTimeout(late));
    });
    return { url, example };
  }

  get stdout(): string {
    return this.output.stdout;
  }

  get stderr(): string {
    return this.output.stderr;
  }

  /** Types a line. */
  enter(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  async stop(): Promise<void> {
    this.child.kill();
    await this.ended;
  }
}
