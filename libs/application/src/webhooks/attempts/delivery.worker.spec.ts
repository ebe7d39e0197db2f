import { FIRST_TOPIC } from '@domain/delivery/tiers';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';

const RETRY_TOPICS = [`${FIRST_TOPIC}.retry.5s`, `${FIRST_TOPIC}.retry.30s`];

let world: DeliveryWorld;
afterEach(() => world.close());

it('attempts are counted by class of their answer, else by their error', async () => {
  world = await DeliveryWorld.create();
  world.sender.answer = (_, count) => [answered(503), timedOut(15_000), answered(503)][count - 1] ?? answered(204);
  await world.register();
  await world.emit();
  await world.elapse(10 * 60_000, 30_000);
  expect(world.counts.attemptsByOutcome).toEqual({ '2xx': 1, '5xx': 2, timeout: 1 });
});

it('a pointer goes from topic to topic with what it says beside what is due, also with what only a later version knows', async () => {
  world = await DeliveryWorld.create();
  world.sender.answer = () => answered(503);
  await world.register();
  const publish = jest.spyOn(world.ledger.ports.bus, 'publish').mockResolvedValue();
  await world.emit();
  await world.quiet();
  const first = JSON.parse(publish.mock.calls[0]![1][0]!.value) as object;
  const said = { bulk: true, correlationId: 'cor_1', ofALaterVersion: { any: ['value'] } };
  publish.mockClear().mockRestore();
  const published = jest.spyOn(world.ledger.ports.bus, 'publish');
  await world.ledger.ports.bus.publish(FIRST_TOPIC, [{ key: 'we_1', value: JSON.stringify({ ...first, ...said }) }]);
  await world.elapse(6_000, 1_000);
  const retries = published.mock.calls.filter(([topic]) => topic !== FIRST_TOPIC);
  expect(retries.map(([topic]) => topic)).toEqual(RETRY_TOPICS);
  for (const [, [message]] of retries) expect(JSON.parse(message!.value)).toMatchObject(said);
});
