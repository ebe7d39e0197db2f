import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE } from '../e2e/harness/app.js';

/** A build like this one, but that the rows of these collections have a newer schema. */
export class NextRelease {
  private constructor(readonly bundle: string) {}

  /** Beside the build, where its imports lead to the same packages. */
  static of(collections: readonly string[]): NextRelease {
    const bundle = `${BUNDLE}-next-${process.pid}`;
    cpSync(BUNDLE, bundle, { recursive: true });
    for (const collection of collections) raiseVersion(bundle, collection);
    return new NextRelease(bundle);
  }

  remove(): void {
    rmSync(this.bundle, { recursive: true, force: true });
  }
}

function raiseVersion(bundle: string, collection: string): void {
  const declared = new RegExp(`(name: "${collection}",\\s*version: )(\\d+)`, 'g');
  let raised = 0;
  for (const name of readdirSync(bundle).filter((each) => each.endsWith('.js'))) {
    const file = join(bundle, name);
    const text = readFileSync(file, 'utf8').replace(declared, (_, before: string, version: string) => {
      raised += 1;
      return `${before}${Number(version) + 1}`;
    });
    writeFileSync(file, text);
  }
  if (raised !== 1) throw new Error(`The schema of ${collection} is declared ${raised} times in the build.`);
}
