import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../launch/run.mjs';

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'code_conformance',
];

function argumentsFor({ url, apiKey }, report, { operations, examples, seed }) {
  return [
    '--config-file',
    join(root, 'tools/fuzz/schemathesis.toml'),
    'run',
    `${url}/openapi.json`,
    '--header',
    `Authorization: Bearer ${apiKey}`,
    '--checks',
    checks.join(','),
    '--max-examples',
    examples,
    // Slow generation on a busy machine says nothing about the service.
    '--suppress-health-check',
    'too_slow',
    '--report',
    'junit',
    '--report-junit-path',
    report,
    ...operations.flatMap((operation) => ['--include-name', operation]),
    ...(seed ? ['--seed', seed] : []),
  ];
}

/** Prints the output at the end, because several run at once. */
function ended(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
    process.once('exit', () => child.kill('SIGKILL'));
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(said);
      resolve(code);
    });
  });
}

/** `folder` must exist and be used by this fuzzer only. */
export async function fuzz(program, service, folder, options) {
  const report = join(folder, 'report.xml');
  const tally = join(folder, 'tally.json');
  const env = {
    ...process.env,
    PYTHONPATH: join(root, 'tools/fuzz'),
    PYTHONDONTWRITEBYTECODE: '1',
    FUZZ_BASE_URL: service.url,
    FUZZ_API_KEY: service.apiKey,
    FUZZ_TALLY: tally,
  };
  const code = await ended(program, argumentsFor(service, report, options), { cwd: folder, env });
  return {
    code,
    answers: existsSync(tally) ? JSON.parse(readFileSync(tally, 'utf8')) : {},
    report: existsSync(report) ? readFileSync(report, 'utf8') : '',
  };
}
