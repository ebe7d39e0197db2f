import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../launch/run.mjs';
import { callEnvironment, callsOf, checkCalls } from './calls.mjs';
import { npmTools } from './installed.mjs';
import { outputOf } from './program.mjs';

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom'],
  types: [],
};

function compile(folder) {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  return outputOf(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
}

/** What the other languages' programs do not: they read no streams. */
const CALLS = ['posts a message and reads the reply', 'reads a reply as it is said', 'goes on where a stream broke off'];

async function runCalls(client, service) {
  const file = join(client, 'calls.mjs');
  const bundle = await rolldown({ input: join(client, 'calls.ts'), platform: 'node', logLevel: 'silent' });
  await bundle.write({ file });
  return outputOf(process.execPath, [file], { env: callEnvironment(service) });
}

export async function checkTypescriptClient(check, { folder, document, service }) {
  const client = join(folder, 'typescript-fetch');
  copyFileSync(callsOf('calls.ts'), join(client, 'calls.ts'));
  await check('TypeScript, with fetch: the client compiles', () => compile(client));
  await checkCalls(check, 'TypeScript, with fetch', () => runCalls(client, service), CALLS);
  await check('TypeScript, by openapi-typescript: the types compile', async () => {
    const types = join(folder, 'openapi-typescript');
    mkdirSync(types);
    const program = join(await npmTools(), 'node_modules/openapi-typescript/bin/cli.js');
    await outputOf(process.execPath, [program, document, '--output', join(types, 'index.ts')]);
    await compile(types);
  });
}
