/**
 * Lists the production files that handle one message: those with a function that the main thread calls for a message of a known
 * customer, posted under an Idempotency-Key to an existing thread.
 *   node tools/trace-post.mjs [--checkout <folder of a built clone>] [--functions]
 * Omits start-up, the writer's thread, `libs/adapters`, projections and reactors; counts the engine separately.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './launch/prepare.mjs';
import { root } from './launch/run.mjs';
import { TracedGateway } from './trace/traced-gateway.mjs';

const WARM_UPS = 3;
/** A file counts if every post called it, which excludes timers. */
const POSTS = 10;
const LEFT_OUT = /^libs\/(adapters|agent-[^/]+|application\/src\/(projections|reactors))\/|\.projection\.ts$/;
const ENGINE = /^libs\/engine-/;

const { values } = parseArgs({ options: { checkout: { type: 'string' }, functions: { type: 'boolean', default: false } } });
const checkout = values.checkout ? resolve(values.checkout) : root;
const built = join(checkout, 'dist/apps/gateway');

function sourcesIn(scripts) {
  const compiled = scripts.map(({ url, functions }) => [fileURLToPath(url), functions]);
  const ours = compiled
    .filter(([path]) => path.startsWith(`${built}/`))
    .map(([path, functions]) => [path.slice(built.length + 1).replace(/\.js$/, '.ts'), functions]);
  return new Map(ours.filter(([path]) => existsSync(join(checkout, path)) && !LEFT_OUT.test(path)));
}

async function trace() {
  const gateway = await TracedGateway.start(built);
  try {
    for (let post = 0; post < WARM_UPS; post += 1) await gateway.post();
    const posts = [];
    for (let post = 0; post < POSTS; post += 1) posts.push(sourcesIn(await gateway.callsOfOnePost()));
    const [first, ...others] = posts;
    return [...first].filter(([path]) => others.every((calls) => calls.has(path))).sort(byFolder);
  } finally {
    await gateway.stop();
  }
}

/** A folder's files before those of its subfolders. */
const byFolder = ([one], [other]) => dirname(one).localeCompare(dirname(other)) || one.localeCompare(other);

const linesOf = (path) => readFileSync(join(checkout, path), 'utf8').split('\n').length - 1;

function printFiles(files) {
  let folder;
  for (const [path, functions] of files) {
    if (dirname(path) !== folder) console.log((folder = dirname(path)));
    const names = values.functions ? `  ${functions.map((name) => name || '=>').join(' ')}` : '';
    console.log(`  ${String(linesOf(path)).padStart(4)}  ${path.slice(folder.length + 1)}${names}`);
  }
}

function sum(files) {
  return `${files.length} files, ${files.reduce((lines, [path]) => lines + linesOf(path), 0)} lines`;
}

if (!values.checkout) await prepare();
const files = await trace();
printFiles(files);
console.log(`Outside the engine: ${sum(files.filter(([path]) => !ENGINE.test(path)))}`);
console.log(`In the engine: ${sum(files.filter(([path]) => ENGINE.test(path)))}`);
