import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Every installed package (nested ones too) that is ES modules only: Jest runs in CommonJS mode and must lower them. */
function esmPackages(dir) {
  const modules = join(dir, 'node_modules');
  if (!existsSync(join(root, modules))) return [];
  return readdirSync(join(root, modules))
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(root, modules, name)).map((inner) => join(modules, name, inner))
        : [join(modules, name)],
    )
    .flatMap((path) => {
      const file = join(root, path, 'package.json');
      const isEsm = existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).type === 'module';
      return [...(isEsm ? [path] : []), ...esmPackages(path)];
    });
}

const esm = esmPackages('.')
  .map((path) => path.replaceAll('\\', '/').replaceAll('.', '\\.'))
  .join('|');

const swc = (parser, transform) => [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser, transform, keepClassNames: true },
  },
];

/** What every project of tests has. */
export const project = {
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': swc(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    ),
    '^.+\\.m?js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`^(?!.*/(?:${esm})/(?!.*node_modules/))(?!.*\\.mjs$).*/node_modules/`],
  moduleNameMapper: {
    '^@(kit|domain|ports|application|adapters|agent-scripted|composition|engine-cluster|engine-embedded|platform|testing)/(.*)$':
      '<rootDir>/libs/$1/src/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

export default {
  projects: [
    {
      ...project,
      displayName: 'unit',
      roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
      testRegex: '\\.spec\\.ts$',
    },
    {
      ...project,
      displayName: 'e2e',
      roots: ['<rootDir>/test/e2e'],
      testRegex: '\\.e2e-spec\\.ts$',
      globalSetup: '<rootDir>/tools/launch/jest-build.mjs',
    },
  ],
  coverageProvider: 'v8',
  // The end-to-end tests wait half of their time.
  maxWorkers: 3,
  // Only ends what hangs: a busy machine may take long to start a service.
  testTimeout: 120_000,
  workerIdleMemoryLimit: '1GB',
};
