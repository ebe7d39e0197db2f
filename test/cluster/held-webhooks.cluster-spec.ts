import { setTimeout as pause } from 'node:timers/promises';
import { App } from '../e2e/harness/app.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { book } from '../e2e/harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS } from '../e2e/harness/receiver.js';

const A_WHILE_MS = 4_000;
const HELD = { ...LOCAL_HOOKS, WEBHOOK_DELIVERY: 'hold' };

it('a delivery process on hold sends nothing, says so, and sends what waits when it is on again', async () => {
  const [installation, backend] = [new Installation(), await Backend.start()];
  const gateway = await App.start(HELD, installation, 'gateway');
  const [projections, delivery] = await Promise.all([
    App.start(HELD, installation, 'projections'),
    App.start(HELD, installation, 'delivery'),
  ]);
  const hook = backend.hook(200);
  await gateway.api.post('/v1/webhook_endpoints', { url: hook.url });
  for (let n = 0; n < 5; n++) expect((await book(gateway.api)).status).toBe(201);
  await pause(A_WHILE_MS);
  expect(hook.requests).toEqual([]);
  expect(await deliveryIn('pending', gateway.api)).toMatchObject({ attempt_count: 0 });
  await eventually(async () => {
    const { status, body } = await delivery.as(null).get('/ready');
    expect([status, body.degraded]).toEqual([200, ['webhook_delivery']]);
  });
  await Promise.all([projections, delivery].map((app) => app.restart({ WEBHOOK_DELIVERY: 'on' })));
  await hook.received(5);
  await deliveryIn('succeeded', gateway.api);
  await Promise.all([gateway, projections, delivery].map((app) => app.kill()));
  await Promise.all([installation.dispose(), backend.close()]);
});
