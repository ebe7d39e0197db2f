import { book } from '../e2e/harness/ledger.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';
import { button, dialog, fact, shows } from './harness/parts.js';

const here = consoleTests();
const field = (label: string) => dialog(here.page).getByRole('textbox', { name: label, exact: true });
const save = (label: string) => button(dialog(here.page), label).click();

describe('an appointment', () => {
  it('is amended in its page: only what differs is sent, and an empty field empties its member', async () => {
    const { project, client } = await ownProject(here.app);
    const { body } = await book(client, { notes: 'by\r\nthe window', location: 'Room 3' });
    const address = `/v1/appointments/${body.id}`;
    await here.visit.goTo(`/admin/${project}/appointments/${body.id}`);
    await button(here.page, 'Amend').click();
    await field('Location').fill('');
    await field('Metadata, as JSON').fill('{"room": 3}');
    await dialog(here.page).getByText('The same with curl').click();
    const sent = { expected_version: 1, location: null, metadata: { room: 3 } };
    await shows(dialog(here.page), `-X PATCH`);
    await shows(dialog(here.page), JSON.stringify(sent));
    await save('Amend');
    await dialog(here.page).waitFor({ state: 'detached' });
    await shows(fact(here.page, 'Version'), '2');
    expect((await client.get(address)).body).toMatchObject({ notes: 'by\r\nthe window', location: null, metadata: { room: 3 } });
  });

  it('is not amended over what somebody else has changed since it was shown', async () => {
    here.visit.expects(/^412 /);
    const { project, client } = await ownProject(here.app);
    const { body } = await book(client, { notes: 'by the window' });
    const address = `/v1/appointments/${body.id}`;
    await here.visit.goTo(`/admin/${project}/appointments/${body.id}`);
    await button(here.page, 'Amend').click();
    await field('Notes').fill('at the door');
    await client.patch(address, { notes: 'in the yard' });
    await shows(here.page.locator('ol.timeline'), 'in the yard');
    await save('Amend');
    await dialog(here.page).getByText('version_conflict', { exact: true }).waitFor();
    expect((await client.get(address)).body.notes).toBe('in the yard');
  });
});

describe('a conversation', () => {
  it('is given other metadata and another zone until it ends', async () => {
    const { project, client } = await ownProject(here.app);
    const said = await client.say('of-anna', 'Hello', { metadata: { channel: 'web' } });
    const address = `/v1/conversations/${said.body.conversation.id}`;
    await here.visit.goTo(`/admin/${project}/conversations/${said.body.conversation.id}`);
    await button(here.page, 'Edit').click();
    await field('Time zone').fill('Europe/Berlin');
    await field('Metadata, as JSON').fill('{"channel": "phone"}');
    await save('Edit');
    await dialog(here.page).waitFor({ state: 'detached' });
    await shows(fact(here.page, 'Time zone'), 'Europe/Berlin');
    expect((await client.get(address)).body).toMatchObject({ time_zone: 'Europe/Berlin', metadata: { channel: 'phone' } });
    await client.post(`${address}/end`);
    await shows(fact(here.page, 'Status'), 'ended');
    expect(await button(here.page, 'Edit').count()).toBe(0);
  });
});
