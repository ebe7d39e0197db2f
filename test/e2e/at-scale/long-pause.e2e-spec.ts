import { setTimeout as pause } from 'node:timers/promises';
import { App } from '../harness/app.js';
import type { Client } from '../harness/client.js';
import { eventually } from '../harness/eventually.js';
import { nextSlot } from '../harness/ledger.js';
import { walkItems } from '../harness/lists.js';
import { Backend, LOCAL_HOOKS, subscribe } from '../harness/receiver.js';
import { sized } from '../harness/size.js';

/** An hour in full; a hundredth of it at a tenth of the size, because all of it is waiting. */
const PAUSE_S = Math.max(20, sized(sized(3_600)));
const EVENTS_PER_SECOND = 5;
/** The endpoint's pace is such that what waited is sent in this time: longer than the ten seconds over which a pace is counted. */
const SENT_WITHIN_S = 18 + PAUSE_S / 20;
const TEN_SECONDS = 10_000;
/** So many attempts to an endpoint may be under way at once, and one may overtake those begun just before it. */
const AT_ONCE = 64;
const LIMIT_MS = (3 * PAUSE_S + 300) * 1_000;

interface Arrival {
  readonly event: string;
  readonly attempt: string;
  readonly at: number;
}

let backend: Backend;
let app: App;
beforeAll(async () => {
  [backend, app] = await Promise.all([Backend.start(), App.start(LOCAL_HOOKS)]);
});
afterAll(async () => {
  await Load.endLast();
  await Promise.all([app.dispose(), backend.close()]);
});

/** A steady load of bookings, each asked for again under its key until it is answered. */
class Load {
  /** Ends what a failed test has left behind: its rejections would be those of the next tests. */
  static endLast: () => Promise<unknown> = () => Promise.resolve();
  readonly booked: string[] = [];
  private readonly asked: Promise<void>[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly client: () => Client) {
    this.timer = setInterval(() => this.asked.push(this.book()), 1_000 / EVENTS_PER_SECOND);
    Load.endLast = () => this.end().catch(() => undefined);
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.asked);
  }

  private async book(): Promise<void> {
    const [booking, key] = [{ service: 'haircut', starts_at: nextSlot() }, `booking-${this.asked.length}`];
    await eventually(async () => {
      const { status, body } = await this.client().post('/v1/appointments', booking, { 'Idempotency-Key': key });
      if (status !== 201) throw new Error(`A booking was answered ${status}.`);
      this.booked.push(body.id);
    });
  }
}

/** The most that came within any ten seconds. */
function mostInTenSeconds(arrivals: readonly Arrival[]): number {
  let [most, first] = [0, 0];
  for (const [index, { at }] of arrivals.entries()) {
    while ((arrivals[first]?.at ?? 0) <= at - TEN_SECONDS) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

describe('an endpoint that is paused for long under load, while its processes are killed and restarted', () => {
  it(
    'gets every event once it is resumed, by first attempts in the order of the events and at its pace',
    async () => {
      const arrivals: Arrival[] = [];
      const hook = backend.hook(({ headers }, response) => {
        const [event, attempt] = [headers['webhook-id'], headers['service-attempt']].map(String) as [string, string];
        arrivals.push({ event, attempt, at: performance.now() });
        response.writeHead(200).end();
      });
      const { client, id } = await subscribe(app, hook.url);
      const own = () => app.as(client.token);
      const path = `/v1/webhook_endpoints/${id}`;
      const deliveries = (status: string) =>
        walkItems({ client: own(), path: '/v1/deliveries' }, { endpoint_id: id, status, order: 'asc' });
      expect((await own().post(`${path}/pause`)).status).toBe(200);
      const load = new Load(own);

      await pause((PAUSE_S * 1_000) / 3);
      await app.kill();
      await app.restart();
      await pause((PAUSE_S * 1_000) / 3);
      await app.restart();
      await pause((PAUSE_S * 1_000) / 3);

      const before = load.booked.length;
      await eventually(async () => expect((await deliveries('pending')).length).toBeGreaterThanOrEqual(before));
      const waiting = await deliveries('pending');
      expect(arrivals).toEqual([]);
      for (const each of waiting) expect(each).toMatchObject({ attempt_count: 0, next_attempt_at: null });
      const rate = Math.ceil(waiting.length / SENT_WITHIN_S);
      expect((await own().patch(path, { rate_limit_per_second: rate })).status).toBe(200);
      expect((await own().post(`${path}/resume`)).status).toBe(200);
      await load.end();

      const events = await walkItems({ client: own(), path: '/v1/events' }, { order: 'asc' });
      expect(events.map(({ data }) => data.object.id).toSorted()).toEqual(load.booked.toSorted());
      const sentWithinMs = performance.now() + (events.length / rate) * 1_000;
      while (arrivals.length < events.length && performance.now() < sentWithinMs) await pause(100);
      await eventually(() => expect(arrivals.length).toBe(events.length));
      await eventually(async () => expect(await deliveries('pending,retrying,delivering')).toEqual([]));

      const succeeded = await deliveries('succeeded');
      expect(succeeded.map(({ event_id }) => event_id).toSorted()).toEqual(events.map((event) => event.id).toSorted());
      expect(succeeded.filter(({ attempt_count }) => attempt_count !== 1)).toEqual([]);
      expect(new Set(arrivals.map(({ attempt }) => attempt))).toEqual(new Set(['1']));
      expect(new Set(arrivals.map(({ event }) => event)).size).toBe(events.length);
      expect(mostInTenSeconds(arrivals)).toBeLessThanOrEqual(10 * rate);

      const waited = new Set(waiting.map(({ event_id }) => event_id));
      const inOrder = new Map(events.filter((event) => waited.has(event.id)).map((event, place) => [event.id, place]));
      const sent = arrivals.filter(({ event }) => waited.has(event));
      expect(sent.filter(({ event }, place) => Math.abs(place - (inOrder.get(event) ?? 0)) >= AT_ONCE)).toEqual([]);
    },
    LIMIT_MS,
  );
});
