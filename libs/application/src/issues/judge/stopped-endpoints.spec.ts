import type { EndpointCommand } from '@domain/endpoint/endpoints.decider';
import { IssueWorld } from '@testing/issue-world';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { stopOf } from './stopped-endpoints.js';

const S = 1_000;

let world: IssueWorld;
beforeEach(async () => {
  world = await IssueWorld.create();
});
afterEach(() => world.close());

/** Runs a command, and lets the reactor see all events of the project's endpoints. */
async function change(command: EndpointCommand): Promise<void> {
  await world.deliveries.directory.run(LEDGER_PROJECT, command, world.ledger.context());
  await world.stops.handle(await world.ledger.ports.events.read(`endpoints-${LEDGER_PROJECT}`));
}
const at = () => world.ledger.clock.now();

describe('an endpoint that was disabled because it is gone', () => {
  it('is an issue until it is enabled', async () => {
    const { endpoint } = await world.deliveries.register();
    const { id: endpointId, url } = endpoint;
    await change({ type: 'UpdateEndpoint', at: at(), endpointId, commandId: 'on', changes: { disableOnGone: true } });
    expect(await world.issues()).toEqual([]);
    await change({ type: 'DisableGoneEndpoint', at: at(), endpointId, url, disablings: 0 });
    expect(await world.issues()).toMatchObject([
      { kind: 'endpoint_gone', status: 'open', subject: { id: endpointId }, name: 'a.example', cause: { code: 'gone' } },
    ]);
    await world.elapse(90 * S, 10 * S);
    expect(await world.issues()).toMatchObject([{ status: 'open' }]);
    await change({ type: 'UpdateEndpoint', at: at(), endpointId, commandId: 'enabled', changes: { status: 'enabled' } });
    await world.elapse(80 * S, 10 * S);
    expect(await world.issues()).toMatchObject([{ status: 'closed' }]);
    expect(world.posts).toHaveLength(2);
  });

  it('is none where its owner disabled it', async () => {
    const { endpoint } = await world.deliveries.register();
    await change({
      type: 'UpdateEndpoint',
      at: at(),
      endpointId: endpoint.id,
      commandId: 'off',
      changes: { status: 'disabled' },
    });
    expect(await world.issues()).toEqual([]);
  });
});

describe('an endpoint that was paused because it failed for long', () => {
  it('is an issue until it is resumed', async () => {
    const { endpoint } = await world.deliveries.register();
    const { id: endpointId } = endpoint;
    await change({ type: 'PauseEndpoint', at: at(), endpointId, commandId: 'pause', reason: 'auto_failing' });
    expect(await world.issues()).toMatchObject([
      { kind: 'endpoint_paused', status: 'open', subject: { id: endpointId }, cause: { code: 'auto_failing' } },
    ]);
    await change({ type: 'ResumeEndpoint', at: at(), endpointId, commandId: 'resume' });
    await world.elapse(80 * S, 10 * S);
    expect(await world.issues()).toMatchObject([{ status: 'closed' }]);
  });

  it('is none where its owner paused it', async () => {
    const { endpoint } = await world.deliveries.register();
    await change({ type: 'PauseEndpoint', at: at(), endpointId: endpoint.id, commandId: 'pause', reason: 'user' });
    expect(await world.issues()).toEqual([]);
  });
});

describe('what stopped an endpoint', () => {
  const running = { status: 'enabled', pausedReason: null, disabledReason: null } as const;

  it.each([
    [running, null],
    [{ ...running, status: 'paused', pausedReason: 'auto_failing' } as const, 'endpoint_paused'],
    [{ ...running, status: 'paused', pausedReason: 'user' } as const, null],
    [{ ...running, status: 'disabled', disabledReason: 'gone' } as const, 'endpoint_gone'],
    [{ ...running, status: 'disabled' } as const, null],
  ])('%j is %s', (endpoint, kind) => expect(stopOf(endpoint)).toBe(kind));
});
