// Fills a data directory, or the servers of the cluster engine, with events whose deliveries are all due at one instant, as the
// service itself would store them, and tells the pointers that it would publish. On the cluster nobody publishes them within a minute.
import 'reflect-metadata';
import { loadFrom, openCluster, openEngine } from '../places.mjs';

const { build, directory, servers, endpoints, count, dueAt } = JSON.parse(process.argv[2]);
const IN_FLIGHT = servers ? 100 : 2_000;
const OVERDUE_AFTER_MS = servers ? 60_000 : 2_000;
const HALF_HOUR = 1_800_000;
const { UlidIds } = await loadFrom(build, 'ids');
const { appointmentDecider } = await loadFrom(build, 'appointments');
const { deliveriesDecider } = await loadFrom(build, 'deliveries');
const { EmittedEvents } = await loadFrom(build, 'emittedEvents');
const { events, engine, clock } = await (servers ? openCluster(build, servers) : openEngine(build, directory));
const ids = new UlidIds(clock);
/** The fan-out publishes the pointer of a replay, but not on the cluster, where the caller does. */
const trigger = servers ? 'event' : 'replay';
const pointers = [];
const emitted = new EmittedEvents(events);
/** A place in the log, which is not known before. */
const SOMEWHERE = '0'.repeat(20);
const at = Date.now();
const nothing = { customerId: null, sessionId: null, conversationId: null, resourceId: null, location: null, notes: null };
const cause = { reason: null, actor: { type: 'client', sessionId: null }, requestId: null, idempotencyKey: null };

const decided = (decider, command) => decider.decide(command, decider.initial).map((event) => ({ id: ids.uuid(), event }));

function booking(number, appointmentId, projectId) {
  const startsAt = at + number * HALF_HOUR;
  const details = {
    ...nothing,
    appointmentId,
    projectId,
    externalId: `backlog-${number}`,
    service: 'dental_cleaning',
    source: 'api',
    startsAt,
    endsAt: startsAt + HALF_HOUR,
    timeZone: 'UTC',
    metadata: '{"source":"bench"}',
  };
  const identified = { ...cause, commandId: ids.uuid(), correlationId: ids.uuid() };
  return { type: 'BookAppointment', at, cause: identified, details, confirmed: false };
}

async function emit(number) {
  const appointmentId = ids.next('appointment');
  const stream = `appointment-${appointmentId}`;
  const { id: endpointId, url, projectId } = endpoints[number % endpoints.length];
  const booked = decided(appointmentDecider, booking(number, appointmentId, projectId));
  const event = await emitted.eventOf({ ...booked[0], stream, revision: 0, position: SOMEWHERE });
  const delivery = { deliveryId: ids.next('delivery'), endpointId, url, trigger, replayOf: null, dueAt };
  const deliveries = [{ ...delivery, overdueAt: dueAt + OVERDUE_AFTER_MS, maxAttempts: 9 }];
  const freezing = decided(deliveriesDecider, { type: 'FreezeEvent', at, event, deliveries });
  await events.append(`deliveries-${event.eventId}`, freezing, 'none');
  // The fan-out of a running service would publish the pointer of a booking.
  if (!servers) await events.append(stream, booked, 'none');
  const { eventId } = event;
  pointers.push({ eventId, deliveryId: delivery.deliveryId, projectId, endpointId, appointmentId, attempt: 1, dueAt });
}

for (let first = 0; first < count; first += IN_FLIGHT) {
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, count - first) }, (_, offset) => emit(first + offset)));
}
await engine.close();
process.stdout.write(JSON.stringify({ pointers: servers ? pointers : [] }), () => process.exit(0));
