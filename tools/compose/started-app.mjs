import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { addressOf } from '../launch/listening.mjs';

/** The image's user; only root can start a process as another user. */
const USER = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};

function start([program, ...args], stage, variables) {
  const env = { PATH: process.env.PATH, ...stage.variables, ...variables };
  const command = program === 'node' ? process.execPath : program;
  const child = spawn(command, args, { cwd: stage.workdir, env, ...USER, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  return child;
}

/** Rejects unless every path answers 200 and the process then exits with 0. */
export async function serve(command, stage, variables, paths) {
  const child = start(command, stage, variables);
  try {
    const url = await addressOf(child);
    for (const path of paths) {
      const { status } = await fetch(`${url}${path}`);
      if (status !== 200) throw new Error(`${path} answers ${status}`);
    }
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`it ended with ${code}`);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Resolves to stderr; the process must not exit with 0. */
export async function refusal(command, stage, variables) {
  const child = start(command, stage, variables);
  let said = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  if (code === 0) throw new Error('it ended with 0');
  return said;
}
