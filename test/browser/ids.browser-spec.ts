import { book } from '../e2e/harness/ledger.js';
import { eventually } from '../e2e/harness/eventually.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject, type OwnProject } from './harness/own-project.js';
import { fact, rows } from './harness/parts.js';

const UNKNOWN = 'apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0';

const here = consoleTests();
/** The one that is looked at. */
let current: string;
let other: OwnProject;
beforeAll(async () => {
  other = await ownProject(here.app, 'the other');
  current = (await ownProject(here.app, 'the current')).project;
});

/** What the current project, and other ones, do not have. */
const notHere = () => here.visit.expects(/^404 /);

async function searchFor(text: string): Promise<void> {
  await here.page.keyboard.press('Control+k');
  await here.page.getByRole('searchbox').fill(text);
  await here.page.keyboard.press('Enter');
}

const ledTo = (end: string) => here.page.waitForURL(({ href }) => href.endsWith(end));

/** An endpoint that the administrator adds to the other project. */
async function addEndpoint(): Promise<string> {
  const admin = await here.app.admin();
  const body = { url: 'https://example.com/hook' };
  return (await admin.post(`/admin/v1/projects/${other.project}/webhook_endpoints`, body)).body.id;
}

/** A task of no project. */
async function rebuild(): Promise<string> {
  const admin = await here.app.admin();
  const { id } = (await admin.post('/admin/v1/projections/customers/rebuild')).body;
  await eventually(async () => expect((await admin.get(`/admin/v1/tasks/${id}`)).body.status).toBe('completed'));
  return id;
}

describe('an id in the audit', () => {
  const links = (id: string) => rows(here.page, 'Audit').getByRole('link', { name: id, exact: true });

  it('leads to its own project, whichever is looked at', async () => {
    const id = await addEndpoint();
    await here.visit.goTo(`/admin/${current}/overview`);
    await here.page.getByRole('link', { name: 'Audit' }).click();
    await links(id).click();
    await ledTo(`/admin/${other.project}/endpoints/${id}`);
    await expect(fact(here.page, 'URL').getByText('https://example.com/hook').waitFor()).resolves.toBeUndefined();
  });

  it('leads to a task of no project', async () => {
    const id = await rebuild();
    await here.visit.goTo('/admin/audit');
    await links(id).click();
    await expect(fact(here.page, 'Status').getByText('completed').waitFor()).resolves.toBeUndefined();
  });

  it('leads to a project that was made', async () => {
    await here.visit.goTo('/admin/audit');
    await links(other.project).first().click();
    await ledTo(`/admin/${other.project}/overview`);
    await expect(here.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()).resolves.toBeUndefined();
  });
});

describe('the search for an id', () => {
  it('leads to the thing in the project that has it', async () => {
    notHere();
    const { body } = await book(other.client);
    const key = await (await here.app.admin()).post(`/admin/v1/projects/${other.project}/api_keys`, { name: 'a key' });
    const said = (await other.client.say('thread', 'Hello')).body.conversation.id;
    for (const { id, leadsTo } of [
      { id: body.id, leadsTo: `appointments/${body.id}` },
      { id: said, leadsTo: `conversations/${said}` },
      { id: key.body.id, leadsTo: 'api-keys' },
    ]) {
      await here.visit.goTo(`/admin/${current}/overview`);
      await searchFor(id);
      await ledTo(`/admin/${other.project}/${leadsTo}`);
      await here.visit.settled();
      expect(await here.page.getByText('resource_missing').count()).toBe(0);
    }
  });

  it('leads to a task of no project', async () => {
    notHere();
    const id = await rebuild();
    await here.visit.goTo(`/admin/${current}/overview`);
    await searchFor(id);
    await expect(fact(here.page, 'Status').getByText('completed').waitFor()).resolves.toBeUndefined();
  });

  it('leads back to where it was begun', async () => {
    const { project, client } = other;
    const { body } = await book(client);
    await here.visit.goTo(`/admin/${project}/overview`);
    await searchFor(body.id);
    await ledTo(`/appointments/${body.id}`);
    await here.page.goBack();
    await expect(ledTo(`/admin/${project}/overview`)).resolves.toBeUndefined();
  });

  it('works before a project was chosen', async () => {
    notHere();
    const { body } = await book(other.client);
    await here.visit.goTo('/admin/projects');
    await searchFor(body.id);
    await expect(ledTo(`/admin/${other.project}/appointments/${body.id}`)).resolves.toBeUndefined();
  });

  it('says where nothing has it', async () => {
    notHere();
    await here.visit.goTo(`/admin/${current}/overview`);
    await searchFor(UNKNOWN);
    await expect(here.page.getByText('Nothing fits.').waitFor()).resolves.toBeUndefined();
  });
});

describe('the page of a task', () => {
  it('shows one of no project, too', async () => {
    notHere();
    const id = await rebuild();
    await here.visit.goTo(`/admin/${current}/tasks/${id}`);
    await expect(fact(here.page, 'Status').getByText('completed').waitFor()).resolves.toBeUndefined();
  });

  it('says where there is no such task at all', async () => {
    notHere();
    await here.visit.goTo(`/admin/${current}/tasks/task_01J9Z3K8Q4T6V8X0A2C4E6G8J0`);
    await expect(here.page.getByText('resource_missing').waitFor()).resolves.toBeUndefined();
  });
});

describe('the list of projects', () => {
  it('leads by the id of each to its overview', async () => {
    await here.visit.goTo('/admin/projects');
    await rows(here.page, 'Projects').getByRole('link', { name: other.project }).click();
    await expect(here.page.waitForURL(`**/admin/${other.project}/overview`)).resolves.toBeUndefined();
  });
});
