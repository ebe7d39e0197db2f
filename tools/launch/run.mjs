import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const running = new Set();
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
/** For a graceful exit: npm would need half a minute to finish and roll back. */
const endsWithinMs = 2_000;
/** For the kernel to end killed processes. */
const KILLED_WITHIN_MS = 2_000;
const LOOKS_EVERY_MS = 20;
let endsSteps = false;
let ending = false;

/** Signals a step's process group (0 only looks). False when nothing of it is left. */
function signalTo({ pid }, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Ends a whole process group: a test worker outlives its runner, and its servers outlive the worker. */
async function end(child, signal) {
  const begunAt = performance.now();
  signalTo(child, signal);
  while (signalTo(child, 0) && performance.now() - begunAt < endsWithinMs) await sleep(LOOKS_EVERY_MS);
  signalTo(child, 'SIGKILL');
  while (signalTo(child, 0) && performance.now() - begunAt < endsWithinMs + KILLED_WITHIN_MS) await sleep(LOOKS_EVERY_MS);
}

/**
 * Makes signals end the running steps and then this process. Returns a function that removes the handlers.
 * @param exitCode of an interrupted process; by default 128 plus the signal's number
 */
export function endWithSteps(exitCode) {
  endsSteps = true;
  const handlers = Object.keys(signalNumbers).map((signal) => {
    const handler = () => {
      // Another listener shuts down gracefully; exiting here would interrupt it.
      if (ending || process.listenerCount(signal) > 1) return;
      ending = true;
      void Promise.all([...running].map((child) => end(child, signal))).then(() => {
        process.exit(exitCode ?? 128 + signalNumbers[signal]);
      });
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    endsSteps = false;
    handlers.forEach((stop) => stop());
  };
}

/** Resolves to the exit code; never settles while this process is ending. `output` is the target of stdout. */
export function run(program, args, { output = 'inherit', env = process.env, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', output, output === 'inherit' ? 'inherit' : 2];
    // Its own process group, so that its children can be ended with it.
    const child = spawn(program, args, { cwd, env, stdio, detached: endsSteps });
    running.add(child);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      if (!ending) resolve(code ?? 128 + (signalNumbers[signal] ?? 9));
    });
  });
}

export const runScript = (script, args, options) => run(process.execPath, [`${root}${script}`, ...args], options);

/** The npm that started this process, else the one on the PATH. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith('npm-cli.js') ? run(process.execPath, [npm, ...args], options) : run('npm', args, options);
}
