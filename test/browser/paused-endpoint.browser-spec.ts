import { Backend } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog, fact, rows, shows, tile } from './harness/parts.js';
import { emit, subscriber } from './harness/subscriber.js';

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

const status = () => fact(here.page, 'Status').first();

describe('an endpoint that is paused in the console', () => {
  it('gets nothing until it is resumed: what waits is shown, and then comes in the order of its events', async () => {
    const hook = backend.hook(200);
    const { project, client, endpoint } = await subscriber(here.app, hook, { rate_limit_per_second: 1 });
    await here.visit.goTo(`/admin/${project}/endpoints/${endpoint}`);
    await button(here.page, 'Pause').click();
    await shows(dialog(here.page), '0 deliveries to it wait now.');
    await button(dialog(here.page), 'Pause').click();
    await shows(status(), /paused.*paused by a request/);

    const events = [await emit(client), await emit(client), await emit(client)];
    await shows(tile(here.page, 'open now'), /^3$/);
    const list = await here.visit.context.newPage();
    await list.goto(`/admin/${project}/deliveries?endpoint_id=${endpoint}&status=pending`);
    await rows(list, 'Deliveries').nth(2).waitFor();
    await rows(list, 'Deliveries').first().getByRole('link').first().click();
    await shows(fact(list, 'Next attempt'), 'when the endpoint is resumed');
    expect(hook.requests).toEqual([]);

    await button(here.page, 'Resume').click();
    await shows(dialog(here.page), '3 deliveries to it wait now.');
    await button(dialog(here.page), 'Resume').click();
    await shows(status(), 'enabled');
    await hook.received(3);
    expect(hook.eventIds).toEqual(events);
    await shows(fact(list, 'Status'), 'succeeded');
    await shows(tile(here.page, 'open now'), /^0$/);
    await shows(tile(here.page, 'succeeded'), /^3$/);
  });
});
