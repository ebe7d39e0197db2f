import { DeliveryWorld } from '@testing/delivery-world';
import { landsLate } from '@testing/late-append';
import { EndpointInputs } from './endpoint-inputs.js';
import { UpdateEndpoint } from './endpoint.commands.js';
import { UpdateEndpointHandler } from './endpoint.handlers.js';

let world: DeliveryWorld;
beforeEach(async () => (world = await DeliveryWorld.create()));
afterEach(() => world.close());

describe('a change of an endpoint whose first append lands while its retry looks for it', () => {
  it('is answered with the endpoint as it is then', async () => {
    const { directory, headers, views, ledger } = world;
    const handler = new UpdateEndpointHandler(
      directory,
      new EndpointInputs(directory, headers, { objection: () => null }),
      views,
    );
    const { endpoint } = await world.register();
    const change = (isRetry: boolean) =>
      handler.execute(new UpdateEndpoint(ledger.context('key', isRetry), endpoint.id, { description: 'new' }));
    landsLate(ledger.ports.events, () => change(false));
    expect(await change(true)).toMatchObject({ description: 'new' });
  });
});
