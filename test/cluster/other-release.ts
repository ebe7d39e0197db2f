import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE } from '../e2e/harness/app.js';

const { version: OWN } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
/** As the bundler writes it; libraries have versions of their own. */
const DECLARED = new RegExp(`\\b(VERSION(?:\\$\\d+)? = )"${OWN.replaceAll('.', '\\.')}"`, 'g');

/** A build like this one that calls itself another release. */
export class OtherRelease {
  private constructor(readonly bundle: string) {}

  /** Beside the build, where its imports lead to the same packages. */
  static of(version: string): OtherRelease {
    const bundle = `${BUNDLE}-${version}-${process.pid}`;
    cpSync(BUNDLE, bundle, { recursive: true });
    let renamed = 0;
    for (const name of readdirSync(bundle).filter((each) => each.endsWith('.js'))) {
      const file = join(bundle, name);
      const text = readFileSync(file, 'utf8').replace(DECLARED, (_, before: string) => {
        renamed += 1;
        return `${before}"${version}"`;
      });
      writeFileSync(file, text);
    }
    if (renamed !== 1) throw new Error(`The release is named ${renamed} times in the build.`);
    return new OtherRelease(bundle);
  }

  remove(): void {
    rmSync(this.bundle, { recursive: true, force: true });
  }
}
