// Fills a data directory with events whose deliveries are all due at one instant, as the service itself would store them.
import 'reflect-metadata';
import { loadFrom, openEngine } from '../places.mjs';

const { build, directory, projectId, endpoints, count, dueAt } = JSON.parse(process.argv[2]);
const IN_FLIGHT = 2_000;
const HALF_HOUR = 1_800_000;
const { UlidIds } = await loadFrom(build, 'ids');
const { appointmentDecider } = await loadFrom(build, 'appointments');
const { deliveriesDecider } = await loadFrom(build, 'deliveries');
const { EmittedEvents } = await loadFrom(build, 'emittedEvents');
const { events, engine, clock } = await openEngine(build, directory);
const ids = new UlidIds(clock);
const emitted = new EmittedEvents(events);
const at = Date.now();
const nothing = { customerId: null, sessionId: null, conversationId: null, resourceId: null, location: null, notes: null };
const cause = { reason: null, actor: { type: 'client', sessionId: null }, requestId: null, idempotencyKey: null };

async function append(stream, decider, command) {
  const batch = decider.decide(command, decider.initial).map((event) => ({ id: ids.uuid(), event }));
  await events.append(stream, batch, 'none');
}

function booking(number, appointmentId) {
  const startsAt = at + number * HALF_HOUR;
  const details = {
    ...nothing,
    ...{ appointmentId, projectId, externalId: `backlog-${number}`, service: 'dental_cleaning', source: 'api' },
    ...{ startsAt, endsAt: startsAt + HALF_HOUR, timeZone: 'UTC', metadata: '{"source":"bench"}' },
  };
  const identified = { ...cause, commandId: ids.uuid(), correlationId: ids.uuid() };
  return { type: 'BookAppointment', at, cause: identified, details, confirmed: false };
}

async function emit(number) {
  const appointmentId = ids.next('appointment');
  const stream = `appointment-${appointmentId}`;
  await append(stream, appointmentDecider, booking(number, appointmentId));
  const event = await emitted.eventIn(stream, 0);
  const { id: endpointId, url } = endpoints[number % endpoints.length];
  const delivery = { deliveryId: ids.next('delivery'), endpointId, url, trigger: 'replay', replayOf: null, dueAt };
  const deliveries = [{ ...delivery, overdueAt: dueAt + 2_000, maxAttempts: 9 }];
  await append(`deliveries-${event.eventId}`, deliveriesDecider, { type: 'FreezeEvent', at, event, deliveries });
}

for (let first = 0; first < count; first += IN_FLIGHT) {
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, count - first) }, (_, offset) => emit(first + offset)));
}
await engine.close();
process.stdout.write(JSON.stringify({ count }), () => process.exit(0));
