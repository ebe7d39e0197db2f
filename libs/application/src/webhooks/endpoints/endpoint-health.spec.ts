import { StoreUnavailable } from '@ports/event-store.port';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { EndpointInputs } from './endpoint-inputs.js';
import { GetEndpoint, UpdateEndpoint } from './endpoint.commands.js';
import { GetEndpointHandler, UpdateEndpointHandler } from './endpoint.handlers.js';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
});

const harmless = { objection: () => null };

function get(id: string) {
  return new GetEndpointHandler(world.directory, world.views).execute(new GetEndpoint(LEDGER_PROJECT, id));
}
function describeAs(description: string, id: string) {
  const handler = new UpdateEndpointHandler(
    world.directory,
    new EndpointInputs(world.directory, world.headers, harmless),
    world.views,
  );
  return handler.execute(new UpdateEndpoint(world.ledger.context(), id, { description }));
}
async function failingEndpoint() {
  const { endpoint } = await world.register();
  world.sender.answer = () => answered(503);
  await world.emit();
  await world.quiet();
  return endpoint;
}

describe('an endpoint that fails', () => {
  it.each(['reached', 'getMany'] as const)(
    'is read and changed without saying since when while no rows can be read (%s)',
    async (read) => {
      const { id } = await failingEndpoint();
      const { failingSince } = await get(id);
      expect(failingSince).toBeGreaterThan(0);
      jest.spyOn(world.ledger.ports.readModels, read).mockRejectedValue(new StoreUnavailable('the rows are out of reach'));
      expect(await get(id)).toMatchObject({ id, failingSince: null });
      expect(await describeAs('the till', id)).toMatchObject({ description: 'the till', failingSince: null });
      jest.restoreAllMocks();
      expect(await get(id)).toMatchObject({ description: 'the till', failingSince });
    },
  );
  it('has its row in a collection of its own, which a list of deliveries does not show', async () => {
    const { id } = await failingEndpoint();
    const { failingSince } = await get(id);
    const query = { projectId: LEDGER_PROJECT, filter: [], order: 'asc', limit: 100, includeDeleted: true } as const;
    const idsIn = async (name: string) => (await world.ledger.ports.readModels.page(name, query)).map((row) => row.id);
    expect(await idsIn('endpoint-health')).toContain(id);
    expect(await idsIn('deliveries')).toEqual([expect.stringMatching(/^whd_/)]);
    await world.ledger.projections.rebuild('deliveries').finished;
    expect(await get(id)).toMatchObject({ failingSince });
    expect(await idsIn('endpoint-health')).toContain(id);
  });
  it('is not called well for a mistake in reading its rows', async () => {
    const { id } = await failingEndpoint();
    const mistake = new TypeError('rows is not iterable');
    jest.spyOn(world.ledger.ports.readModels, 'getMany').mockRejectedValue(mistake);
    await expect(get(id)).rejects.toBe(mistake);
  });
});
