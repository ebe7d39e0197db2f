import { fileURLToPath } from 'node:url';
import all, { project } from '../../jest.config.mjs';
import { browserProject } from '../browser/jest.config.mjs';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

/** The embedded engine's directory, and those of earlier releases. */
const EMBEDDED_ONLY = ['data-directory', 'backup'];
/**
 * What they test does not depend on the engine: connections, documents, examples, receivers and models that misbehave. CI runs them on
 * the embedded engine, and `npm run soak` repeats them here.
 */
const ENGINE_INDEPENDENT = [
  'chat-page',
  'connections',
  'crowded-connections',
  'demo',
  'desk',
  'docs-pages',
  'documented-clients',
  'documented-members',
  'documented-refusals',
  'documented-webhooks',
  'examples',
  'many-streams',
  'model-servers',
  'null-members',
  'odd-receivers',
  'odd-requests',
  'openapi',
  'openapi-files',
  'proxies',
  'slow-bodies',
  'waiting-page',
];
/** Shortened, whole in `npm run soak`. These promise seconds. */
const AT_SCALE = '/at-scale/.+\\.e2e-spec\\.ts$';
/** Shortened among the others. */
const WITH_MORE_IN_SOAK = '/own-projection\\.cluster-spec\\.ts$';
/** Contracts, behaviours without timing, and processes that promise no seconds. */
const UNHURRIED = [
  'test/engines/.+',
  'admin-commands',
  'cause-chain',
  'compressed-messages',
  'contracts\\.mongodb',
  'crash\\.mongodb',
  'declared-topics',
  'earlier-release',
  'event-store',
  'held-webhooks',
  'later-events',
  'message-bus\\.kafka',
  'own-projection',
  'recreated-topics',
  'rejections-of-drivers',
  'stalled-delivery',
  'tracing',
];
const AT_ANY_PACE = `/(${UNHURRIED.join('|')})\\.cluster-spec\\.ts$`;
const endToEnd = (names) => `/(${names.join('|')})\\.e2e-spec\\.ts$`;
/** Pages that do not depend on the engine. CI runs these files on the embedded engine, and `npm run soak` repeats them here. */
const ENGINE_INDEPENDENT_PAGES = [
  'addresses',
  'api-keys',
  'appointment-life',
  'change-password',
  'changed-details',
  'chat-page',
  'curls',
  'explained-event',
  'faults',
  'foreign-texts',
  'ids',
  'keyboard',
  'lock-out',
  'pages',
  'protection',
  'session',
  'signature',
  'times',
  'two-tabs',
];
const inBrowser = (names) => `/(${names.join('|')})\\.browser-spec\\.ts$`;

export default {
  ...all,
  rootDir,
  // Only ends what hangs. Jest takes it from here alone, for the browser's tests too.
  testTimeout: 240_000,
  testSequencer: fileURLToPath(new URL('longest-first.mjs', import.meta.url)),
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
      testPathIgnorePatterns: [endToEnd([...EMBEDDED_ONLY, ...ENGINE_INDEPENDENT]), AT_SCALE],
    },
    {
      ...project,
      displayName: 'at-scale',
      rootDir,
      roots: ['<rootDir>/test/e2e'],
      testRegex: AT_SCALE,
    },
    { ...browserProject, testPathIgnorePatterns: [inBrowser(ENGINE_INDEPENDENT_PAGES)] },
    { ...browserProject, displayName: 'browser-soak', testRegex: inBrowser(ENGINE_INDEPENDENT_PAGES) },
    {
      ...project,
      displayName: 'soak',
      rootDir,
      roots: ['<rootDir>/libs', '<rootDir>/test'],
      testRegex: ['\\.soak-spec\\.ts$', endToEnd(ENGINE_INDEPENDENT), AT_SCALE, WITH_MORE_IN_SOAK],
    },
  ],
};
