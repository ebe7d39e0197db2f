import { eventually } from '@ports/contracts/eventually';
import { damageFirstMessage } from '@testing/kafka-world';
import { App } from '../e2e/harness/app.js';
import { Installation } from '../e2e/harness/installation.js';
import { book } from '../e2e/harness/ledger.js';
import { Backend, LOCAL_HOOKS } from '../e2e/harness/receiver.js';
import { OwnEngines } from './own-engines.js';

/** Two minutes, and what a busy machine needs besides. */
const WITHIN_MS = 240_000;

it('a delivery process whose consumer does not get on names Kafka in /ready, and ends itself as one that failed', async () => {
  const [engines, backend] = [await OwnEngines.start(), await Backend.start()];
  const installation = new Installation(engines.servers);
  const start = (part: 'gateway' | 'projections' | 'delivery') => App.start(LOCAL_HOOKS, installation, part);
  const gateway = await start('gateway');
  const [projections, delivery] = [await start('projections'), await start('delivery')];
  await gateway.api.post('/v1/webhook_endpoints', { url: backend.hook(200).url });
  await delivery.stop();
  await book(gateway.api);
  const topic = `${installation.variables['ENGINE_PREFIX']}webhook-deliveries`;
  await eventually(() => damageFirstMessage(engines.kafka.directory, topic));
  await delivery.restart();
  await eventually(async () => {
    const { status, body } = await delivery.as(null).get('/ready');
    expect([status, body.failing]).toEqual([503, ['Kafka']]);
  }, WITHIN_MS);
  expect((await delivery.as(null).get('/metrics')).text).toContain('part_ready{part="Kafka"} 0');
  await eventually(() => expect(delivery.stderr).toContain('the consumer of webhook-deliveries is stalled'));
  expect(await delivery.ended).toBe(1);
  expect(delivery.stderr).toContain('"msg":"stopped"');
  await Promise.all([gateway, projections].map((app) => app.kill()));
  await installation.dispose();
  await Promise.all([engines.dispose(), backend.close()]);
}, 400_000);
