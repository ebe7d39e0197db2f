import { fileURLToPath } from 'node:url';
import all, { project } from '../../jest.config.mjs';

/** The tests that need the engines of the cluster. */
export default {
  ...all,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  projects: [
    {
      ...project,
      displayName: 'cluster',
      rootDir: fileURLToPath(new URL('../..', import.meta.url)),
      roots: ['<rootDir>/libs', '<rootDir>/test'],
      testRegex: '\\.cluster-spec\\.ts$',
    },
  ],
};
