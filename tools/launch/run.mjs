import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const running = new Set();
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
/** The time for a graceful exit. npm would need half a minute to finish and roll its installation back. */
const endsWithinMs = 2_000;
let ending = false;

/**
 * Makes a signal end the running steps and then this process. Returns a function that removes the handlers.
 * @param exitCode the exit code of an interrupted process; by default 128 plus the signal's number
 */
export function endWithSteps(exitCode) {
  const handlers = Object.keys(signalNumbers).map((signal) => {
    const handler = () => {
      // Another listener shuts the process down gracefully; an exit here would interrupt it.
      if (process.listenerCount(signal) > 1) return;
      ending = true;
      const ended = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
      for (const child of running) child.kill(signal);
      setTimeout(() => running.forEach((child) => child.kill('SIGKILL')), endsWithinMs);
      void Promise.all(ended).then(() => process.exit(exitCode ?? 128 + signalNumbers[signal]));
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => handlers.forEach((stop) => stop());
}

/** Runs a program and resolves to its exit code; never settles while this process is ending. `output` is where stdout goes. */
export function run(program, args, { output = 'inherit', env = process.env, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', output, output === 'inherit' ? 'inherit' : 2] });
    running.add(child);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      if (!ending) resolve(code ?? 128 + (signalNumbers[signal] ?? 9));
    });
  });
}

/** Runs a script of an installed package with the current Node. */
export const runScript = (script, args, options) => run(process.execPath, [`${root}${script}`, ...args], options);

/** Runs npm: the one that started this process, else the one on the PATH. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('npm-cli.js') ? run(process.execPath, [npm, ...args], options) : run('npm', args, options);
}
