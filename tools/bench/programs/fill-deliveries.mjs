// Fills the rows of deliveries of one project, made by their projection from the events of each, through the port of read models.
// Their events are in no log: a list reads rows alone.
import { deliveryOf } from '../deliveries.mjs';
import { loadFrom, openEngine } from './engine.mjs';

const ROWS_AT_ONCE = 1_000;
const SPREAD_MS = 28 * 86_400_000;
/** Nothing falls due while it is measured. */
const FAR_MS = 3_650 * 86_400_000;
const URL = 'https://receiver.example/hooks';
const START = '0'.repeat(20);

/** Read models of a data directory, or of a cluster's MongoDB. */
async function openRows(build, { directory, servers }) {
  if (directory) {
    const { readModels, engine } = await openEngine(build, directory);
    return { readModels, close: () => engine.close() };
  }
  const { openMongoDb } = await loadFrom(build, 'open-mongodb.js');
  const { SystemClock } = await loadFrom(build, 'clock.system.js');
  const { mongodbUrl, prefix } = servers;
  return openMongoDb({ mongodbUrl, prefix, writeConcern: 1 }, new SystemClock());
}

/** The events of a delivery from its scheduling to where it stands. */
function eventsOf({ deliveryId, outcome, ...about }, at) {
  const due = { dueAt: at + FAR_MS, overdueAt: at + FAR_MS };
  const waits = outcome.ends ? due : { ...due, paused: true };
  const scheduled = { type: 'DeliveryScheduled', at, deliveryId, url: URL, replayOf: null, maxAttempts: 9, ...waits, ...about };
  const { ends, status = null, errorCode = null, reason } = outcome;
  if (!ends) return [scheduled];
  if (ends === 'DeliveryCancelled') return [scheduled, { type: ends, at: at + 50, deliveryId, result: null, reason }];
  const claimed = {
    type: 'DeliveryClaimed',
    at: at + 5,
    deliveryId,
    attemptId: '',
    attempt: 1,
    leaseUntil: at + 40_000,
    url: URL,
  };
  const result = { attemptId: '', attempt: 1, startedAt: at + 5, durationMs: 40, status, errorCode };
  return [scheduled, claimed, { type: ends, at: at + 45, deliveryId, result, reason, ...due }];
}

function rowOf({ project }, projectId, number, at) {
  const position = String(number + 1).padStart(20, '0');
  const { eventId, ...delivery } = deliveryOf(number);
  const stream = `deliveries-${eventId}`;
  const metadata = { $correlationId: eventId.replace('evt', 'cor') };
  const told = eventsOf({ projectId, ...delivery }, at).map((event) => ({ event, stream, metadata, position }));
  const row = told.reduce((before, record) => project(before, record), null);
  return { id: delivery.deliveryId, sortId: position, position, ...row };
}

export async function measure({ build, projectId, count, ...place }) {
  const { deliveriesProjection } = await loadFrom(build, 'deliveries.projection.js');
  const { readModels, close } = await openRows(build, place);
  await readModels.define(deliveriesProjection.schema);
  const since = Date.now() - SPREAD_MS;
  for (let first = 0; first < count; first += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, count - first) }, (_, offset) => {
      const at = since + Math.floor(((first + offset) * SPREAD_MS) / count);
      return rowOf(deliveriesProjection, projectId, first + offset, at);
    });
    await readModels.apply(deliveriesProjection.schema.name, rows, START);
  }
  await close();
  return {};
}
