import { jsonOf } from '../launch/json-answer.mjs';
import { came, sent } from './telling.mjs';

function excerpt(body, shown) {
  if (shown.length === 0) return body;
  return Object.fromEntries(shown.filter((name) => name in body).map((name) => [name, body[name]]));
}

export class Client {
  constructor({ url, key }) {
    this.url = url;
    this.key = key;
  }

  async post(path, body, ...shown) {
    sent(`POST ${path}`, body);
    return this.#answer('POST', path, body, shown);
  }

  async get(path, ...shown) {
    sent(`GET ${path}`);
    return this.#answer('GET', path, undefined, shown);
  }

  async quietly(method, path) {
    const { response, answer } = await this.#send(method, path);
    return response.ok ? answer : null;
  }

  async #answer(method, path, body, shown) {
    const { response, answer } = await this.#send(method, path, body);
    came(response.status, response.ok ? excerpt(answer, shown) : answer);
    if (response.ok) return answer;
    throw Object.assign(new Error(`${method} ${path} was refused.`), { code: answer.error?.code });
  }

  async #send(method, path, body) {
    const headers = { authorization: `Bearer ${this.key}` };
    const request = { method, headers };
    if (body) Object.assign(request, { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const response = await fetch(this.url + path, request);
    return { response, answer: await jsonOf(response) };
  }
}
