import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callEnvironment, callsOf, checkCalls } from './calls.mjs';
import { maven, outputOf } from './program.mjs';

const CLASS_PATH = ['dependency:build-classpath', '-Dmdep.outputFile=classpath', '-Dmdep.includeScope=runtime'];

async function run(folder, service) {
  const path = [join(folder, 'target/classes'), readFileSync(join(folder, 'classpath'), 'utf8').trim()].join(':');
  return outputOf('java', ['-cp', path, callsOf('Calls.java')], { env: callEnvironment(service) });
}

/** One after the other: Maven's cache allows one build at a time. */
export async function checkMavenClients(check, { folder, formerFolder, service }) {
  const java = join(folder, 'java');
  await check('Java: the client compiles', () => maven(java, ['compile', ...CLASS_PATH]));
  await checkCalls(check, 'Java', () => run(java, service));
  await check('Java, by the older generator: the client compiles', () => maven(join(formerFolder, 'java'), ['compile']));
  await check('Kotlin: the client compiles', () => {
    const kotlin = join(folder, 'kotlin');
    copyFileSync(fileURLToPath(new URL('kotlin/pom.xml', import.meta.url)), join(kotlin, 'pom.xml'));
    return maven(kotlin, ['compile']);
  });
}
