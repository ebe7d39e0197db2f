import type { Recorded } from '@ports/event-store.port';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { DeliveryWorld } from '@testing/delivery-world';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { endpointsStream } from '../endpoints/endpoint-directory.js';
import { BEGINNING, continued } from './endpoint-timeline.js';

let world: DeliveryWorld;
let changes: readonly Recorded<EndpointEvent>[];
beforeEach(async () => {
  world = await DeliveryWorld.create();
  for (let count = 0; count < 4; count += 1) await world.register();
  changes = await world.ledger.ports.events.read<EndpointEvent>(endpointsStream(LEDGER_PROJECT));
});
afterEach(() => world.close());

describe('of the changes of endpoints', () => {
  it('only those after the first position that may be asked for are kept', () => {
    const timeline = continued(BEGINNING, changes, changes[2]!.position);
    expect(timeline.state.endpoints).toHaveLength(3);
    expect(timeline.later).toEqual(changes.slice(3));
    expect(continued(timeline, [], changes[3]!.position)).toMatchObject({ later: [], revision: 3, state: { registered: 4 } });
  });
});
