import { DeadlineExceededError, NO_STREAM, START, StreamNotFoundError } from '@eventstore/db-client';
import { eventually } from '@ports/contracts/eventually';
import type { EventStoreDouble } from '@testing/event-store-double';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendHalfAnAppend } from './half-an-append.js';
import { failureOf, type ServerClient } from './server-client.js';
import { next } from './server-behaviours.js';

/** What a test asks of the double alone: it slows the server down and kills it, or only some versions of a server do it. */
export const DOUBLE_BEHAVIOURS: Readonly<Record<string, (server: ServerClient, double: EventStoreDouble) => Promise<void>>> = {
  'a twin of a batch that is not indexed yet gets no answer': async (server, double) => {
    const [stream, batch] = [server.stream(), server.events(1)];
    await server.append(server.stream(), server.events(1), NO_STREAM);
    await double.process.ask('index after', 6_000);
    const first = server.append(stream, batch, NO_STREAM, 20_000);
    first.catch(() => undefined);
    await eventually(async () => expect((await double.calls()).append).toBe(2));
    expect(await failureOf(server.append(stream, batch, NO_STREAM, 500))).toBeInstanceOf(DeadlineExceededError);
    const answer = await first;
    expect(await server.append(stream, batch, NO_STREAM)).toEqual(answer);
  },
  // Servers before 23.10 do not say so, and the store does not listen for it.
  'a subscription says when it has caught up': async (server) => {
    const { position } = await server.append(server.stream(), server.events(1), NO_STREAM);
    await server.append(server.stream(), server.events(3), NO_STREAM);
    const subscription = server.subscribe({ fromPosition: position! });
    subscription.resume();
    await next(subscription, 'caughtUp');
    await subscription.unsubscribe();
  },
  'a slow subscriber is not buffered for': async (server, double) => {
    const much = 'x'.repeat(16 * 1024);
    const COUNT = 600;
    for (let first = 0; first < COUNT; first += 50) await server.append(server.stream(), server.events(50, much), NO_STREAM);
    const subscription = server.subscribe({ fromPosition: START });
    await eventually(async () => expect((await double.calls()).sent).toBeGreaterThan(0));
    await sleep(500);
    expect((await double.calls()).sent).toBeLessThan(COUNT / 2);
    let received = 0;
    subscription.on('data', ({ event }) => (received += event?.type === 'Noted' ? 1 : 0));
    await eventually(() => expect(received).toBe(COUNT), 10_000);
    await subscription.unsubscribe();
  },
  'an append whose end has not come writes nothing': async (server, double) => {
    const halves = Array.from({ length: 20 }, () => server.stream());
    for (const stream of halves) await sendHalfAnAppend(double.url, stream);
    await server.append(server.stream(), server.events(1), NO_STREAM);
    await sleep(200);
    for (const stream of halves) expect(await failureOf(server.read(stream))).toBeInstanceOf(StreamNotFoundError);
  },
  'an append is durable before its answer': async (server, double) => {
    const stream = server.stream();
    await server.append(stream, server.events(2), NO_STREAM);
    await double.process.kill();
    await double.process.restart();
    const read = () => server.read(stream).catch(() => server.read(stream));
    expect(await read()).toHaveLength(2);
  },
  'a full disk ends the server': async (server, double) => {
    const stream = server.stream();
    const read = () => server.read(stream).catch(() => server.read(stream));
    await server.append(stream, server.events(2), NO_STREAM);
    await double.process.ask('fill disk', 100);
    expect(await failureOf(server.append(stream, server.events(1), 1n))).toBeInstanceOf(Error);
    await eventually(() => expect(double.process.isRunning).toBe(false), 8_000);
    await double.process.restart();
    expect(await read()).toHaveLength(2);
    await server.append(stream, server.events(1), 1n);
    await double.process.kill();
    await double.process.restart();
    expect(await read()).toHaveLength(3);
  },
  'a torn line is cut': async (server, double) => {
    const stream = server.stream();
    await server.append(stream, server.events(1), NO_STREAM);
    await double.process.kill();
    appendFileSync(join(double.process.directory, 'log.jsonl'), '{"stream":"torn","events":[{"id":');
    await double.process.restart();
    await failureOf(server.append(server.stream(), server.events(1), NO_STREAM));
    await server.append(stream, server.events(1), 0n);
    await double.process.kill();
    await double.process.restart();
    await failureOf(server.read(stream));
    expect(await server.read(stream)).toHaveLength(2);
  },
};
