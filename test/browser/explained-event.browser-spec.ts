import { Backend, deliveryIn } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog, shows } from './harness/parts.js';
import { emit, subscriber } from './harness/subscriber.js';

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

/** What the page of an event says of an endpoint. */
const about = (endpoint: string) =>
  here.page.getByRole('article').filter({ has: here.page.getByRole('link', { name: endpoint }) });

describe('the page of an event', () => {
  it('says of each endpoint why it got the event or not, and what to do, which is done on the page', async () => {
    const { project, client, endpoint: well } = await subscriber(here.app, backend.hook(200));
    const register = async (more: object = {}) => {
      const hook = backend.hook(200);
      return { hook, id: (await client.post('/v1/webhook_endpoints', { url: hook.url, ...more })).body.id as string };
    };
    const picky = await register({ event_filters: ['appointment.cancelled'] });
    const disabled = await register();
    await client.patch(`/v1/webhook_endpoints/${disabled.id}`, { status: 'disabled' });
    const event = await emit(client);
    const { id: delivery } = await deliveryIn('succeeded', client, event);
    const late = await register();

    await here.visit.goTo(`/admin/${project}/events`);
    await here.page.getByRole('link', { name: event }).click();
    await shows(about(well), 'The receiver answered 200');
    await shows(about(well), 'succeeded');
    await about(well).getByRole('link', { name: delivery }).waitFor();
    await shows(about(picky.id), 'filter mismatch');
    await shows(about(picky.id), 'the event_filters were appointment.cancelled, and none of them matches appointment.created');
    await shows(about(disabled.id), 'endpoint disabled');
    await shows(about(disabled.id), 'The endpoint was disabled when the event happened');
    await shows(about(late.id), 'created after event');
    await shows(about(late.id), /What to do:.*replay the event to it/i);

    await button(here.page, 'Send again').click();
    await dialog(here.page).getByLabel('To those chosen here, whatever their filters').check();
    await dialog(here.page).getByLabel(late.hook.url).check();
    await shows(dialog(here.page), 'It makes 1 fresh delivery.');
    await button(dialog(here.page), 'Send again').click();
    await late.hook.received();
    expect(late.hook.eventIds).toEqual([event]);
    await shows(about(late.id), 'The receiver answered 200');
    expect(await about(late.id).getByText('created after event').count()).toBe(0);
    expect([picky, disabled].flatMap(({ hook }) => hook.requests)).toEqual([]);
  });
});
