import { spawn } from 'node:child_process';
import { root } from '../launch/run.mjs';

const KEPT = 4_000;

/** Resolves to stdout. Rejects with the end of all output if the program fails. */
export function outputOf(program, args, { cwd = root, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    let output = '';
    let all = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (all += text));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('exit', end);
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code ?? signal}:\n${all.slice(-KEPT)}`));
    });
  });
}

/** -C checks checksums strictly. */
export const maven = (folder, args) =>
  outputOf('mvn', ['-B', '-ntp', '-q', '-C', '-Dstyle.color=never', ...args], { cwd: folder });
