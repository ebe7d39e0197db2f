import type { EndpointChanges } from '@domain/endpoint/endpoint.events';
import { originOf } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';
import { LEDGER_PROJECT, OTHER_PROJECT } from '@testing/ledger-world';
import { EndpointHistory } from '../fan-out/endpoint-history.js';
import { EventChanges } from '../fan-out/event-changes.js';
import { ExplainEventHandler } from './explain-event.handler.js';
import { ExplainEvent } from './explain.queries.js';

const DAY = 24 * 3_600_000;
const NINE = '2026-03-01T09:00:00.000Z';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

function explain(eventId: string, projectId = LEDGER_PROJECT, { queries, streams, directory, ledger } = world) {
  const { events } = ledger.ports;
  const changes = new EventChanges(queries, events, ledger.clock);
  const handler = new ExplainEventHandler(changes, new EndpointHistory(events), directory, streams, events);
  return handler.execute(new ExplainEvent(projectId, eventId));
}

const registered = async (...filters: readonly string[]) => (await world.register({ filters })).endpoint.id;
let commands = 0;
function change(endpointId: string, changes: EndpointChanges) {
  const commandId = `change ${++commands}`;
  const { sealedHeaders: _, ...others } = changes;
  const command = { type: 'UpdateEndpoint', at: world.ledger.clock.now(), endpointId, commandId, changes: others } as const;
  return world.directory.run(LEDGER_PROJECT, command, originOf(commandId));
}
const remove = (endpointId: string) =>
  world.directory.run(LEDGER_PROJECT, (at) => ({ type: 'DeleteEndpoint', at, endpointId }), originOf(`remove ${endpointId}`));

async function emitted(): Promise<string> {
  const eventId = await world.emit();
  await world.quiet();
  return eventId;
}

const replayOf = (eventId: string, endpointId: string) =>
  `POST /v1/events/${eventId}/replay and the body {"endpoint_ids":["${endpointId}"]}.`;

describe('an endpoint without a delivery of an event', () => {
  const none = { deliveryIds: [], status: null };

  it('had other filters', async () => {
    const endpointId = await registered('appointment.cancelled', 'appointment.failed');
    const eventId = await emitted();
    expect(await explain(eventId)).toEqual([
      {
        ...none,
        endpointId,
        filters: ['appointment.cancelled', 'appointment.failed'],
        reason: 'filter_mismatch',
        explanation: `When the event happened, at ${NINE}, the event_filters were appointment.cancelled, appointment.failed, and none of them matches appointment.created.`,
        whatToDo: `Add appointment.created to its event_filters to get such events from now on, and to get this one replay the event to it with ${replayOf(eventId, endpointId)}`,
      },
    ]);
  });

  it('had other filters then, whatever it has now', async () => {
    const endpointId = await registered('appointment.cancelled');
    const eventId = await emitted();
    await change(endpointId, { filters: [] });
    expect(await explain(eventId)).toMatchObject([
      {
        reason: 'filter_mismatch',
        filters: ['appointment.cancelled'],
        whatToDo: `Replay the event to it with ${replayOf(eventId, endpointId)}`,
      },
    ]);
    await change(endpointId, { status: 'disabled' });
    expect(await explain(eventId)).toMatchObject([
      { whatToDo: `Enable the endpoint, then replay the event to it with ${replayOf(eventId, endpointId)}` },
    ]);
  });

  it('was disabled', async () => {
    const endpointId = await registered();
    await change(endpointId, { status: 'disabled' });
    const eventId = await emitted();
    const explained = { ...none, endpointId, filters: [], reason: 'endpoint_disabled' };
    const explanation = `The endpoint was disabled when the event happened, at ${NINE}.`;
    const whatToDo = `Enable the endpoint, then replay the event to it with ${replayOf(eventId, endpointId)}`;
    expect(await explain(eventId)).toEqual([{ ...explained, explanation, whatToDo }]);
    await change(endpointId, { status: 'enabled' });
    expect(await explain(eventId)).toMatchObject([
      { explanation, whatToDo: `Replay the event to it with ${replayOf(eventId, endpointId)}` },
    ]);
  });

  it('was registered later', async () => {
    const eventId = await emitted();
    await world.elapse(60_000);
    const endpointId = await registered('appointment.failed');
    expect(await explain(eventId)).toEqual([
      {
        ...none,
        endpointId,
        filters: ['appointment.failed'],
        reason: 'created_after_event',
        explanation: `The endpoint was registered at 2026-03-01T09:01:00.000Z, after the event, which happened at ${NINE}.`,
        whatToDo: `Replay the event to it with ${replayOf(eventId, endpointId)}`,
      },
    ]);
  });

  it('is deleted', async () => {
    const [other, disabled] = [await registered('appointment.failed'), await registered()];
    await change(disabled, { status: 'disabled' });
    const eventId = await emitted();
    await world.elapse(60_000);
    await remove(other);
    await remove(disabled);
    const deleted = 'The endpoint was deleted at 2026-03-01T09:01:00.000Z';
    expect(await explain(eventId)).toEqual([
      {
        ...none,
        endpointId: other,
        filters: ['appointment.failed'],
        reason: 'deleted',
        explanation: `${deleted}, and of its event_filters, appointment.failed, none matched appointment.created.`,
        whatToDo: null,
      },
      {
        ...none,
        endpointId: disabled,
        filters: [],
        reason: 'deleted',
        explanation: `${deleted}, and had been disabled when the event happened, at ${NINE}.`,
        whatToDo: null,
      },
    ]);
  });

  it('is left out where it came after the event and is gone', async () => {
    const eventId = await emitted();
    await remove(await registered());
    expect(await explain(eventId)).toEqual([]);
  });

  it('is to get one, as long as the event is not fanned out', async () => {
    let held!: DeliveryWorld;
    const waiting = await DeliveryWorld.create({}, (made) => {
      held = made;
      jest.spyOn(made.reactors[0]!, 'handle').mockResolvedValue();
    });
    const [{ endpoint: kept }, { endpoint: removed }] = [await held.register(), await held.register()];
    const eventId = await held.emit();
    await held.directory.run(
      LEDGER_PROJECT,
      (at) => ({ type: 'DeleteEndpoint', at, endpointId: removed.id }),
      originOf('remove'),
    );
    expect(await explain(eventId, LEDGER_PROJECT, held)).toEqual([
      {
        ...none,
        endpointId: kept.id,
        filters: [],
        reason: 'not_fanned_out_yet',
        explanation: `The deliveries of the event, which happened at ${NINE}, are still to be made, one of them to this endpoint.`,
        whatToDo: 'Ask again in a few seconds.',
      },
      expect.objectContaining({
        endpointId: removed.id,
        reason: 'deleted',
        explanation: `The endpoint was deleted at ${NINE}, before its delivery was made after the event happened, at ${NINE}.`,
      }),
    ]);
    await waiting.close();
  });
});

describe('an endpoint with a delivery of an event', () => {
  const only = async (eventId: string) => {
    const [{ reason, status, explanation, whatToDo } = {}] = await explain(eventId);
    return [reason, status, explanation, whatToDo];
  };

  it('has got it', async () => {
    const endpointId = await registered();
    const eventId = await emitted();
    const [delivery] = await world.deliveries(eventId);
    expect(await explain(eventId)).toMatchObject([{ endpointId, deliveryIds: [delivery?.id] }]);
    expect(await only(eventId)).toEqual([null, 'succeeded', `The receiver answered 200 at ${NINE}.`, null]);
  });

  it('is told by its last delivery', async () => {
    const endpointId = await registered('appointment.failed');
    const eventId = await emitted();
    const ids = [];
    for (let count = 1; count <= 2; count++) ids.push((await world.replayEvent(eventId, [endpointId]))[0]?.id);
    await world.quiet();
    expect(await explain(eventId)).toMatchObject([{ reason: null, status: 'succeeded', deliveryIds: ids }]);
  });

  it('answered otherwise, or not at all, and is to be asked again', async () => {
    await registered();
    world.sender.answer = (_, count) => (count === 1 ? answered(503) : timedOut());
    const eventId = await emitted();
    expect(await only(eventId)).toEqual([
      null,
      'retrying',
      'The receiver answered 503 to attempt 1 of 9, and the next attempt is to come, due at 2026-03-01T09:00:05.000Z.',
      null,
    ]);
    await world.elapse(5_000);
    expect((await only(eventId))[2]).toBe(
      'Attempt 2 of 9 ended with timeout, and the next attempt is to come, due at 2026-03-01T09:00:35.000Z.',
    );
  });

  it('is being asked', async () => {
    await registered();
    let answer = (): void => undefined;
    world.sender.answer = () => new Promise((resolve) => (answer = () => resolve(answered(200))));
    expect(await only(await emitted())).toEqual([null, 'delivering', `Attempt 1 of 9 has been under way since ${NINE}.`, null]);
    answer();
  });

  it('has failed for good', async () => {
    const endpointId = await registered();
    world.sender.answer = () => answered(404);
    const rejected = await emitted();
    expect(await only(rejected)).toEqual([
      null,
      'failed',
      `The receiver answered 404 to attempt 1 of 9 at ${NINE}, which is not tried again.`,
      `Repair the receiver, then replay the event to it with ${replayOf(rejected, endpointId)}`,
    ]);
  });

  it('has failed to the last attempt', async () => {
    await registered();
    world.sender.answer = () => timedOut();
    const eventId = await emitted();
    await world.elapse(2 * DAY, DAY / 24);
    expect((await only(eventId))[2]).toMatch(/^Attempt 9 of 9 ended with timeout at .*, which was the last\.$/);
  });

  it('was disabled or deleted before it got it', async () => {
    world.sender.answer = () => answered(503);
    const [disabled, deleted] = [await registered(), await registered()];
    const eventId = await emitted();
    await change(disabled, { status: 'disabled' });
    await remove(deleted);
    await world.elapse(60_000);
    expect(await explain(eventId)).toMatchObject([
      {
        reason: 'endpoint_disabled',
        status: 'cancelled',
        explanation: expect.stringMatching(/^The delivery was cancelled at .*, as the endpoint was disabled\.$/),
        whatToDo: `Enable the endpoint, then replay the event to it with ${replayOf(eventId, disabled)}`,
      },
      {
        reason: 'deleted',
        status: 'cancelled',
        explanation: expect.stringMatching(/^The delivery was cancelled at .*, as the endpoint was deleted\.$/),
        whatToDo: null,
      },
    ]);
  });
});

describe('an event that is explained', () => {
  it("is the project's own, known and not expired", async () => {
    await registered();
    const eventId = await emitted();
    await expect(explain(eventId, OTHER_PROJECT)).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(explain('nobody')).rejects.toMatchObject({ code: 'resource_missing' });
    world.ledger.clock.set(world.ledger.clock.now() + 30 * DAY);
    await expect(explain(eventId)).rejects.toMatchObject({ code: 'event_expired' });
  });
});
