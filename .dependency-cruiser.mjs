const testCode = ['\\.(e2e-|browser-|cluster-|soak-)?spec\\.ts$', '^libs/ports/src/contracts/', '^libs/testing/', '^test/'];

const packages = (...names) => `node_modules/(${names.join('|').replaceAll('.', '\\.')})/`;

/** An allowlist: the production code of one library imports itself and what is listed, nothing else. */
function allowlist(name, comment, library, { libraries = [], npm = [], node = false, core = [] }) {
  const pathNot = [`^libs/(${[library, ...libraries].join('|')})/src/`, ...core.map((name) => `^(node:)?${name}$`)];
  if (npm.length > 0) pathNot.push(packages(...npm));
  return {
    name,
    comment,
    severity: 'error',
    from: { path: `^libs/${library}/src/`, pathNot: testCode },
    to: { pathNot, ...(node && { dependencyTypesNot: ['core'] }) },
  };
}

const layers = [
  allowlist('kit-imports-nothing', 'Queues and budgets know neither what they serve, nor a clock.', 'kit', {
    core: ['async_hooks'],
  }),
  allowlist('domain-imports-nothing', 'Rules are pure: no package, no platform, no other layer.', 'domain', {}),
  allowlist('ports-import-the-domain', 'A port is stated in words of the domain alone.', 'ports', { libraries: ['domain'] }),
  allowlist('application-imports-domain-and-ports', 'Use cases know the domain, the ports and Nest.', 'application', {
    libraries: ['kit', 'domain', 'ports'],
    npm: ['@nestjs/common', '@nestjs/cqrs', '@nestjs/microservices', 'lru-cache'],
  }),
  allowlist('engine-embedded-imports-its-driver', 'This engine is SQLite behind the ports.', 'engine-embedded', {
    libraries: ['kit', 'domain', 'ports'],
    npm: ['@nestjs/common', '@photostructure/sqlite', 'lru-cache'],
    node: true,
  }),
  allowlist('engine-cluster-imports-its-drivers', 'This engine is three servers behind the ports.', 'engine-cluster', {
    libraries: ['kit', 'domain', 'ports'],
    npm: ['@eventstore/db-client', '@nestjs/common', 'fzstd', 'kafkajs', 'lru-cache', 'lz4-napi', 'mongodb', 'snappy'],
    node: true,
  }),
  allowlist('adapters-import-their-drivers', 'Each adapter is one technology behind one port.', 'adapters', {
    libraries: ['kit', 'domain', 'ports'],
    npm: [
      '@opentelemetry/(api|exporter-trace-otlp-proto|resources|sdk-trace)',
      'ipaddr.js',
      'lru-cache',
      'mdast-util-from-markdown',
      'mdast-util-gfm',
      'micromark-extension-gfm',
      'openai',
      'parse5',
      'undici',
    ],
    node: true,
  }),
  allowlist('agent-scripted-imports-the-ports', 'It acts through its tools.', 'agent-scripted', {
    libraries: ['domain', 'ports'],
    npm: ['luxon'],
  }),
  allowlist('composition-imports-what-apps-share', 'What apps are composed of, beside their own parts.', 'composition', {
    libraries: ['application', 'adapters', 'agent-scripted', 'engine-[^/]+', 'platform', 'kit', 'domain', 'ports'],
    npm: ['@nestjs/[^/]+', 'fastify'],
    node: true,
  }),
  allowlist('platform-imports-ports', 'Glue between Nest and the ports.', 'platform', {
    libraries: ['kit', 'ports'],
    npm: ['@nestjs/[^/]+', 'class-transformer', 'class-validator', 'pino', 'prom-client'],
    node: true,
  }),
];

const application = '^libs/application/src/';

/** The features of the application: each may import those before it. */
const FEATURES = [
  'runtime',
  'paging',
  'instances',
  'streams',
  'read-models',
  'claims',
  'projects',
  'audit',
  'tasks',
  'skipped-events',
  'customers',
  'conversations/state',
  'sessions',
  'conversations/memory',
  'appointments',
  'conversations/tools',
  'conversations',
  'webhooks',
  'issues',
  'reactors',
  'sweepers',
  'projections',
  'changes',
  'admin',
  'installation',
];

/** The files of a feature, without those of a feature inside it. */
function filesOf(feature) {
  const inside = FEATURES.filter((other) => other.startsWith(`${feature}/`)).map((other) => other.slice(feature.length + 1));
  return `${application}${feature}/${inside.length > 0 ? `(?!(?:${inside.join('|')})/)` : ''}`;
}

const arrows = FEATURES.slice(0, -1).map((feature, index) => ({
  name: 'features-import-earlier-ones',
  comment: 'Arrows between features run one way: from a later feature of the list to an earlier one.',
  from: { path: filesOf(feature), pathNot: testCode },
  to: { path: FEATURES.slice(index + 1).map(filesOf) },
}));

const seams = [
  {
    name: 'features-are-known',
    comment: 'A folder that is missing in the list of features may import anything: add it.',
    from: { path: application, pathNot: [...FEATURES.map(filesOf), ...testCode] },
    to: {},
  },
  {
    name: 'only-modules-import-an-engine',
    comment: 'Which engine runs is decided in a composition root.',
    from: { pathNot: ['\\.module\\.ts$', '^libs/(engine-[^/]+)/', ...testCode] },
    to: { path: '^libs/engine-' },
  },
  {
    name: 'tracing-has-one-adapter',
    comment: 'It is loaded only where an operator sets a collector up.',
    from: { path: '^(apps|libs)/', pathNot: '^libs/adapters/src/opentelemetry/' },
    to: { path: 'node_modules/@opentelemetry/' },
  },
  {
    name: 'engines-stay-apart',
    comment: 'An engine serves every port by itself.',
    from: { path: '^libs/(engine-[^/]+)/' },
    to: { path: '^libs/engine-', pathNot: '^libs/$1/' },
  },
  {
    name: 'apps-stay-apart',
    comment: 'Apps share libraries, never each other.',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
  },
  {
    name: 'console-imports-no-library',
    comment: 'The page knows the service by its API alone.',
    from: { path: '^apps/console/' },
    to: { path: '^libs/' },
  },
  {
    name: 'console-imports-its-packages',
    comment: 'Every further package is loaded by every browser.',
    from: { path: '^apps/console/' },
    to: {
      dependencyTypes: ['core', 'npm', 'npm-dev'],
      pathNot: packages('preact', 'preact-iso', '@preact/signals', 'openapi-fetch'),
    },
  },
  {
    name: 'nothing-imports-an-app',
    comment: 'Apps are composition roots: nothing builds on them.',
    from: { pathNot: ['^apps/', '^test/'] },
    to: { path: '^apps/' },
  },
  {
    name: 'only-tests-import-testing',
    comment: 'Fakes and builders never ship.',
    from: { pathNot: testCode },
    to: { path: '^libs/testing/' },
  },
  {
    name: 'only-tests-import-contracts',
    comment: 'A contract is run by the specs of its adapters.',
    from: { pathNot: testCode },
    to: { path: '^libs/ports/src/contracts/' },
  },
  {
    name: 'nothing-imports-a-spec',
    comment: 'What two specs share lives in testing.',
    from: {},
    to: { path: '\\.(e2e-|browser-|cluster-|soak-)?spec\\.ts$' },
  },
  {
    name: 'end-to-end-tests-stay-outside',
    comment: 'They know the service only by what a client sees, and the shape of an id.',
    from: { path: '^test/e2e/' },
    to: { path: '^(apps|libs)/', pathNot: ['^libs/testing/', '^libs/domain/src/kernel/'] },
  },
  {
    name: 'what-ships-imports-neither-tools-nor-tests',
    comment: 'Scripts and tests run beside the service, never in it.',
    from: { path: '^(apps|libs)/', pathNot: testCode },
    to: { path: '^(tools|test)/' },
  },
  {
    name: 'libraries-are-known',
    comment: 'A library without an allowlist may import anything: write its allowlist.',
    from: {
      path: '^libs/',
      pathNot: [
        '^libs/(kit|domain|ports|application|engine-cluster|engine-embedded|adapters|agent-scripted|composition|platform|testing)/',
      ],
    },
    to: {},
  },
  {
    name: 'launching-needs-nothing-installed',
    comment: 'These scripts run before the first npm ci.',
    from: { path: '^tools/(launch/|(start|build|test|check)\\.mjs$)' },
    to: { dependencyTypesNot: ['core', 'local'] },
  },
];

const hygiene = [
  { name: 'no-cycles', comment: 'Files that import each other belong in one file.', from: {}, to: { circular: true } },
  {
    name: 'imports-exist',
    comment:
      'Every import names a file or a package that is there; of the calls of a generated client, one that is made with it.',
    from: { pathNot: '^tools/clients/calls/' },
    to: { couldNotResolve: true },
  },
  {
    name: 'packages-are-declared',
    comment: 'What is imported is a direct dependency.',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'production-needs-no-development-package',
    comment: 'What ships runs without the development packages. The console is bundled with its own.',
    from: { path: '^(apps|libs)/', pathNot: [...testCode, '^apps/console/'] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
];

/** Who may import whom. Every rule here has a planted violation in test/architecture. */
export default {
  forbidden: [...layers, ...[...arrows, ...seams, ...hygiene].map((rule) => ({ severity: 'error', ...rule }))],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|coverage)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
