import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonFrom, plant, root } from './planted-tree.js';

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly cycle?: readonly { readonly name: string }[];
}

interface Planted {
  readonly rule: string;
  readonly file: string;
  readonly imports: string;
  /** It imports a type only, which leaves no trace at run time. */
  readonly type?: true;
  /** A rule that the file breaks by its place alone. */
  readonly also?: string;
}

/** Files that break one rule each, and no other unless `also` says so. */
const planted: readonly Planted[] = [
  { rule: 'kit-imports-nothing', file: 'libs/kit/src/a.ts', imports: 'node:timers' },
  { rule: 'kit-imports-nothing', file: 'libs/kit/src/b.ts', imports: '@domain/kept' },
  { rule: 'kit-imports-nothing', file: 'libs/kit/src/c.ts', imports: '@ports/kept.port', type: true },
  { rule: 'kit-imports-nothing', file: 'libs/kit/src/d.ts', imports: '@nestjs/common' },
  { rule: 'domain-imports-nothing', file: 'libs/domain/src/a.ts', imports: 'node:crypto' },
  { rule: 'domain-imports-nothing', file: 'libs/domain/src/b.ts', imports: '@ports/kept.port' },
  { rule: 'domain-imports-nothing', file: 'libs/domain/src/c.ts', imports: 'luxon' },
  { rule: 'domain-imports-nothing', file: 'libs/domain/src/d.ts', imports: '@ports/kept.port', type: true },
  { rule: 'domain-imports-nothing', file: 'libs/domain/src/e.ts', imports: '@kit/kept' },
  { rule: 'domain-imports-nothing', file: 'libs/domain/src/f.ts', imports: 'lru-cache' },
  { rule: 'ports-import-the-domain', file: 'libs/ports/src/c.port.ts', imports: '@kit/kept' },
  { rule: 'ports-import-the-domain', file: 'libs/ports/src/a.port.ts', imports: 'node:events' },
  { rule: 'ports-import-the-domain', file: 'libs/ports/src/b.port.ts', imports: '@application/runtime/kept' },
  { rule: 'application-imports-domain-and-ports', file: 'libs/application/src/runtime/a.ts', imports: '@platform/kept' },
  { rule: 'application-imports-domain-and-ports', file: 'libs/application/src/runtime/b.ts', imports: 'ipaddr.js' },
  { rule: 'application-imports-domain-and-ports', file: 'libs/application/src/runtime/c.ts', imports: 'node:fs' },
  { rule: 'features-import-earlier-ones', file: 'libs/application/src/claims/late.ts', imports: '@application/webhooks/kept' },
  {
    rule: 'features-import-earlier-ones',
    file: 'libs/application/src/conversations/memory/late.ts',
    imports: '@application/conversations/kept',
    type: true,
  },
  { rule: 'features-are-known', file: 'libs/application/src/unheard-of/a.ts', imports: '@domain/kept' },
  { rule: 'features-are-known', file: 'libs/application/src/loose.ts', imports: '@domain/kept' },
  { rule: 'engine-embedded-imports-its-driver', file: 'libs/engine-embedded/src/a.ts', imports: '@application/runtime/kept' },
  { rule: 'engine-embedded-imports-its-driver', file: 'libs/engine-embedded/src/b.ts', imports: 'ipaddr.js' },
  { rule: 'engine-cluster-imports-its-drivers', file: 'libs/engine-cluster/src/a.ts', imports: '@application/runtime/kept' },
  { rule: 'engine-cluster-imports-its-drivers', file: 'libs/engine-cluster/src/b.ts', imports: '@photostructure/sqlite' },
  { rule: 'adapters-import-their-drivers', file: 'libs/adapters/src/a.ts', imports: '@application/runtime/kept' },
  { rule: 'adapters-import-their-drivers', file: 'libs/adapters/src/b.ts', imports: '@photostructure/sqlite' },
  { rule: 'tracing-has-one-adapter', file: 'libs/adapters/src/clock/a.ts', imports: '@opentelemetry/api' },
  { rule: 'agent-scripted-imports-the-ports', file: 'libs/agent-scripted/src/a.ts', imports: 'node:fs' },
  { rule: 'agent-scripted-imports-the-ports', file: 'libs/agent-scripted/src/b.ts', imports: '@adapters/kept' },
  { rule: 'agent-scripted-imports-the-ports', file: 'libs/agent-scripted/src/c.ts', imports: '@kit/kept' },
  { rule: 'adapters-import-their-drivers', file: 'libs/adapters/src/c.ts', imports: 'luxon' },
  { rule: 'composition-imports-what-apps-share', file: 'libs/composition/src/a.ts', imports: 'ipaddr.js' },
  { rule: 'platform-imports-ports', file: 'libs/platform/src/a.ts', imports: '@domain/kept' },
  { rule: 'only-modules-import-an-engine', file: 'apps/gateway/src/engine.ts', imports: '@engine-embedded/kept' },
  {
    rule: 'engines-stay-apart',
    file: 'libs/engine-unheard-of/src/borrowed.ts',
    imports: '@engine-embedded/kept',
    also: 'libraries-are-known',
  },
  { rule: 'apps-stay-apart', file: 'apps/delivery/src/a.ts', imports: '../../gateway/src/kept.js' },
  { rule: 'console-imports-no-library', file: 'apps/console/src/a.tsx', imports: '@domain/kept' },
  { rule: 'console-imports-no-library', file: 'apps/console/src/b.ts', imports: '@domain/kept', type: true },
  { rule: 'apps-stay-apart', file: 'apps/console/src/c.ts', imports: '../../gateway/src/kept.js' },
  { rule: 'console-imports-its-packages', file: 'apps/console/src/d.ts', imports: 'luxon' },
  { rule: 'console-imports-its-packages', file: 'apps/console/src/e.ts', imports: 'node:crypto' },
  { rule: 'console-imports-its-packages', file: 'apps/console/src/f.ts', imports: 'axe-core' },
  { rule: 'nothing-imports-an-app', file: 'libs/testing/src/a.ts', imports: '../../../apps/gateway/src/kept.js' },
  { rule: 'only-tests-import-testing', file: 'apps/gateway/src/fakes.ts', imports: '@testing/kept' },
  { rule: 'only-tests-import-contracts', file: 'apps/gateway/src/promises.ts', imports: '@ports/contracts/kept.contract' },
  { rule: 'nothing-imports-a-spec', file: 'test/e2e/borrowed.ts', imports: '../architecture/kept.spec.js' },
  { rule: 'end-to-end-tests-stay-outside', file: 'test/e2e/inside.e2e-spec.ts', imports: '@domain/kept' },
  { rule: 'launching-needs-nothing-installed', file: 'tools/launch/early.mjs', imports: 'ipaddr.js' },
  { rule: 'end-to-end-tests-stay-outside', file: 'test/e2e/beside.e2e-spec.ts', imports: '../../apps/gateway/src/kept.js' },
  ...['start', 'build', 'test', 'check'].map((name) => ({
    rule: 'launching-needs-nothing-installed',
    file: `tools/${name}.mjs`,
    imports: 'pino',
  })),
  {
    rule: 'what-ships-imports-neither-tools-nor-tests',
    file: 'apps/gateway/src/borrowed.ts',
    imports: '../../../tools/launch/kept.mjs',
  },
  { rule: 'libraries-are-known', file: 'libs/unheard-of/src/a.ts', imports: 'ipaddr.js' },
  { rule: 'libraries-are-known', file: 'libs/engine-unheard-of/src/a.ts', imports: 'ipaddr.js' },
  { rule: 'no-cycles', file: 'libs/domain/src/circle.ts', imports: './circle-back.js' },
  { rule: 'no-cycles', file: 'libs/domain/src/circle-back.ts', imports: './circle.js' },
  { rule: 'no-cycles', file: 'libs/ports/src/circle.ts', imports: './circle-back.js', type: true },
  { rule: 'no-cycles', file: 'libs/ports/src/circle-back.ts', imports: './circle.js', type: true },
  { rule: 'imports-exist', file: 'apps/gateway/src/missing.ts', imports: '@domain/no-such-file' },
  { rule: 'packages-are-declared', file: 'apps/gateway/src/undeclared.ts', imports: 'semver' },
  { rule: 'production-needs-no-development-package', file: 'apps/gateway/src/early.ts', imports: 'fast-check' },
];

/** The targets of the planted imports, and imports that are allowed. */
const harmless: Readonly<Record<string, string>> = {
  'libs/kit/src/kept.ts': `import './beside.js';`,
  'libs/kit/src/beside.ts': 'export const beside = 1;',
  'libs/kit/src/kept.spec.ts': `import '@testing/kept';\nimport 'fast-check';`,
  'libs/domain/src/kept.ts': 'export const kept = 1;',
  'libs/domain/src/kept.spec.ts': `import '@testing/kept';\nimport 'fast-check';`,
  'libs/ports/src/kept.port.ts': `import '@domain/kept';`,
  'libs/ports/src/contracts/kept.contract.ts': `import 'node:crypto';\nimport '@testing/kept';`,
  'libs/application/src/runtime/kept.ts': `import '@domain/kept';\nimport '@kit/kept';\nimport '@ports/kept.port';\nimport '@nestjs/cqrs';\nimport 'lru-cache';`,
  'libs/application/src/conversations/memory/kept.ts': `import '@application/claims/kept';`,
  'libs/application/src/conversations/kept.ts': `import '@application/conversations/memory/kept';`,
  'libs/application/src/webhooks/kept.ts': `import '@application/conversations/kept';`,
  'libs/application/src/claims/kept.ts': `import '@application/runtime/kept';`,
  'libs/engine-embedded/src/kept.ts': `import 'node:fs';\nimport '@photostructure/sqlite';\nimport 'lru-cache';\nimport '@kit/kept';\nimport '@ports/kept.port';`,
  'libs/engine-embedded/src/kept.spec.ts': `import '@ports/contracts/kept.contract';\nimport './kept.js';`,
  'libs/engine-cluster/src/kept.ts': `import 'node:net';\nimport '@eventstore/db-client';\nimport 'kafkajs';\nimport 'mongodb';\nimport '@kit/kept';\nimport '@ports/kept.port';`,
  'libs/engine-cluster/src/kept.cluster-spec.ts': `import '@ports/contracts/kept.contract';\nimport '@testing/kept';`,
  'libs/adapters/src/kept.ts': `import 'node:crypto';\nimport 'ipaddr.js';\nimport '@kit/kept';\nimport '@ports/kept.port';`,
  'libs/agent-scripted/src/kept.ts': `import 'luxon';\nimport '@domain/kept';\nimport '@ports/kept.port';`,
  'libs/composition/src/kept.module.ts': `import '@engine-embedded/kept';\nimport '@adapters/kept';\nimport '@agent-scripted/kept';\nimport '@application/runtime/kept';\nimport '@platform/kept';\nimport '@nestjs/common';\nimport 'fastify';`,
  'libs/platform/src/kept.ts': `import 'pino';\nimport '@nestjs/common';\nimport '@kit/kept';\nimport '@ports/kept.port';`,
  'libs/testing/src/kept.ts': `import '@engine-embedded/kept';\nimport '@application/runtime/kept';\nimport '@kit/kept';`,
  'apps/gateway/src/kept.ts': `import 'fastify';\nimport '@application/runtime/kept';\nimport '@adapters/kept';\nimport '@kit/kept';`,
  'apps/gateway/src/gateway.module.ts': `import '@engine-embedded/kept';\nimport '@platform/kept';`,
  'apps/console/src/kept.tsx': `import 'preact/hooks';\nimport 'preact-iso';\nimport '@preact/signals';\nimport 'openapi-fetch';`,
  'test/architecture/kept.spec.ts': `import '../../apps/gateway/src/kept.js';`,
  'test/e2e/kept.e2e-spec.ts': `import '@testing/kept';`,
  'tools/launch/kept.mjs': `import 'node:fs';`,
};

function violations(folder: string): readonly Violation[] {
  const script = 'dependency-cruiser/bin/dependency-cruise.mjs';
  const report = jsonFrom(script, ['--output-type', 'json', 'apps', 'libs', 'test', 'tools'], folder);
  return (report as { summary: { violations: Violation[] } }).summary.violations;
}

/** A cycle is reported once, from any of its files. */
const filesOf = ({ from, cycle = [] }: Violation): readonly string[] => [from, ...cycle.map(({ name }) => name)];

function configuredRules(): readonly string[] {
  const config = readFileSync(join(root, '.dependency-cruiser.mjs'), 'utf8');
  return [...config.matchAll(/(?:name: |allowlist\()'([a-z-]+)'/g)].map(([, name]) => name as string);
}

describe('who may import whom', () => {
  const tree = plant({
    ...harmless,
    ...Object.fromEntries(
      planted.map(({ file, imports, type }) => [
        file,
        `import ${type ? 'type { a as b } from ' : ''}'${imports}';\nexport const a = 1;\n`,
      ]),
    ),
  });
  let found: readonly Violation[] = [];
  beforeAll(() => {
    found = violations(tree.folder);
  });
  afterAll(() => tree.remove());

  it('holds in this repository', () => expect(violations(root)).toEqual([]));

  it.each(planted)('$rule: $file may not import $imports', ({ rule, file, also }) => {
    const named = found.filter((violation) => filesOf(violation).includes(file)).map((violation) => violation.rule.name);
    expect([...new Set(named)].sort()).toEqual([rule, ...(also ? [also] : [])]);
  });

  it('leaves alone what is allowed', () => expect(found.flatMap(filesOf).filter((file) => file in harmless)).toEqual([]));

  it('has a planted violation for every rule', () =>
    expect([...new Set(planted.map(({ rule }) => rule))].sort()).toEqual([...configuredRules()].sort()));
});
