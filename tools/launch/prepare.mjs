import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cleaningUp } from './cleaning-up.mjs';
import { exclusively } from './exclusively.mjs';
import { fingerprint, isInstalled } from './freshness.mjs';
import { requireSupportedNode } from './node-version.mjs';
import { root, run, runNpm, runScript } from './run.mjs';

const built = 'dist/apps/gateway';
const workshop = 'dist/.building';
const stamp = '.built-from';
const withLauncher = `--import=${new URL('end-with-launcher.mjs', import.meta.url)}`;
const env = { ...process.env, NODE_OPTIONS: [process.env.NODE_OPTIONS, withLauncher].filter(Boolean).join(' ') };
const toStderr = { output: 2, env };

const say = (line) => process.stderr.write(`${line}\n`);

function isBuilt() {
  const file = join(root, built, stamp);
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprint(root);
}

async function install() {
  say('Installing packages (only when the lock file changed; about a minute) …');
  // Building needs development packages, which NODE_ENV=production would omit.
  const code = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], toStderr);
  if (code !== 0) throw new Error(`Installing failed: npm ci ended with ${code}, and what it said is above.`);
}

async function compileInto(folder) {
  const tsconfig = `${workshop}/tsconfig.json`;
  const options = {
    extends: '../../apps/gateway/tsconfig.app.json',
    compilerOptions: { outDir: folder },
    include: ['../../apps/*/src'],
  };
  writeFileSync(join(root, tsconfig), JSON.stringify(options));
  const require = createRequire(import.meta.url);
  const code = await run(
    process.execPath,
    [require.resolve('@nestjs/cli/bin/nest.js'), 'build', 'gateway', '--path', tsconfig],
    toStderr,
  );
  if (code !== 0) throw new Error('Building failed, and what the compiler said is above.');
}

async function bundle(folder) {
  const code = await runScript('tools/bundle.mjs', [join(root, folder)], toStderr);
  if (code !== 0) throw new Error('Bundling failed, and what the bundler said is above.');
}

/** Builds beside the current output and swaps the two, so that an incomplete build never runs. */
async function build() {
  say('Building (only when sources changed; a few seconds) …');
  const place = (path) => join(root, path);
  const from = fingerprint(root);
  const clear = () => rmSync(place(workshop), { recursive: true, force: true });
  clear();
  mkdirSync(place(workshop), { recursive: true });
  await cleaningUp(async () => {
    await compileInto('./fresh');
    await bundle(`${workshop}/fresh`);
    writeFileSync(place(`${workshop}/fresh/${stamp}`), from);
    mkdirSync(place('dist/apps'), { recursive: true });
    if (existsSync(place(built))) renameSync(place(built), place(`${workshop}/former`));
    renameSync(place(`${workshop}/fresh`), place(built));
  }, clear);
}

async function makeReady(toBuild) {
  const isReady = () => isInstalled(root) && (!toBuild || isBuilt());
  if (isReady()) return;
  const onWait = (pid) => say(`Waiting for process ${pid}, which installs or builds here …`);
  await exclusively(join(root, 'dist/.preparing'), onWait, async () => {
    if (!isInstalled(root)) await install();
    if (toBuild && !isBuilt()) await build();
  });
}

export async function prepare({ toBuild = true } = {}) {
  requireSupportedNode();
  try {
    await makeReady(toBuild);
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
}
