/**
 * What is never used goes. A second run, with `--production`, follows the entry points that ship alone: code that only a
 * spec reaches is unused there, but an export that its own file uses may serve a spec beside it.
 */
export default ({ production = false }) => ({
  entry: [
    'apps/*/src/main.ts!',
    'libs/engine-*/src/**/open-*-engine.ts!',
    'libs/{adapters,engine-*}/src/**/*.worker.ts!',
    'libs/**/*.child.mjs',
    'test/**/*.e2e-spec.ts',
    '{libs,test}/**/*.{cluster,soak}-spec.ts',
    'tools/engines/jest.config.mjs',
    'tools/engines/*/host.mjs',
    'test/e2e/harness/*.mjs',
    'tools/*.mjs',
    'tools/bench/{bench,cluster/bench}.mjs',
    'tools/bench/{limits,programs}/*.mjs',
    'tools/trace/call-counts.mjs',
  ],
  project: [
    '{apps,libs}/**/*.ts!',
    '!libs/testing/**!',
    '!libs/ports/src/contracts/**!',
    'libs/**/*.mjs',
    '{test,tools}/**/*.{ts,mjs}',
  ],
  ignoreBinaries: ['go', 'java', 'setpriv'],
  ignoreExportsUsedInFile: production,
});
