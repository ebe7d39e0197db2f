import { until } from '../cluster.mjs';

/** As many as partitions, so that some belong to each delivery process. */
const ENDPOINTS = 24;
const LOOK_EVERY_MS = 10;

/** The clock of arrivals at the receiver. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;

/** Looks whether a project is served: its lists follow its writes, and its webhooks reach endpoints in every partition. */
export class Reach {
  said = 0;
  arrivals = [];

  static async of({ cluster, receiver }, name) {
    const reach = new Reach();
    Object.assign(reach, { receiver, project: await cluster.project(), paths: [] });
    for (let index = 0; index < ENDPOINTS; index += 1) {
      const path = `/${name}-${index}`;
      const body = { url: receiver.url(path), event_filters: ['appointment.created'] };
      await reach.project.ask('POST', '/v1/webhook_endpoints', body);
      reach.paths.push(path);
    }
    await receiver.noting(true);
    await reach.everyEndpoint();
    return reach;
  }

  /** Books an appointment, tried until it is taken. Resolves to when the last endpoint got its webhook. */
  async everyEndpoint() {
    return this.arrived(await this.book());
  }

  async book() {
    const starts_at = new Date(Date.UTC(2032, 0, 1, ++this.said)).toISOString();
    const { id } = await tried(() => this.project.ask('POST', '/v1/appointments', { service: 'dental_cleaning', starts_at }));
    return id;
  }

  async arrived(id) {
    const firsts = new Map();
    await until(async () => {
      for (const [path, subject, at] of await this.receiver.arrivals()) this.arrivals.push({ path, subject, at });
      for (const { path, subject, at } of this.arrivals) {
        if (subject.startsWith(id) && this.paths.includes(path) && !firsts.has(path)) firsts.set(path, at);
      }
      return firsts.size === this.paths.length;
    }, LOOK_EVERY_MS);
    this.arrivals = [];
    return Math.max(...firsts.values());
  }

  /** Posts a message with a key, tried until it is taken. Resolves to when a list has its conversation. */
  async list() {
    const body = { external_conversation_id: `reach-${++this.said}`, content: 'Hello' };
    const { conversation_id: id } = await tried(() => this.project.ask('POST', '/v1/messages', body));
    await tried(async () => {
      const { data } = await this.project.ask('GET', '/v1/conversations?limit=5');
      if (!data.some((one) => one.id === id)) throw new Error('the list lacks it');
    });
    return now();
  }
}

/** Again and again until it succeeds. */
async function tried(work) {
  let result;
  await until(
    () =>
      work().then(
        (found) => ((result = found), true),
        () => false,
      ),
    LOOK_EVERY_MS,
  );
  return result;
}
