import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from './fuzz/gateway-process.mjs';
import { installSchemathesis } from './fuzz/schemathesis.mjs';
import { judge } from './fuzz/verdict.mjs';
import { prepare } from './launch/prepare.mjs';
import { root } from './launch/run.mjs';

const { values } = parseArgs({
  options: { 'max-examples': { type: 'string', default: '200' }, only: { type: 'string' }, seed: { type: 'string' } },
});

const checks = ['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_schema_conformance'];

function argumentsFor(url, apiKey, report) {
  return [
    ...['--config-file', join(root, 'tools/fuzz/schemathesis.toml'), 'run', `${url}/openapi.json`],
    ...['--header', `Authorization: Bearer ${apiKey}`, '--checks', checks.join(',')],
    ...['--max-examples', values['max-examples'], '--report', 'junit', '--report-junit-path', report],
    ...(values.only ? ['--include-path-regex', values.only] : []),
    ...(values.seed ? ['--seed', values.seed] : []),
  ];
}

function fuzz(program, { url, apiKey }, folder) {
  const report = join(folder, 'report.xml');
  const tally = join(folder, 'tally.json');
  const env = {
    ...process.env,
    PYTHONPATH: join(root, 'tools/fuzz'),
    PYTHONDONTWRITEBYTECODE: '1',
    FUZZ_BASE_URL: url,
    FUZZ_API_KEY: apiKey,
    FUZZ_TALLY: tally,
  };
  return new Promise((resolve, reject) => {
    const child = spawn(program, argumentsFor(url, apiKey, report), {
      cwd: folder,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    process.once('exit', () => child.kill('SIGKILL'));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, report, tally }));
  });
}

/** Operations of the document the service serves, as `POST /v1/messages`. */
async function operationsOf(url) {
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return values.only ? all.filter((operation) => new RegExp(values.only).test(operation.split(' ')[1])) : all;
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
await prepare();
const program = await installSchemathesis();
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
const service = await startService(join(folder, 'data'));
try {
  const operations = await operationsOf(service.url);
  const { code, report, tally } = await fuzz(program, service, folder);
  const answers = existsSync(tally) ? JSON.parse(readFileSync(tally, 'utf8')) : {};
  const { lines, passed, failed } = judge(operations, answers, existsSync(report) ? readFileSync(report, 'utf8') : '');
  const complaints = service.serverErrors();
  process.stdout.write([...lines, ...complaints, `${passed} passed, ${failed} failed`, ''].join('\n'));
  process.exitCode = failed > 0 || complaints.length > 0 || code !== 0 ? 1 : 0;
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
