import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { App } from '../../e2e/harness/app.js';
import { Processes } from '../../e2e/harness/processes.js';
import { LOCAL_HOOKS } from '../../e2e/harness/receiver.js';
import { Visit } from './visit.js';

interface Here {
  /** Of three apps the gateway. */
  app: App;
  browser: Browser;
  /** Of the test that runs. */
  visit: Visit;
  page: Page;
}

type Variables = Readonly<Record<string, string>>;

/**
 * One browser and one service, or on the cluster its three apps, for the tests of a file; each test has a visit of its own, and fails
 * on any fault of its pages.
 * @param variables may be made when the tests begin
 * @param person of the browser's window: language, time zone, device
 */
export function consoleTests(
  variables: () => Variables | Promise<Variables> = () => ({}),
  person: BrowserContextOptions = {},
): Here {
  const here = {} as Here;
  let processes: Processes | undefined;
  beforeAll(async () => {
    here.browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' });
    processes = await Processes.start({ ...LOCAL_HOOKS, ...(await variables()) });
    here.app = processes.gateway;
  });
  beforeEach(async () => {
    here.visit = await Visit.open(here.browser, here.app.url, person);
    here.page = here.visit.page;
  });
  afterEach(async () => {
    const { faults } = here.visit;
    await here.visit.close();
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await here.browser?.close();
    await processes?.dispose();
  });
  return here;
}
