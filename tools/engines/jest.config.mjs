import { fileURLToPath } from 'node:url';
import all, { project } from '../../jest.config.mjs';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

/** The tests that need the engines of the cluster. */
export default {
  ...all,
  rootDir,
  // A service, its test and three engines keep two cores busy; beside others the promised seconds say nothing.
  maxWorkers: 1,
  projects: [
    {
      ...project,
      displayName: 'cluster',
      rootDir,
      roots: ['<rootDir>/libs', '<rootDir>/test'],
      testRegex: '\\.cluster-spec\\.ts$',
    },
    {
      ...project,
      displayName: 'e2e',
      rootDir,
      roots: ['<rootDir>/test/e2e'],
      testRegex: '\\.e2e-spec\\.ts$',
      // The directory of the embedded engine, and what a release has left in one.
      testPathIgnorePatterns: ['/(data-directory|backup)\\.'],
    },
  ],
};
