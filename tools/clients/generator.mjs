import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatorJar } from './installed.mjs';
import { outputOf } from './program.mjs';

/** For the path of the Go module and its README only. */
const NAMES = { gitUserId: 'generated', gitRepoId: 'client' };
/** With default names the generated type guard of appointments is too complex for TypeScript: it checks each member under two names. */
const OPTIONS = { 'typescript-fetch': { modelPropertyNaming: 'original' } };
const NO_TESTS = { apiTests: 'false', modelTests: 'false', apiDocs: 'false', modelDocs: 'false' };
/** The JVM lives for seconds. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

export async function generate(version, document, folder, generators) {
  const configs = generators.map((generatorName) => {
    const path = join(folder, `${generatorName}.json`);
    const outputDir = join(folder, generatorName);
    const config = {
      generatorName,
      inputSpec: document,
      outputDir,
      globalProperties: NO_TESTS,
      ...NAMES,
      ...OPTIONS[generatorName],
    };
    writeFileSync(path, JSON.stringify(config));
    return path;
  });
  const args = [...SHORT_LIVED, '-jar', await generatorJar(version), 'batch', '--fail-fast', ...configs];
  await outputOf('java', args, { cwd: folder });
}
