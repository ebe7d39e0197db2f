import { connect, createServer } from 'node:net';
import { freePort } from './free-port.mjs';

export class TcpProxy {
  #server;
  #target;
  #mode = 'pass';
  #made = 0;
  /** The client's socket → the engine's socket, or null. */
  #pairs = new Map();
  #stranded = new WeakSet();

  constructor(target, port) {
    this.#target = target;
    this.port = port;
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => this.#accept(client));
  }

  static async before(target) {
    const proxy = new TcpProxy(target, await freePort());
    await new Promise((resolve, reject) => {
      proxy.#server.once('error', reject).listen(proxy.port, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get mode() {
    return this.#mode;
  }

  set mode(mode) {
    const healed = this.#mode === 'hold' && mode !== 'hold';
    this.#mode = mode;
    if (healed) this.cut();
  }

  get connections() {
    return { open: [...this.#pairs.keys()].filter((client) => !client.readableEnded).length, made: this.#made };
  }

  cut() {
    for (const [client, engine] of this.#pairs) {
      client.resetAndDestroy();
      engine?.resetAndDestroy();
    }
    this.#pairs.clear();
  }

  end() {
    for (const client of this.#pairs.keys()) client.end();
  }

  strand() {
    for (const pair of this.#pairs) for (const socket of pair) if (socket) this.#stranded.add(socket);
  }

  close() {
    this.cut();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #accept(client) {
    if (this.#mode === 'refuse') return void client.resetAndDestroy();
    const engine = this.#mode === 'hold' ? null : connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    this.#made += 1;
    this.#pairs.set(client, engine);
    client.on('error', () => engine?.destroy());
    client.on('close', () => {
      this.#pairs.delete(client);
      engine?.destroy();
    });
    if (!engine) return void client.resume();
    engine.on('error', () => client.destroy());
    engine.on('close', () => client.destroy());
    this.#relay(client, engine);
    this.#relay(engine, client);
  }

  #relay(from, to) {
    from.on('data', (bytes) => {
      if (this.#isSilent(from) || to.destroyed) return;
      if (to.write(bytes)) return;
      from.pause();
      to.once('drain', () => from.resume());
    });
    from.on('end', () => {
      if (!this.#isSilent(from)) to.end();
    });
    from.resume();
  }

  #isSilent(socket) {
    return this.#mode === 'hold' || this.#stranded.has(socket);
  }
}
