import type { EndpointCommand } from '@domain/endpoint/endpoints.decider';
import { originOf } from '@testing/envelopes';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { DeliveryWorld } from '@testing/delivery-world';
import { StreamCache } from '../../streams/stream-cache.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { EndpointDirectory } from './endpoint-directory.js';

let world: DeliveryWorld;
/** The directory of another process over the same log. */
let elsewhere: EndpointDirectory;
beforeEach(async () => {
  world = await DeliveryWorld.create();
  const { ports, clock, ids } = world.ledger;
  elsewhere = new EndpointDirectory(new StreamRunner(ports.events, new StreamCache(ports.events), clock, ids), clock);
});
afterEach(() => world.close());

let commands = 0;
const run = (command: EndpointCommand) => world.directory.run(LEDGER_PROJECT, command, originOf(`cmd_${++commands}`));
const statusOf = async (endpointId: string) => (await elsewhere.find(LEDGER_PROJECT, endpointId))?.status;

describe('the endpoint of an attempt', () => {
  it('is read again after a second only, while it may be sent to', async () => {
    const { id } = (await world.register()).endpoint;
    expect(await statusOf(id)).toBe('enabled');
    const read = jest.spyOn(world.ledger.ports.events, 'read');
    await run({ type: 'DeleteEndpoint', at: world.ledger.clock.now(), endpointId: id });
    await world.ledger.clock.advance(999);
    read.mockClear();
    expect([await statusOf(id), read.mock.calls]).toEqual(['enabled', []]);
    await world.ledger.clock.advance(1);
    expect(await statusOf(id)).toBeUndefined();
  });

  it('is met at once where another process has enabled it again', async () => {
    const { id } = (await world.register()).endpoint;
    for (const status of ['disabled', 'enabled'] as const) {
      const commandId = `cmd_${status}`;
      await run({ type: 'UpdateEndpoint', at: world.ledger.clock.now(), endpointId: id, commandId, changes: { status } });
      expect(await statusOf(id)).toBe(status);
    }
  });

  it('is met at once where another process has registered it', async () => {
    const first = await world.register();
    expect(await statusOf(first.endpoint.id)).toBe('enabled');
    const { id } = (await world.register({ url: 'https://b.example/hooks' })).endpoint;
    expect(await statusOf(id)).toBe('enabled');
  });
});
