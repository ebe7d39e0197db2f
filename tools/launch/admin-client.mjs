import { once } from 'node:events';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { jsonOf } from './json-answer.mjs';

/** Without a time limit, unlike `fetch`: a backup of a large store takes minutes. */
async function send(url, { method, headers, body }) {
  const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, { method, headers }).end(body);
  const [response] = await once(request, 'response');
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode, url: url.href, text: () => Promise.resolve(text) };
}

const EVERY_ADDRESS = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function usualAddress({ HOST, PORT }) {
  const host = EVERY_ADDRESS[HOST] ?? (HOST || '127.0.0.1');
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT || 3000}`;
}

export const isAddress = (text) => /^https?:\/\//.test(text) && URL.canParse(text);

export class AdminClient {
  #token = null;

  constructor(url) {
    this.url = url;
  }

  /** Runs `work` in a session, with the password in ADMIN_PASSWORD. */
  async inSession(work) {
    const password = process.env.ADMIN_PASSWORD;
    if (!password) throw new Error('Set ADMIN_PASSWORD to the admin password.');
    this.#token = (await this.ask('POST', '/admin/v1/login', { password })).token;
    try {
      return await work();
    } finally {
      await this.ask('POST', '/admin/v1/logout').catch(() => undefined);
    }
  }

  /** Rejects with the service's message; if nothing answers, `cause` has the system's code. */
  async ask(method, path, body) {
    const headers = {
      ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const request = { method, headers, body: body && JSON.stringify(body) };
    const answer = await send(new URL(path, this.url), request).catch((cause) => {
      throw new Error(`${this.url} does not answer: ${cause.code ?? cause.message}`, { cause });
    });
    const json = await jsonOf(answer);
    if (answer.status >= 400) throw new Error(json.error?.message ?? `${method} ${path} was answered ${answer.status}.`);
    return json;
  }
}
