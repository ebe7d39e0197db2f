import { once } from 'node:events';
import { createServer } from 'node:http';

/** An address that nothing else on the machine listens at, so that what waits to be sent there can be awaited later. */
const ADDRESS = { host: '127.94.50.1', port: 18_477 };

/** A local webhook receiver that answers `/hooks/<status>` with that status and records its requests. */
export class Receiver {
  requests = [];
  #server = createServer((request, response) => void this.#take(request, response));

  async start() {
    this.#server.listen(ADDRESS);
    await once(this.#server, 'listening');
  }

  urlAnswering(status) {
    return `http://${ADDRESS.host}:${ADDRESS.port}/hooks/${status}`;
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
