import { jsonFrom, plant } from './planted-tree.js';

type Kind = 'files' | 'exports' | 'types' | 'dependencies';
type Issue = { readonly file: string } & { readonly [K in Kind]?: readonly { readonly name: string }[] };

interface Planted {
  readonly what: string;
  readonly found: string;
}

const tree = plant({
  'apps/gateway/src/main.ts': `import { used } from '@domain/used';\nimport type { Used } from '@domain/used';\nconst a: Used = used;\nvoid a;\n`,
  'libs/domain/src/used.ts':
    'export type Used = number;\nexport type Unused = string;\nexport const used: Used = 1;\nexport const unused = 2;\nexport const onlyTested = 3;\n',
  'libs/domain/src/used.spec.ts': `import { onlyTested } from './used.js';\nimport { tested } from './only-tested.js';\nvoid [onlyTested, tested];\n`,
  'libs/domain/src/only-tested.ts': 'export const tested = 1;\n',
  'libs/domain/src/never.ts': 'export const never = 1;\n',
  'tools/chaos/never.mjs': 'export const never = 1;\n',
});

function issuesOf(...args: readonly string[]): readonly string[] {
  const { issues } = jsonFrom('knip/bin/knip.js', ['--reporter', 'json', ...args], tree.folder) as { issues: readonly Issue[] };
  const kinds: readonly Kind[] = ['files', 'exports', 'types', 'dependencies'];
  return issues.flatMap((issue) =>
    kinds.flatMap((kind) =>
      (issue[kind] ?? []).map(({ name }) => (kind === 'files' ? name : `${kind}: ${name} of ${issue.file}`)),
    ),
  );
}

describe('code that is never used', () => {
  let everything: readonly string[] = [];
  let production: readonly string[] = [];
  beforeAll(() => {
    everything = issuesOf();
    production = issuesOf('--production');
  });
  afterAll(() => tree.remove());

  it.each<Planted>([
    { what: 'a file', found: 'libs/domain/src/never.ts' },
    { what: 'a script', found: 'tools/chaos/never.mjs' },
    { what: 'an export', found: 'exports: unused of libs/domain/src/used.ts' },
    { what: 'an exported type', found: 'types: Unused of libs/domain/src/used.ts' },
    { what: 'a package', found: 'dependencies: qs of package.json' },
  ])('is found: $what', ({ found }) => expect(everything).toContain(found));

  it.each<Planted>([
    { what: 'a file', found: 'libs/domain/src/only-tested.ts' },
    { what: 'an export', found: 'exports: onlyTested of libs/domain/src/used.ts' },
  ])('is found where only a spec uses it: $what', ({ found }) => {
    expect(production).toContain(found);
    expect(everything).not.toContain(found);
  });

  it('is not what something uses', () => {
    expect([...everything, ...production].filter((issue) => issue.includes(': used of '))).toEqual([]);
  });
});
