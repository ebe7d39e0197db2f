/**
 * What is never used goes. A second run, with `--production`, follows the entry points that ship alone: code that only a
 * spec reaches is unused there, but an export that its own file uses may serve a spec beside it.
 */
export default ({ production = false }) => ({
  entry: [
    'apps/*/src/main.ts!',
    'apps/console/src/main.tsx!',
    'libs/engine-*/src/**/open-*-engine.ts!',
    'libs/{adapters,engine-*}/src/**/*.worker.ts!',
    'libs/**/*.child.mjs',
    'test/**/*.{e2e,browser}-spec.ts',
    '{libs,test}/**/*.{cluster,soak}-spec.ts',
    'tools/{browser,engines}/jest.config.mjs',
    'tools/engines/*/host.mjs',
    'test/e2e/harness/*.mjs',
    'test/cluster/own-projection/*.projection.ts',
    'test/snapshots/*.mjs',
    'tools/*.mjs',
    'tools/bench/{bench,cluster/bench}.mjs',
    'tools/bench/{limits,programs}/*.mjs',
    'tools/trace/call-counts.mjs',
  ],
  project: [
    '{apps,libs}/**/*.{ts,tsx}!',
    '!libs/testing/**!',
    '!libs/ports/src/contracts/**!',
    'libs/**/*.mjs',
    '{test,tools}/**/*.{ts,mjs}',
  ],
  // The first is generated whole from the document of the admin API, the second is compiled within a generated client.
  ignore: ['apps/console/src/api/admin-api.d.ts', 'tools/clients/calls/calls.ts'],
  ignoreBinaries: ['go', 'java', 'setpriv'],
  ignoreExportsUsedInFile: production,
});
