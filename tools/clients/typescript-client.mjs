import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/run.mjs';
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

/** Compiles all sources of the folder. */
function compile(folder) {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  return outputOf(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
}

/** Checks that the TypeScript client and the types for a client of one's own compile. */
export async function checkTypescriptClient(check, { folder, document }) {
  await check('TypeScript, with fetch: the client compiles', () => compile(join(folder, 'typescript-fetch')));
  await check('TypeScript, by openapi-typescript: the types compile', async () => {
    const types = join(folder, 'openapi-typescript');
    mkdirSync(types);
    const program = join(await npmTools(), 'node_modules/openapi-typescript/bin/cli.js');
    await outputOf(process.execPath, [program, document, '--output', join(types, 'index.ts')]);
    await compile(types);
  });
}
