import { once } from 'node:events';
import { createServer } from 'node:http';

/** A local webhook receiver that answers `/hooks/<status>` with that status and records its requests. */
export class Receiver {
  requests = [];
  #server = createServer((request, response) => void this.#take(request, response));

  async start() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  urlAnswering(status) {
    return `http://127.0.0.1:${this.#server.address().port}/hooks/${status}`;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    this.requests.push({ path: request.url, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(Number(request.url.split('/').at(-1))).end();
  }
}
