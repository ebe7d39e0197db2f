import { Server, type CustomTransportStrategy, type MessageHandler } from '@nestjs/microservices';
import { nameOf } from '@ports/failure';
import type { ConsumeResult, BusMessage, MessageBus, Subscription, TopicDeclaration } from '@ports/message-bus.port';

const ANY = '*';
/** The delay before a message is offered again after its handler failed. */
const AGAIN_MS = 1_000;

/**
 * Runs `@EventPattern` handlers over the message bus. A pattern is a topic, or a prefix of topics and `*`. A handler gets the message's
 * value and returns a `ConsumeResult`. Each topic has its own consumer group, so that held partitions delay no other topic.
 */
export class BusTransport extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('message-bus');
  private subscriptions: readonly Subscription[] = [];
  private closed: Promise<void> | undefined;

  constructor(
    private readonly bus: MessageBus,
    private readonly topics: readonly TopicDeclaration[],
    private readonly group: string,
    private readonly now: () => number,
  ) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    this.begin().then(() => callback(), callback);
  }

  /** Stops consuming and waits for messages in progress. Further calls wait for the same. */
  close(): Promise<void> {
    this.closed ??= Promise.all(this.subscriptions.map((subscription) => subscription.close())).then(() => undefined);
    return this.closed;
  }

  on(): never {
    throw new Error('the message bus emits no events');
  }

  unwrap<T>(): T {
    return this.bus as T;
  }

  private async begin(): Promise<void> {
    await this.bus.declare(this.topics);
    const consumed = this.topics.flatMap(({ name }) => {
      const handler = this.handlerOf(name);
      return handler ? [this.consume(name, handler)] : [];
    });
    this.subscriptions = await Promise.all(consumed);
  }

  private consume(topic: string, handler: MessageHandler): Promise<Subscription> {
    return this.bus.consume(`${this.group}.${topic}`, [topic], (message) => this.offer(message, handler));
  }

  private async offer(message: BusMessage, handler: MessageHandler): Promise<ConsumeResult> {
    try {
      const answer: unknown = await handler(message.value, message);
      if (isConsumeResult(answer)) return answer;
    } catch (error) {
      this.logger.error(`the handler of ${message.topic} failed: ${nameOf(error)}`);
    }
    return { kind: 'held', until: this.now() + AGAIN_MS };
  }

  private handlerOf(topic: string): MessageHandler | undefined {
    const patterns = [...this.messageHandlers.keys()];
    const wanted = patterns.find((pattern) => pattern === topic) ?? patterns.find((pattern) => begins(topic, pattern));
    return wanted === undefined ? undefined : this.messageHandlers.get(wanted);
  }
}

function begins(topic: string, pattern: string): boolean {
  return pattern.endsWith(ANY) && topic.startsWith(pattern.slice(0, -ANY.length));
}

function isConsumeResult(answer: unknown): answer is ConsumeResult {
  return typeof answer === 'object' && answer !== null && 'kind' in answer;
}
