import { fileURLToPath } from 'node:url';
import { project } from '../../jest.config.mjs';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

/** The console's tests, on whichever engine the run has. */
export const browserProject = {
  ...project,
  rootDir,
  displayName: 'browser',
  roots: ['<rootDir>/test/browser'],
  testRegex: '\\.browser-spec\\.ts$',
  globalSetup: fileURLToPath(new URL('jest-chromium.mjs', import.meta.url)),
};

export default {
  ...browserProject,
  // Each file has a browser and a service.
  maxWorkers: 2,
  // Only ends what hangs.
  testTimeout: 240_000,
};
