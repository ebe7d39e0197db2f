import { eventually } from '../e2e/harness/eventually.js';
import { Backend } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { planted, type Planted } from './harness/planted.js';

const here = consoleTests();
let backend: Backend;
let some: Planted;
beforeAll(async () => {
  backend = await Backend.start();
  some = await planted(here.app, backend.hook(500), (max) => 'A text of somebody outside.'.slice(0, max));
});
afterAll(() => backend.close());

const section = (heading: string) =>
  here.page.locator('section').filter({ has: here.page.getByRole('heading', { name: heading, exact: true }) });
const chart = (heading: string, title: string) => section(heading).locator('figure').filter({ hasText: title });
/** What the table behind a chart says, head included. */
const tableOf = async (heading: string, title: string) => {
  await chart(heading, title).getByText('Table').click();
  return chart(heading, title).getByRole('row').allInnerTexts();
};

describe('the overview', () => {
  it('has a chart of messages with the same numbers as a table behind it, over the window that the address names', async () => {
    await here.visit.goTo(`/admin/${some.project}/overview?window=1h`);
    const minutes = await tableOf('Conversations', 'Messages of customers');
    expect(minutes).toHaveLength(61);
    expect(minutes.filter((row) => row.endsWith('\t1'))).toHaveLength(1);
    await here.page.getByRole('navigation', { name: 'How far back' }).getByRole('link', { name: 'Week' }).click();
    await here.page.waitForURL('**/overview?window=7d');
    const slots = chart('Conversations', 'Messages of customers').getByRole('row');
    await eventually(async () => expect(await slots.count()).toBe(29));
  });

  it('tells in which retry tier deliveries wait, and how far lists are behind, with their states behind the chart', async () => {
    await here.visit.goTo(`/admin/${some.project}/overview`);
    const tiers = await tableOf('Deliveries', 'Backlog by retry tier, now');
    expect(tiers.map((row) => row.split('\t')[0]?.trim())).toEqual(['Tier', 'first', '200ms', '400ms']);
    await chart('Projections', 'How far read models are behind, now').getByRole('img').waitFor();
    await chart('Projections', 'How far read models are behind, now').getByText('Table').click();
    const isLive = expect.stringMatching(/^conversations\s+●\s*live/);
    await eventually(async () =>
      expect(await section('Projections').getByRole('row').allInnerTexts()).toEqual(expect.arrayContaining([isLive])),
    );
  });

  it('says in an empty project what to do next', async () => {
    const admin = await here.app.admin();
    const { body } = await admin.post('/admin/v1/projects', { name: 'empty' });
    await here.visit.goTo(`/admin/${body.id}/overview`);
    await section('Deliveries').getByRole('link', { name: 'See where events are posted to' }).waitFor();
    await section('Conversations').getByRole('link', { name: 'Say something in the playground' }).click();
    // The playground puts its thread into the address at once.
    await here.page.waitForURL(({ pathname }) => pathname === `/admin/${body.id}/playground`);
  });
});
