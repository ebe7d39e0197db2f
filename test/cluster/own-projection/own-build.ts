import { transformSync } from '@swc/core';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BUNDLE } from '../../e2e/harness/app.js';

const ROOT = join(__dirname, '../../..');
const BUILT = dirname(BUNDLE);
const REGISTRY = 'libs/application/src/projections/projections.js';
const LIST = 'export const PROJECTIONS = [';

/** A build of the same sources with one more file, a projection, and its registration. */
export class OwnBuild {
  readonly bundle: string;

  private constructor(private readonly folder: string) {
    this.bundle = join(folder, 'bundle');
  }

  /** @param file the projection's source beside this file; it imports by relative paths @param name its export */
  static with(file: string, name: string): OwnBuild {
    // Beside the build, where its imports lead to the same packages.
    const build = new OwnBuild(`${BUILT}-own-${process.pid}`);
    cpSync(BUILT, build.folder, { recursive: true, filter: (path) => path !== BUNDLE });
    build.compile(join(__dirname, file), name);
    execFileSync(process.execPath, [join(ROOT, 'tools/bundle.mjs'), build.folder], { stdio: 'pipe' });
    return build;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private compile(source: string, name: string): void {
    const place = relative(ROOT, source).replace(/\.ts$/, '.js');
    const { code } = transformSync(readFileSync(source, 'utf8'), {
      module: { type: 'es6' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    const compiled = join(this.folder, place);
    mkdirSync(dirname(compiled), { recursive: true });
    writeFileSync(compiled, code);
    const registry = join(this.folder, REGISTRY);
    const text = readFileSync(registry, 'utf8');
    if (text.split(LIST).length !== 2) throw new Error('The projections are not listed as they were.');
    const path = relative(dirname(registry), compiled);
    writeFileSync(registry, `import { ${name} } from './${path}';\n${text.replace(LIST, `${LIST}${name},`)}`);
  }
}
