import fc from 'fast-check';
import type { AttemptResult, DeliveryEvent } from '@domain/delivery/delivery.events';
import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import { claimed as claimedFirst, delivery, result } from '@testing/delivery-events';
import { inWindow, plainPercentile, plainPercentiles } from '@testing/plain-count';
import { readersOf, sharedRowsAfter } from '@testing/shared-rows-after';
import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { ProjectDirectory } from '../../projects/project-directory.js';
import type { Projection } from '../../read-models/projection.js';
import { STATS_WINDOWS, type StatsWindow } from '../../read-models/stats-window.js';
import { deliveriesProjection } from '../deliveries.projection.js';
import type { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { GetDeliveryBacklogHandler } from './delivery-backlog.handler.js';
import { GetDeliveryBacklog } from './delivery-backlog.query.js';
import type { OldestPending } from '../endpoints/oldest-pending.js';
import { GetWebhookStatsHandler } from './webhook-stats.handler.js';
import { GetWebhookStats, type WebhookStats } from './webhook-stats.query.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 2, 1, 14, 31, 12);

interface Attempt {
  readonly status: number | null;
  readonly durationMs: number | null;
  /** How long after the event before. */
  readonly afterMs: number;
}

const ENDS = [
  'DeliverySucceeded',
  'DeliveryFailed',
  'DeliveryCancelled',
  'cancelled while waiting',
  'cancelled in place of an attempt',
  'open',
] as const;

interface History {
  readonly endpointId: string;
  readonly projectId: string;
  readonly trigger: 'event' | 'replay' | 'test';
  readonly ageMs: number;
  /** The last one ends the delivery, unless it stays open. */
  readonly attempts: readonly Attempt[];
  readonly end: (typeof ENDS)[number];
  /** By a version whose outcomes did not name their endpoint. */
  readonly isOld: boolean;
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  status: fc.constantFrom(200, 204, 301, 404, 503, 999, null),
  durationMs: fc.option(fc.nat(40_000)),
  afterMs: fc.oneof(fc.nat(90_000), fc.nat(3 * HOUR), fc.nat(3 * DAY)),
});
const history: fc.Arbitrary<History> = fc
  .record({
    place: fc.constantFrom(['we_1', 'prj_1'], ['we_2', 'prj_1'], ['we_3', 'prj_2']),
    trigger: fc.constantFrom('event' as const, 'replay' as const, 'test' as const),
    ageMs: fc.oneof(fc.nat(2 * HOUR), fc.nat(2 * DAY), fc.nat(40 * DAY)),
    attempts: fc.array(attempt, { maxLength: 4 }),
    end: fc.constantFrom(...ENDS),
    isOld: fc.boolean(),
  })
  .map(({ place: [endpointId, projectId], ...rest }) => ({ endpointId, projectId, ...rest }) as History);

function claimed(at: number, attempt: number, deliveryId: string): DeliveryEvent {
  return { ...claimedFirst(at, attempt), deliveryId } as DeliveryEvent;
}

/** The delivery's events up to now. */
function eventsOf({ endpointId, projectId, trigger, ageMs, attempts, end, isOld }: History, index: number): DeliveryEvent[] {
  const deliveryId = `whd_${index}`;
  const about = { deliveryId, ...(!isOld && { endpointId }) };
  let at = NOW - ageMs;
  const eventType = 'appointment.created';
  const first = { projectId, eventType, appointmentId: 'apt_1', ...delivery(deliveryId), endpointId, trigger };
  const events: DeliveryEvent[] = [{ type: 'DeliveryScheduled', at, ...first }];
  const answered = ({ status, durationMs }: Attempt, nth: number): AttemptResult => ({
    ...result(nth + 1, status, at),
    durationMs,
  });
  attempts.forEach((each, nth) => {
    at += each.afterMs;
    const isLast = nth === attempts.length - 1;
    const outcome = { at, ...about, result: answered(each, nth) };
    if (isLast && end === 'DeliverySucceeded') events.push({ type: end, ...outcome });
    else if (isLast && end === 'DeliveryFailed') events.push({ type: end, ...outcome, reason: 'attempts_exhausted' });
    else if (isLast && end === 'DeliveryCancelled') events.push({ type: end, ...outcome, reason: 'superseded' });
    else events.push({ type: 'DeliveryRetryScheduled', ...outcome, dueAt: at, overdueAt: at });
  });
  if (end === 'cancelled in place of an attempt') events.push(claimed(at, attempts.length + 1, deliveryId));
  if (end.startsWith('cancelled')) {
    events.push({ type: 'DeliveryCancelled', at: at + 1, ...about, result: null, reason: 'endpoint_disabled' });
  }
  return events.filter((event) => event.at <= NOW);
}

/** In the order of the log: events of different streams are stored up to `latest` ms late. */
function logOf(histories: readonly History[], lateness: readonly number[]): Recorded[] {
  const streams = histories.map(eventsOf);
  const placed = streams.flatMap((events, stream) => {
    let storedAt = 0;
    return events.map((event, revision) => {
      storedAt = Math.max(storedAt, event.at + (lateness[(stream + revision) % lateness.length] ?? 0));
      return { event, stream: `deliveries-evt_${stream}`, revision, storedAt };
    });
  });
  return placed
    .toSorted((a, b) => a.storedAt - b.storedAt)
    .map(({ event, stream, revision }, index) => {
      return { id: `id ${index}`, stream, revision, position: String(index + 1).padStart(20, '0'), event };
    });
}

function statsFrom(rows: ReadonlyMap<string, StoredRow>, query: GetWebhookStats): Promise<WebhookStats> {
  const { fresh, readModels } = readersOf(rows);
  const known = { load: () => Promise.resolve() } as unknown as EndpointDirectory;
  const none = { createdAt: () => Promise.resolve(null) } as unknown as OldestPending;
  return new GetWebhookStatsHandler(known, fresh, readModels, none, new FakeClock(NOW)).execute(query);
}

/** A wait of one millisecond before the first retry, two before the second, and so on. */
const SCHEDULE = { waits: [0, 1, 2], mode: 'gap', jitter: 0 } as const;

async function openByAttempts(rows: ReadonlyMap<string, StoredRow>, projectId: string): Promise<readonly number[]> {
  const { fresh, readModels } = readersOf(rows);
  const known = { load: () => Promise.resolve() } as unknown as ProjectDirectory;
  const handler = new GetDeliveryBacklogHandler(known, fresh, readModels, fakeSettings({ retrySchedule: SCHEDULE }));
  const tiers = await handler.execute(new GetDeliveryBacklog(projectId));
  expect(tiers.map(({ tier }) => tier)).toEqual([null, '1ms', '2ms']);
  return tiers.map(({ open }) => open);
}

const nameOf = ({ status }: AttemptResult) =>
  status === null || status > 599 ? 'none' : (`${String(status)[0]}xx` as '2xx' | '3xx' | '4xx' | '5xx');

const resultsIn = (events: readonly DeliveryEvent[]) =>
  events.flatMap((event) => ('result' in event && event.result ? [event.result] : []));
const durationsIn = (results: readonly AttemptResult[]) => results.flatMap(({ durationMs }) => durationMs ?? []);

const isOpen = (events: readonly DeliveryEvent[]) =>
  events.length > 0 && !events.some(({ type }) => /^Delivery(Succeeded|Failed|Cancelled)$/.test(type));

function ended(events: readonly DeliveryEvent[]) {
  const results = resultsIn(events);
  const countOf = (wanted: string) => events.filter(({ type }) => type === wanted).length;
  const deliveries = {
    succeeded: countOf('DeliverySucceeded'),
    failed: countOf('DeliveryFailed'),
    cancelled: countOf('DeliveryCancelled'),
  };
  return { deliveries, results };
}

/** The events of each delivery, tests aside. */
function eventsOfEach(histories: readonly History[], isOwn: (of: History) => boolean): readonly (readonly DeliveryEvent[])[] {
  const counted = histories.map((of, index) => ({ of, events: eventsOf(of, index) }));
  return counted.filter(({ of }) => isOwn(of) && of.trigger !== 'test').map(({ events }) => events);
}

/** The same numbers, counted from all events. */
function recounted(histories: readonly History[], window: StatsWindow, isOwn: (of: History) => boolean) {
  const own = eventsOfEach(histories, isOwn);
  const counted = inWindow(window, NOW, own.flat());
  const all = ended(counted.all);
  const attempts = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 };
  for (const each of all.results) attempts[nameOf(each)]++;
  return {
    window,
    deliveries: { ...all.deliveries, open: own.filter(isOpen).length },
    attempts,
    durationMs: plainPercentiles(durationsIn(all.results)),
    oldestPendingAt: null,
    series: counted.spans.map(({ at, events }) => {
      const { deliveries, results } = ended(events);
      return { at, ...deliveries, attempts: results.length, p95Ms: plainPercentile(durationsIn(results), 0.95) };
    }),
  };
}

/** Deliveries that are open, by the attempts that are over; the last tier has those with more. */
function openRecounted(histories: readonly History[], isOwn: (of: History) => boolean): readonly number[] {
  const open = eventsOfEach(histories, isOwn).filter(isOpen);
  return [0, 1, 2].map((over) => open.filter((events) => Math.min(2, resultsIn(events).length) === over).length);
}

it('the statistics of endpoints and projects are what a plain count of all events gives, however the events come and are stored', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(history, { maxLength: 12 }),
      fc.array(fc.nat(2 * HOUR), { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      fc.constantFrom(...STATS_WINDOWS),
      async (histories, lateness, cuts, window) => {
        const rows = await sharedRowsAfter(deliveriesProjection as Projection, logOf(histories, lateness), cuts);
        for (const endpointId of ['we_1', 'we_2', 'we_3']) {
          const projectId = endpointId === 'we_3' ? 'prj_2' : 'prj_1';
          const { failingSince: _, ...stats } = await statsFrom(rows, new GetWebhookStats(projectId, endpointId, window));
          expect(stats).toEqual(recounted(histories, window, (of) => of.endpointId === endpointId));
        }
        for (const projectId of ['prj_1', 'prj_2']) {
          const stats = await statsFrom(rows, new GetWebhookStats(projectId, null, window));
          expect(stats).toEqual({ ...recounted(histories, window, (of) => of.projectId === projectId), failingSince: null });
          expect(await openByAttempts(rows, projectId)).toEqual(openRecounted(histories, (of) => of.projectId === projectId));
        }
        expect(await statsFrom(rows, new GetWebhookStats('prj_2', 'we_1', window))).toEqual({
          ...recounted([], window, () => false),
          failingSince: null,
        });
      },
    ),
    { numRuns: 50 },
  ));
