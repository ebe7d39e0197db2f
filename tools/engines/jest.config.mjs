import { fileURLToPath } from 'node:url';
import all, { project } from '../../jest.config.mjs';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

/** The directory of the embedded engine, and what a release has left in one. */
const EMBEDDED_ONLY = ['data-directory', 'backup'];
/** HTTP and the OpenAPI document, before any engine is reached: the embedded run shows them, and `npm run soak` repeats them here. */
const BEFORE_ENGINES = ['connections', 'crowded-connections', 'documented-clients', 'odd-requests', 'openapi'];
/** The promises of ports, and what the double of EventStoreDB does: at any pace. */
const AT_ANY_PACE = '/(test/engines/.+|contracts\\.mongodb|event-store|message-bus\\.kafka)\\.cluster-spec\\.ts$';
const endToEnd = (names) => `/(${names.join('|')})\\.e2e-spec\\.ts$`;

/** The tests that need the engines of the cluster. */
export default {
  ...all,
  rootDir,
  projects: [
    {
      ...project,
      displayName: 'cluster',
      rootDir,
      roots: ['<rootDir>/libs', '<rootDir>/test'],
      testRegex: '\\.cluster-spec\\.ts$',
      testPathIgnorePatterns: [AT_ANY_PACE],
    },
    {
      ...project,
      displayName: 'contracts',
      rootDir,
      roots: ['<rootDir>/libs', '<rootDir>/test'],
      testRegex: AT_ANY_PACE,
    },
    {
      ...project,
      displayName: 'e2e',
      rootDir,
      roots: ['<rootDir>/test/e2e'],
      testRegex: '\\.e2e-spec\\.ts$',
      testPathIgnorePatterns: [endToEnd([...EMBEDDED_ONLY, ...BEFORE_ENGINES])],
    },
    {
      ...project,
      displayName: 'soak',
      rootDir,
      roots: ['<rootDir>/libs', '<rootDir>/test'],
      testRegex: ['\\.soak-spec\\.ts$', endToEnd(BEFORE_ENGINES)],
    },
  ],
};
