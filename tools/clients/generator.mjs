import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatorJar } from './installed.mjs';
import { outputOf } from './program.mjs';

/** Only for the path of the Go module and its README. */
const NAMES = { gitUserId: 'generated', gitRepoId: 'client' };
/**
 * With its own naming, the generator's check whether an object is an appointment is too complex for TypeScript: it asks for each
 * member under two names.
 */
const OPTIONS = { 'typescript-fetch': { modelPropertyNaming: 'original' } };
const NO_TESTS = { apiTests: 'false', modelTests: 'false', apiDocs: 'false', modelDocs: 'false' };
/** The JVM lives for seconds. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Generates clients of the document with this version, each by a generator, in a folder of its name. */
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
