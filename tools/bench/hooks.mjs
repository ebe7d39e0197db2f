import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { Admin } from './admin.mjs';
import { freshFolder, programs } from './places.mjs';
import { API_KEY, runProgram, Server, startService } from './processes.mjs';

export const LOCAL_HOOKS = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
const LOOK_EVERY_MS = 200;
const GIVE_UP_MS = 60_000;
const MAX_AHEAD_MS = 120_000;

export async function asked(url, method = 'GET', body, key) {
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }) };
  const { statusCode, body: answer } = await request(url, { method, headers, body: body ?? null });
  const text = await answer.text();
  if (statusCode >= 400) throw new Error(`${method} ${url}: ${statusCode} ${text}`);
  return text;
}

/** Who gets the webhooks: a process of its own, told what to answer. */
export class Receiver {
  static async start() {
    const receiver = new Receiver();
    receiver.server = await Server.start([join(programs, 'receive.mjs')]);
    return receiver;
  }

  url(path) {
    return this.server.url + path;
  }

  /** By path: a status, `after <ms>` or `hang`. */
  answer(answers) {
    return this.control('/answers', answers);
  }

  async noting(isNoting) {
    await this.control('/noting', isNoting);
  }

  /** What came since it was asked last: path, subject and time of the first byte. */
  async arrivals() {
    return JSON.parse(await asked(`${this.server.url}/control/arrivals`, 'PUT')).arrivals;
  }

  stop() {
    return this.server.stop();
  }

  control(path, value) {
    return asked(`${this.server.url}/control${path}`, 'PUT', JSON.stringify(value));
  }
}

/** A service that may post to this machine, and what its deliveries have come to. */
export class HookService {
  static async start(build, directory, variables = {}) {
    const hooks = new HookService();
    hooks.server = await startService(build, directory, { ...LOCAL_HOOKS, ...variables });
    return hooks;
  }

  async register(url, filters = ['appointment.*'], key = API_KEY) {
    const body = JSON.stringify({ url, event_filters: filters });
    const { id } = JSON.parse(await asked(`${this.server.url}/v1/webhook_endpoints`, 'POST', body, key));
    return { id, url };
  }

  /** The API key of a project of its own. */
  async newProject(name) {
    this.admin ??= await Admin.of(this.server);
    const { id } = await this.admin.ask('POST', '/projects', { name });
    return (await this.admin.ask('POST', `/projects/${id}/api_keys`, { name })).secret;
  }

  async book(service, key) {
    const body = JSON.stringify({ service, starts_at: '2030-01-07T09:00:00Z' });
    await asked(`${this.server.url}/v1/appointments`, 'POST', body, key);
  }

  /** Attempts whose outcome is stored, at least: what was answered less what is under way. */
  async settled() {
    const text = await asked(`${this.server.url}/metrics`);
    const all = [...text.matchAll(/^webhook_attempts_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
    return all - Number(/^webhook_attempts_in_flight (\d+)$/m.exec(text)[1]);
  }

  /** `seen` is told at each look what is settled by then. */
  async until(count, { seen = () => undefined, lookEveryMs = LOOK_EVERY_MS } = {}) {
    const giveUpAt = performance.now() + GIVE_UP_MS;
    for (;;) {
      const settled = await this.settled();
      seen(settled);
      if (settled >= count) return;
      if (performance.now() > giveUpAt) throw new Error(`${settled} of ${count} deliveries were settled`);
      await pause(lookEveryMs);
    }
  }

  /** Every event in the log of events has all of its deliveries, and all of those have succeeded or been replayed. */
  async expectDelivered(count) {
    let found = 0;
    for (let after = ''; ;) {
      const page = JSON.parse(await asked(`${this.server.url}/v1/events?limit=100${after}`, 'GET', undefined, API_KEY));
      for (const { delivery_summary: summary } of page.data) {
        if (summary.succeeded + summary.failed === summary.total && summary.succeeded > 0) found += summary.succeeded;
      }
      if (!page.has_more) break;
      after = `&starting_after=${page.data.at(-1).id}`;
    }
    if (found !== count) throw new Error(`${found} of ${count} deliveries are in the log of events`);
  }

  cpuMs() {
    return this.server.cpuMs();
  }

  stop() {
    return this.server.stop();
  }
}

/** A service with a backlog that falls due at one instant, at least so many milliseconds ahead, everything else done. */
export async function withBacklog(build, name, receiver, { aheadMs, ...backlog }) {
  const dueAt = Date.now() + aheadMs;
  const directory = await filledFolder(build, name, receiver, { ...backlog, dueAt });
  // A first attempt is held back for no longer than the schedule's first wait; one further ahead is left to the sweep.
  const variables = { RETRY_SCHEDULE: `${aheadMs}ms,5s,30s,5m,30m,2h,5h,10h,24h` };
  const service = await caughtUpOn(build, directory, variables);
  const left = dueAt - Date.now();
  if (left > 0) return pause(left, service);
  // A busy machine needs longer to make it.
  await service.stop();
  if (aheadMs > MAX_AHEAD_MS) throw new Error('the backlog came due before it was there');
  return withBacklog(build, name, receiver, { ...backlog, aheadMs: 2 * aheadMs });
}

/** A service with a backlog that was due when it was made, and is being delivered. */
export async function withOldBacklog(build, name, receiver, backlog) {
  return caughtUpOn(build, await filledFolder(build, name, receiver, { ...backlog, dueAt: Date.now() }));
}

async function caughtUpOn(build, directory, variables = {}) {
  const service = await HookService.start(build, directory, variables);
  const admin = await Admin.of(service.server);
  while (!(await admin.isCaughtUp())) await pause(100);
  return service;
}

async function filledFolder(build, name, receiver, { count, endpoints, dueAt }) {
  const directory = freshFolder(`${name}-${build.key}`);
  const empty = await HookService.start(build, directory);
  const filters = ['appointment.failed'];
  const urls = Array.from({ length: endpoints }, (_, index) => receiver.url(`/${index}`));
  const projectId = await (await Admin.of(empty.server)).firstProject();
  const registered = [];
  for (const url of urls) registered.push({ ...(await empty.register(url, filters)), projectId });
  await empty.stop();
  await runProgram('backlog.mjs', { build: build.path, directory, endpoints: registered, count, dueAt });
  return directory;
}
