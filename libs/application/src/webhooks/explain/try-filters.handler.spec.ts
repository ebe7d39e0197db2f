import { DeliveryWorld } from '@testing/delivery-world';
import { LEDGER_PROJECT, NINE_ON_MONDAY, HALF_HOUR, OTHER_PROJECT } from '@testing/ledger-world';
import { TryFilters } from './explain.queries.js';
import { TryFiltersHandler } from './try-filters.handler.js';

const DAY = 24 * 3_600_000;

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

function trial(endpointId: string, filters: readonly string[], projectId = LEDGER_PROJECT) {
  const handler = new TryFiltersHandler(world.directory, world.queries, world.ledger.clock);
  return handler.execute(new TryFilters(projectId, endpointId, filters));
}

async function confirmed(): Promise<void> {
  const { appointment } = await world.ledger.book();
  await world.ledger.change(appointment.id, { type: 'ConfirmAppointment', reason: null } as never);
}

describe('a trial of filters', () => {
  it('tells of each event whether it passes them, and whether it passes those that the endpoint has, newest first', async () => {
    const { endpoint } = await world.register({ filters: ['appointment.created'] });
    await confirmed();
    const shown = async (...filters: readonly string[]) =>
      (await trial(endpoint.id, filters)).map((each) => [each.type, each.matches, each.matchesNow]);
    expect(await shown('appointment.confirmed')).toEqual([
      ['appointment.confirmed', true, false],
      ['appointment.created', false, true],
    ]);
    expect(await shown()).toMatchObject([
      ['appointment.confirmed', true, false],
      ['appointment.created', true, true],
    ]);
  });

  it('is over the last hundred events that have not expired', async () => {
    const { endpoint } = await world.register();
    const ids: string[] = [];
    for (let n = 0; n < 101; n++) await world.ledger.book({ startsAt: NINE_ON_MONDAY + n * HALF_HOUR });
    ids.push(...(await trial(endpoint.id, ['*'])).map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
    world.ledger.clock.set(world.ledger.clock.now() + 30 * DAY);
    expect(await trial(endpoint.id, ['*'])).toEqual([]);
  });

  it("is of an endpoint of the project, over the project's events", async () => {
    const { endpoint } = await world.register();
    await world.emit();
    const foreign = await world.register({}, world.ledger.context(null, false, OTHER_PROJECT));
    await expect(trial(endpoint.id, ['*'], OTHER_PROJECT)).rejects.toMatchObject({ code: 'resource_missing' });
    expect(await trial(foreign.endpoint.id, ['*'], OTHER_PROJECT)).toEqual([]);
  });
});
