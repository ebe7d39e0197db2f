import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from './fuzz/gateway-process.mjs';
import { fuzz } from './fuzz/fuzzer-process.mjs';
import { installSchemathesis } from './fuzz/schemathesis.mjs';
import { sharesOf } from './fuzz/shares.mjs';
import { judge } from './fuzz/verdict.mjs';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps } from './launch/run.mjs';

const { values } = parseArgs({
  options: { 'max-examples': { type: 'string', default: '200' }, only: { type: 'string' }, seed: { type: 'string' } },
});

async function operationsOf(url) {
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return values.only ? all.filter((operation) => new RegExp(values.only).test(operation.split(' ')[1])) : all;
}

/** Each share has its own service: a fuzzer uses one core and is slower than the service. */
async function fuzzShare(program, operations, folder) {
  const service = await startService(join(folder, 'data'));
  try {
    const options = { operations, examples: values['max-examples'], seed: values.seed };
    const { code, answers, report } = await fuzz(program, service, folder, options);
    const { lines, passed, failed } = judge(operations, answers, report);
    const complaints = service.serverErrors();
    return { lines: [...lines, ...complaints], passed, failed, ok: failed === 0 && complaints.length === 0 && code === 0 };
  } finally {
    await service.stop();
  }
}

async function sharedOut(folder) {
  const service = await startService(join(folder, 'asked'));
  try {
    return sharesOf(await operationsOf(service.url), availableParallelism());
  } finally {
    await service.stop();
  }
}

endWithSteps(1);
await prepare();
const program = await installSchemathesis();
const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
try {
  const shares = await sharedOut(folder);
  const results = await Promise.all(shares.map((share, index) => fuzzShare(program, share, join(folder, String(index)))));
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const lines = results.flatMap((result) => result.lines);
  process.stdout.write([...lines, `${sum('passed')} passed, ${sum('failed')} failed`, ''].join('\n'));
  process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
