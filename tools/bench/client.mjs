import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { ADMIN_PASSWORD, API_KEY } from './processes.mjs';

const GIVE_UP_MS = 600_000;

/** Looks until it is so; rejects after ten minutes. */
export async function until(isSo, lookEveryMs = 100) {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error('it did not come about within ten minutes');
    await pause(lookEveryMs);
  }
}

/** The text of an answer; rejects if it is no success. */
export async function textOf(url, method = 'GET', { key, body } = {}) {
  const headers = { ...(key && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }) };
  const { statusCode, body: answer } = await request(url, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (statusCode >= 400) throw new Error(`${method} ${url}: ${statusCode} ${text}`);
  return text;
}

/** Until the read models and the reactors of a process have handled what was written. */
export function caughtUp({ url }) {
  const waiting = /^(?:reactor_waiting_events|projection_lag_seconds)\{.*\} (\S+)$/gm;
  return until(async () => [...(await textOf(`${url}/metrics`)).matchAll(waiting)].every(([, left]) => left === '0'));
}

/** A client of a service with an API key. */
export class Client {
  constructor({ url }, key = API_KEY) {
    Object.assign(this, { url, key });
  }

  async ask(method, path, body) {
    return JSON.parse(await textOf(this.url + path, method, { key: this.key, body }));
  }

  register(url) {
    return this.ask('POST', '/v1/webhook_endpoints', { url, event_filters: ['appointment.*'] });
  }
}

/** An administrator of a running service. */
export class Admin extends Client {
  static async of(service) {
    const admin = new Admin(service, null);
    admin.key = (await admin.ask('POST', '/admin/v1/login', { password: ADMIN_PASSWORD })).token;
    return admin;
  }

  /** A client of a new project. */
  async newProject(name) {
    const { id } = await this.ask('POST', '/admin/v1/projects', { name });
    const { secret } = await this.ask('POST', `/admin/v1/projects/${id}/api_keys`, { name });
    return new Client(this, secret);
  }

  async projections() {
    return (await this.ask('GET', '/admin/v1/projections')).data;
  }

  /** Rebuilds read models, and resolves to the seconds until all are done. */
  async rebuild(names) {
    const from = performance.now();
    for (const name of names) await this.ask('POST', `/admin/v1/projections/${name}/rebuild`);
    const states = async () => (await this.projections()).map(({ rebuild }) => rebuild?.state);
    await until(async () => !(await states()).includes('running'), 50);
    if ((await states()).includes('failed')) throw new Error('a rebuild failed');
    return (performance.now() - from) / 1_000;
  }
}
