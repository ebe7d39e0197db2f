import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonFrom, plant, root } from './planted-tree.js';

type Setting = string | readonly unknown[];

interface Config {
  readonly rules: Readonly<Record<string, Setting>>;
  readonly overrides: readonly { readonly rules: Readonly<Record<string, Setting>> }[];
}

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

interface Planted {
  readonly rule: string;
  readonly file: string;
  readonly text: string;
}

const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n');
const testOf = (body: string) => `it('holds', () => expect(1).toBe(1));\n${body}`;

/** One file each, that its rule must name. */
const planted: readonly Planted[] = [
  { rule: 'eslint/eqeqeq', file: 'libs/ports/src/a.ts', text: 'export const a = (b: string) => b == "x";' },
  { rule: 'eslint/max-lines', file: 'libs/ports/src/b.ts', text: lines(301, '// text') },
  {
    rule: 'eslint/max-lines-per-function',
    file: 'libs/ports/src/c.ts',
    text: `export function c(say: (n: number) => void): void {\n${lines(49, 'say(1);')}\n}`,
  },
  {
    rule: 'eslint/max-params',
    file: 'libs/ports/src/d.ts',
    text: `export const d = (${'abcdefghi'.replace(/./g, '$&: number, ')}) => a + b + c + d + e + f + g + h + i;`,
  },
  { rule: 'eslint/no-console', file: 'apps/gateway/src/e.ts', text: 'console.log(1);\nexport const e = 1;' },
  { rule: 'eslint/no-unused-vars', file: 'libs/ports/src/f.ts', text: 'const f = 1;\nexport const g = 2;' },
  { rule: 'eslint/no-var', file: 'libs/ports/src/g.ts', text: 'export var g = 1;' },
  { rule: 'eslint/prefer-const', file: 'libs/ports/src/h.ts', text: 'let h = 1;\nexport const i = () => h;' },
  { rule: 'import/no-default-export', file: 'libs/ports/src/i.ts', text: 'export default 1;' },
  { rule: 'unicorn/no-useless-spread', file: 'libs/ports/src/s.ts', text: 'export const s = { ...{ t: 1 } };' },
  { rule: 'local/no-export-all', file: 'libs/ports/src/j.ts', text: `export * from './h.js';` },
  { rule: 'node/no-process-env', file: 'apps/gateway/src/k.ts', text: 'export const k = process.env.K;' },
  { rule: 'typescript/no-explicit-any', file: 'libs/ports/src/l.ts', text: 'export const l = (m: any): unknown => m;' },
  {
    rule: 'typescript/no-floating-promises',
    file: 'libs/ports/src/m.ts',
    text: 'const later = async () => 1;\nexport const m = () => {\n  later();\n};',
  },
  {
    rule: 'typescript/no-misused-promises',
    file: 'libs/ports/src/n.ts',
    text: 'export const n = (all: string[]) => all.forEach(async (one) => await Promise.resolve(one));',
  },
  { rule: 'typescript/no-namespace', file: 'libs/ports/src/o.ts', text: 'export namespace O {\n  export const p = 1;\n}' },
  { rule: 'typescript/only-throw-error', file: 'libs/ports/src/p.ts', text: `export const p = () => {\n  throw 'p';\n};` },
  {
    rule: 'typescript/prefer-promise-reject-errors',
    file: 'libs/ports/src/q.ts',
    text: `export const q = () => Promise.reject('q');`,
  },
  {
    rule: 'typescript/switch-exhaustiveness-check',
    file: 'libs/ports/src/r.ts',
    text: `export function r(s: 'a' | 'b'): number {\n  switch (s) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}`,
  },
  {
    rule: 'typescript/switch-exhaustiveness-check',
    file: 'libs/domain/src/s.ts',
    text: `export function s(t: 'a' | 'b'): number {\n  switch (t) {\n    case 'a':\n      return 1;\n    default:\n      return 2;\n  }\n}`,
  },
  { rule: 'local/no-ambient-time', file: 'libs/domain/src/a.ts', text: 'export const a = () => new Date();' },
  { rule: 'local/no-ambient-time', file: 'libs/application/src/a.ts', text: 'export const a = () => Date();' },
  { rule: 'eslint/no-restricted-globals', file: 'libs/domain/src/b.ts', text: 'export const b = () => crypto.randomUUID();' },
  { rule: 'eslint/no-restricted-globals', file: 'libs/application/src/b.ts', text: 'export const b = () => performance.now();' },
  { rule: 'local/no-ambient-time', file: 'libs/domain/src/c.ts', text: 'export const c = () => Date.now();' },
  { rule: 'local/no-ambient-time', file: 'libs/adapters/src/a.ts', text: 'export const a = () => new Date().getTime();' },
  {
    rule: 'local/no-ambient-time',
    file: 'libs/engine-embedded/src/a.ts',
    text: `import { setTimeout } from 'node:timers';\nexport const a = setTimeout;`,
  },
  {
    rule: 'local/no-ambient-time',
    file: 'libs/engine-embedded/src/b.ts',
    text: `import { setTimeout as later } from 'node:timers/promises';\nexport const b = () => later(1);`,
  },
  { rule: 'local/no-ambient-time', file: 'libs/platform/src/a.ts', text: 'export const a = () => AbortSignal.timeout(1);' },
  { rule: 'local/no-ambient-time', file: 'libs/platform/src/b.ts', text: 'export const b = () => process.hrtime();' },
  {
    rule: 'local/no-ambient-time',
    file: 'apps/gateway/src/a.ts',
    text: 'export const a = (b: () => void) => setInterval(b, 1);',
  },
  { rule: 'local/no-ambient-time', file: 'apps/gateway/src/b.ts', text: 'export const b = () => performance.now();' },
  ...[
    'process.uptime();',
    'globalThis.setTimeout(Boolean, 1);',
    'globalThis.Date.now();',
    'new globalThis.Date();',
    `Date['now']();`,
    'const { now } = Date;',
    `import { scheduler } from 'node:timers/promises';`,
    `import * as later from 'node:timers/promises';\nawait later.setTimeout(1);`,
    `import later from 'node:timers';\nlater.setInterval(Boolean, 1);`,
    `import { DateTime } from 'luxon';\nDateTime.now();`,
  ].map((text, index) => ({ rule: 'local/no-ambient-time', file: `libs/adapters/src/time-${index}.ts`, text })),
  ...[
    'crypto.getRandomValues(new Uint8Array(1));',
    'globalThis.crypto.randomUUID();',
    'const { random } = Math;',
    `import * as chance from 'node:crypto';\nchance.randomBytes(1);`,
    `import { webcrypto } from 'node:crypto';`,
    `export { randomUUID } from 'node:crypto';`,
  ].map((text, index) => ({ rule: 'local/no-ambient-chance', file: `libs/adapters/src/chance-${index}.ts`, text })),
  { rule: 'local/no-ambient-chance', file: 'libs/application/src/c.ts', text: 'export const c = () => Math.random();' },
  { rule: 'local/no-ambient-chance', file: 'libs/platform/src/c.ts', text: 'export const c = () => crypto.randomUUID();' },
  {
    rule: 'local/no-ambient-chance',
    file: 'libs/adapters/src/b.ts',
    text: `import { randomBytes } from 'node:crypto';\nexport const b = () => randomBytes(8);`,
  },
  { rule: 'jest/expect-expect', file: 'libs/ports/src/a.spec.ts', text: `it('holds', () => undefined);` },
  { rule: 'jest/no-commented-out-tests', file: 'libs/ports/src/b.spec.ts', text: testOf(`// it('held', () => undefined);`) },
  { rule: 'jest/no-disabled-tests', file: 'libs/ports/src/c.spec.ts', text: `it.skip('holds', () => expect(1).toBe(1));` },
  {
    rule: 'jest/no-done-callback',
    file: 'libs/ports/src/d.spec.ts',
    text: `it('holds', (done) => {\n  expect(1).toBe(1);\n  done();\n});`,
  },
  { rule: 'jest/no-focused-tests', file: 'libs/ports/src/e.spec.ts', text: `it.only('holds', () => expect(1).toBe(1));` },
  { rule: 'jest/no-identical-title', file: 'libs/ports/src/f.spec.ts', text: testOf(`it('holds', () => expect(2).toBe(2));`) },
  {
    rule: 'jest/no-restricted-matchers',
    file: 'libs/ports/src/g.spec.ts',
    text: `it('calls', () => expect(jest.fn()).toHaveBeenCalledWith(1));`,
  },
  { rule: 'jest/no-test-prefixes', file: 'libs/ports/src/h.spec.ts', text: `fit('holds', () => expect(1).toBe(1));` },
  {
    rule: 'local/every-test-runs',
    file: 'test/e2e/a.e2e-spec.ts',
    text: `it.skip('holds', () => expect(1).toBe(1));`,
  },
  { rule: 'local/every-test-runs', file: 'test/e2e/b.e2e-spec.ts', text: `fit('holds', () => expect(1).toBe(1));` },
  ...['xit', 'xtest', 'fdescribe', 'xdescribe', 'it.only', 'it.failing', 'describe.skip', `it['skip']`, 'it.concurrent.skip'].map(
    (way, index) => ({
      rule: 'local/every-test-runs',
      file: `test/e2e/way-${index}.e2e-spec.ts`,
      text: `${way}('holds', () => 1);`,
    }),
  ),
  ...['it.each([1]).skip', 'xit.each([1])'].map((way, index) => ({
    rule: 'local/every-test-runs',
    file: `test/e2e/each-${index}.e2e-spec.ts`,
    text: `${way}('holds', () => 1);`,
  })),
  { rule: 'local/every-test-runs', file: 'libs/ports/src/contracts/a.contract.ts', text: `it.todo('holds');` },
  { rule: 'jest/valid-expect', file: 'libs/ports/src/i.spec.ts', text: `it('holds', () => {\n  expect(1);\n});` },
];

/** The same code in places where its rule does not apply. */
const harmless: Readonly<Record<string, string>> = {
  'libs/platform/src/config/settings.ts': 'export const port = process.env.PORT;',
  'libs/adapters/src/clock.system.ts': 'export const now = () => Date.now() + new Date().getTime();',
  'libs/adapters/src/ids.ulid.ts': 'export const chance = () => Math.random();',
  'libs/platform/src/yields.ts': `import { setImmediate } from 'node:timers';\nexport const turn = setImmediate;`,
  'libs/domain/src/kept.ts': 'export const iso = (at: number) => new Date(at).toISOString();',
  'tools/bench/bench.mjs': 'console.log(process.env.PORT);',
  'some.config.mjs': 'export default {};',
};

function diagnosticsIn(folder: string): Report['diagnostics'] {
  const args = ['--type-aware', '--format', 'json', 'apps', 'libs', 'test', 'tools', 'some.config.mjs'];
  return (jsonFrom('oxlint/bin/oxlint', args, folder) as Report).diagnostics;
}

function rulesOfTheHouse(): readonly string[] {
  const { rules, overrides } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as Config;
  const all = [rules, ...overrides.map((override) => override.rules)].flatMap((some) => Object.entries(some));
  return [...new Set(all.filter(([, setting]) => setting !== 'off').map(([name]) => name))];
}

describe('what the linter refuses', () => {
  const tree = plant({ ...harmless, ...Object.fromEntries(planted.map(({ file, text }) => [file, `${text}\n`])) });
  let found: Report['diagnostics'] = [];
  beforeAll(() => {
    found = diagnosticsIn(tree.folder);
  });
  afterAll(() => tree.remove());

  const namedIn = (file: string) => [
    ...new Set(found.filter(({ filename }) => filename === file).map(({ code }) => code.replace(/^(.*)\((.*)\)$/, '$1/$2'))),
  ];

  it.each(planted)('$rule in $file', ({ rule, file }) => expect(namedIn(file)).toContain(rule));

  it('leaves the exceptions alone', () => expect(Object.keys(harmless).flatMap(namedIn)).toEqual([]));

  it('has a planted violation for every rule', () =>
    expect([...new Set(planted.map(({ rule }) => rule))].sort()).toEqual([...rulesOfTheHouse()].sort()));
});
