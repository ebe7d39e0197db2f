import { join } from 'node:path';
import { install } from '../engines/installation.mjs';
import { runNpm } from '../launch/run.mjs';
import { maven, outputOf } from './program.mjs';
import { VERSIONS } from './versions.mjs';

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const say = (name) => process.stderr.write(`Installing ${name} (once) …\n`);

export async function generatorJar(version) {
  const folder = await install(`openapi-generator-${version}`, async (target) => {
    say(`openapi-generator ${version}`);
    const jar = `-Dartifact=org.openapitools:openapi-generator-cli:${version}`;
    await maven(target, [COPY, jar, `-DoutputDirectory=${target}`, '-Dmdep.stripVersion']);
  });
  return join(folder, 'openapi-generator-cli.jar');
}

export function npmTools() {
  const packages = Object.entries(VERSIONS.npm).map(([name, version]) => `${name}@${version}`);
  return install(`clients-npm-${packages.join('-').replaceAll('/', '-')}`, async (folder) => {
    say(packages.join(', '));
    const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--loglevel=error', ...packages];
    const code = await runNpm(args, { output: 2, cwd: folder });
    if (code !== 0) throw new Error(`npm install ended with ${code}, and what it said is above.`);
  });
}

export async function pythonWithPackages() {
  const packages = Object.entries(VERSIONS.python).map(([name, version]) => `${name}==${version}`);
  const folder = await install(`clients-python-${packages.join('-')}`, async (target) => {
    say(packages.join(', '));
    await outputOf('python3', ['-m', 'venv', join(target, 'venv')]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
    await outputOf(join(target, 'venv/bin/python'), pip);
  });
  return join(folder, 'venv/bin/python');
}
