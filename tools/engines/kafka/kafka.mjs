import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../launch/run.mjs';
import { EngineProcess } from '../engine-process.mjs';
import { freePort } from '../free-port.mjs';
import { install, installationOf, pathGaps } from '../installation.mjs';
import { VERSIONS } from '../versions.mjs';
import { kafkaGaps } from './requirements.mjs';

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const pom = fileURLToPath(new URL('pom.xml', import.meta.url));

const nameOf = (version) => `kafka-${version}`;
const areInstalled = (versions) => versions.every((version) => existsSync(installationOf(nameOf(version))));
const gapsOf = (...versions) => [...kafkaGaps(areInstalled(versions)), ...pathGaps()];
const gaps = () => gapsOf(VERSIONS.kafka);
const gapsForTests = () => gapsOf(VERSIONS.kafka, VERSIONS.formerKafka);

async function provision(version = VERSIONS.kafka) {
  return install(nameOf(version), async (folder) => {
    // -C checks checksums strictly.
    const goal = ['-B', '-ntp', '-q', '-C', '-Dstyle.color=never', '-f', pom, `-Dkafka.version=${version}`, COPY];
    const code = await run('mvn', [...goal, '-DincludeScope=runtime', `-DoutputDirectory=${folder}`], { output: 2 });
    if (code !== 0) throw new Error(`Kafka ${version}: mvn ended with ${code}, and what it said is above.`);
  });
}

export async function startKafka({ version = VERSIONS.kafka, port, controllerPort, ...options }) {
  const [gap] = gapsOf(version);
  if (gap !== undefined) throw new Error(`Kafka: ${gap}`);
  const jars = join(await provision(version), '*');
  const ports = { port: port ?? (await freePort()), controllerPort: controllerPort ?? (await freePort()) };
  return EngineProcess.start(new URL('host.mjs', import.meta.url), { ...options, ...ports, jars });
}

export const KAFKA = { name: 'kafka', variable: 'KAFKA_BROKERS', gaps, gapsForTests, provision, start: startKafka };
