// Runs a Kafka broker as a child that cannot outlive this process.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFree } from '../free-port.mjs';
import { servesAll } from './metadata-probe.mjs';
import { propertiesOf } from './properties.mjs';

const options = JSON.parse(process.argv[2]);
const { directory, port, controllerPort, advertisedPort = port, jars } = options;
const MEMORY = ['-Xms128m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const DIES_TOO = ['--pdeathsig', 'KILL'];
const LOG = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];

mkdirSync(directory, { recursive: true });
const configuration = join(directory, 'server.properties');
const lines = Object.entries(propertiesOf(options)).map(([name, value]) => `${name}=${value}\n`);
writeFileSync(configuration, lines.join(''));

if (!existsSync(join(directory, 'data/meta.properties'))) {
  // An id with a leading dash would be taken for an option.
  const id = options.clusterId ?? randomBytes(16).toString('base64url').replace(/^-/, 'A');
  const format = ['kafka.tools.StorageTool', 'format', '-t', id, '-c', configuration];
  const { status } = spawnSync('setpriv', [...DIES_TOO, 'java', ...MEMORY, ...LOG, '-cp', jars, ...format], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

// The broker of a killed host holds its ports for a moment.
for (const each of [port, controllerPort]) while (!(await isFree(each))) await new Promise((resolve) => setTimeout(resolve, 50));

const java = ['java', ...MEMORY, ...LOG, '-cp', jars, 'kafka.Kafka', configuration];
const broker = spawn('setpriv', [...DIES_TOO, ...java], { stdio: 'inherit' });
broker.once('error', (error) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
let ending = false;
broker.once('exit', () => process.exit(ending ? 0 : 1));
process.once('SIGTERM', () => {
  ending = true;
  broker.kill('SIGTERM');
});
process.once('disconnect', () => {
  ending = true;
  broker.kill('SIGKILL');
});
/** A suspended broker keeps its connections open and silent, as behind a firewall that drops packets. */
const SIGNALS = { suspend: 'SIGSTOP', resume: 'SIGCONT' };
process.on('message', ({ id, command }) => {
  const signal = SIGNALS[command];
  process.send(signal ? { id, result: broker.kill(signal) } : { id, error: `there is no ${command}` });
});
await servesAll(port);
process.send({ ready: `127.0.0.1:${advertisedPort}` });
