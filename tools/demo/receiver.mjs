import { once } from 'node:events';
import { createServer } from 'node:http';

const withinMs = 60_000;

export class Receiver {
  status = 200;
  requests = [];
  #server = createServer((request, response) => void this.#take(request, response));
  #taken = 0;

  static async start() {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/hooks`;
  }

  /** Skips other requests, which a shared service may send too. */
  async next(isAwaited) {
    const last = Date.now() + withinMs;
    for (;;) {
      const found = this.requests.findIndex(({ event }, place) => place >= this.#taken && isAwaited(event));
      if (found >= 0) {
        this.#taken = found + 1;
        return this.requests[found];
      }
      if (Date.now() > last) throw new Error(`No webhook came within ${withinMs / 1_000} s.`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status } = this;
    const body = Buffer.concat(chunks).toString('utf8');
    this.requests.push({ headers: request.headers, body, event: JSON.parse(body), answered: status });
    response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 200 ? 'thank you' : 'not today');
  }
}
