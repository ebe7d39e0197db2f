import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const accept: RequestListener = (_, response) => void response.end('ok');

/** A local web server that records its requests and connections and gives scripted answers. */
export class Receiver {
  readonly requests: Received[] = [];
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly waiting: (() => void)[] = [];

  private constructor(
    private readonly server: Server | TcpServer,
    private readonly scheme: 'http' | 'https',
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.wake();
      });
      this.wake();
    });
  }

  static http(answer: RequestListener = accept): Promise<Receiver> {
    const server = createServer();
    return new Receiver(server, 'http').recording(server, answer).listen();
  }

  static https(tls: ServerOptions, answer: RequestListener = accept): Promise<Receiver> {
    const server = createTlsServer(tls);
    return new Receiver(server, 'https').recording(server, answer).listen();
  }

  /** A plain TCP server: `talk` gets the bare connection. */
  static tcp(talk: (socket: Socket) => void = () => undefined): Promise<Receiver> {
    return new Receiver(createTcpServer(talk), 'http').listen();
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/', host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${this.port}${path}`;
  }

  get openConnections(): number {
    return this.sockets.size;
  }

  /** Resolves once `reached` holds; it is checked after each request, connection and disconnection. */
  async until(reached: (receiver: Receiver) => boolean): Promise<void> {
    while (!reached(this)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.server.close(resolve));
  }

  private recording(server: Server, answer: RequestListener): this {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        this.requests.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
        this.wake();
        answer(request, response);
      });
    });
    return this;
  }

  private wake(): void {
    this.waiting.splice(0).forEach((resume) => resume());
  }

  private async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }
}
