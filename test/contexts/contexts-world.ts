import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { PostMessage } from '@application/conversations/conversation.commands';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { Logger } from '@platform/logging/logger';
import { EventStore } from '@ports/event-store.port';
import { BodiesWorld } from '../bodies/bodies-world.js';

/** The service on a port, where each request has an async context that bears its id. */
export class ContextsWorld extends BodiesWorld {
  /** By place: the request whose turn it was, and the request in whose context it ran. */
  readonly seen: { readonly place: string; readonly owner: string; readonly context: string | undefined }[] = [];
  /** Requests of which the head has. */
  arrived = 0;
  private readonly current = new AsyncLocalStorage<string>();
  private readonly sockets: Socket[] = [];
  /** By the content of a message, and by its id: the request that brought it. */
  private readonly owners = new Map<string, string>();

  /** What ran outside of the context of its own request. */
  get strays(): readonly object[] {
    return this.seen.filter(({ owner, context }) => owner !== context);
  }

  count(place: string): number {
    return this.seen.filter((each) => each.place === place).length;
  }

  async connection(): Promise<Socket> {
    const address = this.app.getHttpServer().address() as AddressInfo | null;
    if (!address) await this.app.listen(0, '127.0.0.1');
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    this.sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  forget(): void {
    this.arrived = 0;
    this.seen.length = 0;
  }

  override async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await super.close();
  }

  protected override beforePipeline(): void {
    const fastify = this.app.getHttpAdapter().getInstance();
    fastify.addHook('onRequest', (request, _reply, done) => {
      this.arrived += 1;
      this.current.run(request.id, done);
    });
    fastify.addHook('onSend', async (request) => this.note('answer', request));
    this.watch();
  }

  protected override behindPipeline(): void {
    super.behindPipeline();
    const fastify = this.app.getHttpAdapter().getInstance();
    fastify.addHook('preHandler', async (request) => this.note('handler', request));
    fastify.addHook('onSend', async (request) => this.note('kept answer', request));
    fastify.addHook('onResponse', async (request) => this.note('end', request));
  }

  private watch(): void {
    const [commands, store, logger] = [this.app.get(CommandBus), this.app.get(EventStore), this.app.get(Logger)];
    const execute = commands.execute.bind(commands);
    jest.spyOn(commands, 'execute').mockImplementation((command, ...rest: []) => {
      if (command instanceof PostMessage) {
        const id = String(command.context.requestId);
        this.owners.set(command.content, id);
        this.note('command', { id });
      }
      return execute(command, ...rest);
    });
    const append = store.append.bind(store);
    jest.spyOn(store, 'append').mockImplementation((stream, events, expected) => {
      for (const { event } of events) this.noteAppended(event as ConversationEvent);
      return append(stream, events, expected);
    });
    jest.spyOn(logger, 'info').mockImplementation((message, { request_id: id } = {}) => {
      if (message === 'request') this.note('log line', { id: String(id) });
    });
  }

  private noteAppended(event: ConversationEvent): void {
    if (event.type === 'MessagePosted') {
      this.owners.set(event.messageId, this.owners.get(event.content) ?? '');
      this.note('message', { id: this.owners.get(event.content) ?? '' });
    }
    if (event.type === 'AgentReplied') this.note('reply', { id: this.owners.get(event.inReplyTo) ?? '' });
  }

  private note(place: string, { id }: Pick<FastifyRequest, 'id'>): void {
    this.seen.push({ place, owner: id, context: this.current.getStore() });
  }
}
