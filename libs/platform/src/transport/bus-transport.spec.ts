import { Controller, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Payload } from '@nestjs/microservices';
import type { ConsumeResult, BusMessage, MessageBus } from '@ports/message-bus.port';
import { BusTransport } from './bus-transport.js';

Logger.overrideLogger(false);

@Controller()
class Mailbox {
  readonly seen: unknown[] = [];

  @EventPattern(['letters', 'letters.later.*'])
  take(@Payload() value: unknown): ConsumeResult {
    this.seen.push(value);
    if (value === 'bad') throw new TypeError('bad');
    return value === 'early' ? { kind: 'held', until: 5 } : { kind: 'accepted', done: Promise.resolve() };
  }
}

@Module({ controllers: [Mailbox] })
class Office {}

class Post {
  readonly partitions = { held: 1, other: 1 };
  readonly declared: string[] = [];
  readonly consumers = new Map<string, (message: BusMessage) => Promise<ConsumeResult>>();
  closed = 0;
  work = () => Promise.resolve();

  declare = async (topics: readonly { name: string }[]) => {
    await this.work();
    this.declared.push(...topics.map(({ name }) => name));
  };
  publish = () => Promise.resolve();
  lag = () => ({});
  consume: MessageBus['consume'] = (group, [topic], handler) => {
    if (!this.declared.includes(topic ?? '')) return Promise.reject(new Error(`nobody declared ${topic}`));
    this.consumers.set(`${group}|${topic}`, handler);
    return Promise.resolve({ close: () => this.work().then(() => void this.closed++) });
  };

  offer(topic: string, value: string): Promise<ConsumeResult> | undefined {
    const assignment = { since: 0, isRevoked: false };
    return this.consumers.get(`office.${topic}|${topic}`)?.({ topic, value, key: 'k', partition: 0, offset: '0', assignment });
  }
}

const TOPICS = ['letters', 'letters.later.5s', 'letterboxes', 'old.letters.later.5s', 'parcels'];

async function open(work?: () => Promise<void>) {
  const post = new Post();
  if (work) post.work = work;
  const topics = TOPICS.map((name) => ({ name, partitions: 1 }));
  const strategy = new BusTransport(post, topics, 'office', () => 100);
  const app = await NestFactory.createMicroservice(Office, { strategy, logger: false });
  await app.listen();
  return { post, app, mailbox: app.get(Mailbox) };
}

describe('event handlers over the message bus', () => {
  it('get the messages of the topics they name, each topic in a group of its own', async () => {
    const { post, app, mailbox } = await open();
    expect(post.declared).toEqual(TOPICS);
    expect([...post.consumers.keys()]).toEqual(['office.letters|letters', 'office.letters.later.5s|letters.later.5s']);
    expect(await post.offer('letters', 'one')).toMatchObject({ kind: 'accepted' });
    expect(await post.offer('letters.later.5s', 'two')).toMatchObject({ kind: 'accepted' });
    expect(mailbox.seen).toEqual(['one', 'two']);
    await app.close();
    expect(post.closed).toBe(2);
  });
  it('begin once the topics are there, and end once what was taken is done', async () => {
    const { post, app } = await open(() => new Promise((done) => void setTimeout(done, 20)));
    expect(post.consumers.size).toBe(2);
    await app.close();
    expect(post.closed).toBe(2);
  });
  it('do not begin where the topics cannot be made', async () => {
    await expect(open(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  });
  it('say when a message is to come again', async () => {
    const { post, app } = await open();
    expect(await post.offer('letters', 'early')).toEqual({ kind: 'held', until: 5 });
    await app.close();
  });
  it('that fail are asked again a little later, and lose nothing', async () => {
    const { post, app } = await open();
    expect(await post.offer('letters', 'bad')).toEqual({ kind: 'held', until: 1_100 });
    await app.close();
  });
});
