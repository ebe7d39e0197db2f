import { DeliveryWorld } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { AttemptSteps, type AttemptStep } from './attempt-steps.js';

/** Something happens while an attempt is being claimed: the disk takes its time. */
class Meanwhile extends AttemptSteps {
  happens: () => Promise<unknown> = () => Promise.resolve();

  override async reached(step: AttemptStep): Promise<void> {
    if (step === 'claim') await this.happens();
  }
}

let world: DeliveryWorld;
afterEach(() => world.close());

async function sentThough(happens: (endpointId: string) => Promise<unknown>) {
  const steps = new Meanwhile();
  world = await DeliveryWorld.create({}, steps);
  const { endpoint } = await world.register();
  steps.happens = () => happens(endpoint.id);
  await world.emit();
  await world.quiet();
  return world.sender.sent;
}

const run = (command: Parameters<DeliveryWorld['directory']['run']>[1]) => world.directory.run(LEDGER_PROJECT, command, 'cmd');

describe('an attempt that is claimed', () => {
  it('goes out as its endpoint is then, though that was changed meanwhile', async () => {
    const sent = await sentThough((endpointId) =>
      run({ type: 'UpdateEndpoint', at: 0, endpointId, changes: { url: 'https://b.example/new' }, commandId: 'cmd' }),
    );
    expect(sent.map(({ url }) => url)).toEqual(['https://b.example/new']);
  });

  it('goes out as it began where its endpoint was deleted meanwhile', async () => {
    const sent = await sentThough((endpointId) => run({ type: 'DeleteEndpoint', at: 0, endpointId }));
    expect(sent.map(({ url }) => url)).toEqual(['https://a.example/hooks']);
  });
});

it('attempts are counted by class of their answer, else by their error', async () => {
  world = await DeliveryWorld.create();
  world.sender.answer = (_, count) => [answered(503), timedOut(15_000), answered(503)][count - 1] ?? answered(204);
  await world.register();
  await world.emit();
  await world.elapse(10 * 60_000, 30_000);
  expect(world.counts.attemptsByOutcome).toEqual({ '2xx': 1, '5xx': 2, timeout: 1 });
});
