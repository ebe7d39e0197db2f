import { eventually } from '../e2e/harness/eventually.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';

const here = consoleTests();
const lost = () => here.page.getByRole('status').getByText('The service did not answer');

describe('a connection that is lost', () => {
  beforeEach(() => here.visit.expects(/^Failed to load resource: net::ERR_/));
  afterEach(() => here.app.restart({ PORT: new URL(here.app.url).port }));

  it('is said, and mends itself: what changed meanwhile is shown', async () => {
    const { project, client } = await ownProject(here.app);
    const { body } = await client.say('thread', 'Before');
    await here.visit.goTo(`/admin/${project}/conversations/${body.conversation.id}`);
    expect(await lost().isVisible()).toBe(false);
    await here.app.stop();
    await lost().waitFor();
    await here.app.restart({ PORT: new URL(here.app.url).port });
    await client.say('thread', 'After');
    await lost().waitFor({ state: 'detached' });
    await here.page.getByRole('log').getByText('After', { exact: true }).waitFor();
    await eventually(async () => expect(await here.page.getByRole('alert').count()).toBe(0));
  });

  it('refuses what a person begins in it, in words, and keeps what they wrote', async () => {
    await here.visit.goTo('/admin/projects');
    await here.page.getByRole('button', { name: 'Add a project' }).click();
    await here.page.getByLabel('Name').fill('written in vain');
    await here.app.stop();
    await here.page.getByRole('dialog').getByRole('button', { name: 'Add a project' }).click();
    await here.page.getByRole('dialog').getByRole('alert').getByText('unreachable').waitFor();
    expect(await here.page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('written in vain');
  });

  it('signs nobody out in silence', async () => {
    await here.visit.goTo('/admin/projects');
    await here.app.stop();
    await here.page.getByRole('button', { name: 'Sign out' }).click();
    await expect(here.page.getByRole('alert').getByText('unreachable').waitFor()).resolves.toBeUndefined();
    expect(await here.page.getByRole('heading', { name: 'Projects', exact: true }).isVisible()).toBe(true);
  });
});
