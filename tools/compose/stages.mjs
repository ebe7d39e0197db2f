import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, run } from '../launch/run.mjs';

/** Variables of npm that another npm would take for its own. */
const OF_NPM = /^(npm_(command|config_local_prefix|execpath|lifecycle_|node_execpath|package_).*|INIT_CWD)$/;

const ownEnv = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_NPM.test(name)));

function admitted() {
  const [first, ...others] = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || !others.every((line) => /^![\w.-]+$/.test(line)))
    throw new Error('.dockerignore must be * and then !names');
  return new Set(others.map((line) => line.slice(1)));
}

/** Copies the build context: tracked files that .dockerignore lets in. */
export function copyContext(folder) {
  const names = admitted();
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const path of tracked.filter((file) => names.has(file.split('/')[0]))) cpSync(join(root, path), join(folder, path));
}

function copy(argument, stage, from) {
  const words = argument.split(/\s+/).filter((word) => !word.startsWith('--'));
  const destination = words.at(-1);
  const target = join(destination.startsWith('/') ? stage.root : stage.workdir, destination);
  for (const source of words.slice(0, -1)) {
    const path = join(from, source);
    const intoFolder = destination.endsWith('/') && !statSync(path).isDirectory();
    cpSync(path, intoFolder ? join(target, basename(path)) : target, { recursive: true, verbatimSymlinks: true });
  }
}

async function shell(command, { workdir, variables }) {
  const code = await run('sh', ['-c', command], { cwd: workdir, env: { ...ownEnv(), ...variables }, output: 2 });
  if (code !== 0) throw new Error(`RUN ${command} ended with ${code}, and what it said is above.`);
}

/** Runs a Dockerfile without containers: each stage's root is a folder, and commands are this machine's. Resolves to the last stage. */
export async function runStages(stages, context, folder) {
  const roots = new Map();
  let last;
  for (const { name, instructions } of stages) {
    const stage = { root: join(folder, name), workdir: join(folder, name), variables: {}, user: 'root' };
    roots.set(name, stage.root);
    mkdirSync(stage.root);
    for (const { keyword, argument } of instructions) await execute(keyword, argument, stage, { context, roots });
    last = stage;
  }
  return last;
}

async function execute(keyword, argument, stage, { context, roots }) {
  switch (keyword) {
    case 'WORKDIR':
      stage.workdir = join(stage.root, argument);
      mkdirSync(stage.workdir, { recursive: true });
      return;
    case 'ENV':
      Object.assign(stage.variables, Object.fromEntries(argument.split(/\s+/).map((pair) => pair.split('='))));
      return;
    case 'USER':
      stage.user = argument;
      return;
    case 'COPY': {
      const [, from] = /--from=(\S+)/.exec(argument) ?? [];
      copy(argument, stage, from === undefined ? context : roots.get(from));
      return;
    }
    case 'RUN':
      await shell(argument, stage);
      return;
    default:
      throw new Error(`cannot follow the Dockerfile's ${keyword}`);
  }
}
