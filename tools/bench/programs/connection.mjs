import { connect } from 'node:net';

/** One kept-alive socket with one request at a time, which costs the client next to nothing. */
export class Connection {
  received = '';
  waiting = null;

  static async open(url) {
    const connection = new Connection();
    const { hostname, port, host } = new URL(url);
    connection.host = host;
    connection.socket = connect({ host: hostname, port: Number(port), noDelay: true });
    connection.socket.setEncoding('latin1').on('data', (chunk) => connection.take(chunk));
    await new Promise((resolve, reject) => connection.socket.once('connect', resolve).once('error', reject));
    connection.socket.on('close', () => connection.waiting?.reject(new Error('the connection was closed')));
    return connection;
  }

  /** `text` is the body as Latin-1. */
  ask(method, path, { key, body }) {
    const sent = body === undefined ? '' : JSON.stringify(body);
    const lines = [`${method} ${path} HTTP/1.1`, `host: ${this.host}`];
    if (key) lines.push(`authorization: Bearer ${key}`);
    if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(sent)}`);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(`${lines.join('\r\n')}\r\n\r\n${sent}`);
    });
  }

  close() {
    this.socket.end();
  }

  take(chunk) {
    this.received += chunk;
    const head = this.received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.received)?.[1] ?? Number.NaN);
    if (this.received.length < head + 4 + length) return;
    const answer = { status: Number(this.received.slice(9, 12)), text: this.received.slice(head + 4) };
    const { resolve } = this.waiting;
    this.received = '';
    this.waiting = null;
    resolve(answer);
  }
}
