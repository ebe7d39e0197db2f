import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const running = new Set();
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
/** Enough for whoever heeds a signal; npm would first finish and then take back what it installs, for half a minute. */
const endsWithinMs = 2_000;
let ending = false;

/**
 * While steps run, a signal ends them and then this process. Returns how to stop listening, for whoever takes over.
 * @param exitCode what an interrupted process ends with; by default what a shell expects
 */
export function endWithSteps(exitCode) {
  const handlers = Object.keys(signalNumbers).map((signal) => {
    const handler = () => {
      // Whoever started listening after us ends in an orderly way; leaving now would cut that short.
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

/** Runs a program to its end and resolves to its exit code, unless this process is ending; what it says goes where `output` says. */
export function run(program, args, { output = 'inherit', env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', output, output === 'inherit' ? 'inherit' : 2] });
    running.add(child);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      if (!ending) resolve(code ?? 128 + (signalNumbers[signal] ?? 9));
    });
  });
}

/** Runs a script of an installed package under this very Node. */
export const runScript = (script, args, options) => run(process.execPath, [`${root}${script}`, ...args], options);

/** Runs npm: the one that started us where there is one, else the one on the path. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('npm-cli.js') ? run(process.execPath, [npm, ...args], options) : run('npm', args, options);
}
