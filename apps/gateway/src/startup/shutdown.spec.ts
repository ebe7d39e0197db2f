import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SystemClock } from '@adapters/clock.system';
import { PendingReplies } from '@application/conversations/post/pending-replies';
import { Shutdown } from '@application/runtime/shutdown';
import { Logger } from '@platform/logging/logger';
import { Readiness } from '@platform/operations/readiness';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { Tracer } from '@ports/tracer.port';
import { shutDown } from './shutdown.js';
import { OpenStreams } from '../http/server-sent-events/open-streams.js';
import { ResponseHooks } from '../http/pipeline/response-hooks.js';

const AT_ONCE = () => Promise.resolve();
const NEVER = new Promise<void>(() => undefined);
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Shuts down a service whose requests, consumers and messages settle with these promises; returns each step's time in ms. */
function shuttingDown(
  answered: Promise<void>,
  done: Promise<void>,
  stored = AT_ONCE,
  closing = AT_ONCE,
  logging = AT_ONCE,
  streams = AT_ONCE,
) {
  const steps: Record<string, number> = {};
  const since = Date.now();
  const note = (step: string) => void (steps[step] = Date.now() - since);
  const shutdown = new Shutdown();
  shutdown.begun.addEventListener('abort', () => note('nothing new'));
  shutdown.onLastCall(() => note('last call'));
  const parts = new Map<unknown, unknown>([
    [Shutdown, shutdown],
    [Clock, new SystemClock()],
    [ResponseHooks, { answered: () => answered }],
    [OpenStreams, { ended: streams }],
    [PendingReplies, { settled: stored }],
    [Readiness, { set: () => note('not ready') }],
    [Engine, { close: () => closing().then(() => note('engine closed')) }],
    [Tracer, { close: () => note('spans sent') }],
    [Logger, { end: () => logging().then(() => note('log ended')) }],
  ]);
  const server = {
    close: () => note('no new connections'),
    closeIdleConnections: () => note('idle connections closed'),
    closeAllConnections: () => note('connections closed'),
  };
  const app = { get: (part: unknown) => parts.get(part), getHttpServer: () => server, close: () => done };
  void shutDown(app as unknown as NestFastifyApplication).then(() => note('shut down'));
  return steps;
}

describe('the shutdown', () => {
  it('comes at once where nothing is under way', async () => {
    const steps = shuttingDown(Promise.resolve(), Promise.resolve());
    await jest.advanceTimersByTimeAsync(0);
    const inOrder = ['not ready', 'nothing new', 'no new connections', 'idle connections closed', 'last call'];
    inOrder.push('connections closed', 'engine closed', 'spans sent', 'log ended', 'shut down');
    expect(Object.entries(steps)).toEqual(inOrder.map((step) => [step, 0]));
  });

  it('waits for messages that are not stored though they are answered, after its last call', async () => {
    const stored = after(300);
    const steps = shuttingDown(Promise.resolve(), Promise.resolve(), () => stored);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(steps).toMatchObject({ 'last call': 0, 'connections closed': 300, 'engine closed': 300 });
  });

  it('waits for messages that came with the last requests', async () => {
    const answered = after(19_100);
    let toStore = Promise.resolve();
    void answered.then(() => (toStore = after(200)));
    const steps = shuttingDown(answered, Promise.resolve(), () => toStore);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(steps).toMatchObject({ 'last call': 19_000, 'connections closed': 19_300, 'engine closed': 19_300 });
  });

  it('waits twenty seconds for an attempt', async () => {
    const steps = shuttingDown(Promise.resolve(), NEVER);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(steps).toMatchObject({ 'connections closed': 0, 'engine closed': 20_000, 'shut down': 20_000 });
  });

  it('waits twenty seconds for answers and attempts together, for the last answers after its last call', async () => {
    const steps = shuttingDown(NEVER, NEVER);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(steps).toMatchObject({
      'last call': 19_000,
      'connections closed': 19_500,
      'engine closed': 20_000,
      'shut down': 20_000,
    });
  });

  it('waits for the engine, and then for the log', async () => {
    const [closing, logging] = [() => after(300), () => after(200)];
    const steps = shuttingDown(Promise.resolve(), Promise.resolve(), AT_ONCE, closing, logging);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(steps).toMatchObject({ 'connections closed': 0, 'engine closed': 300, 'log ended': 500, 'shut down': 500 });
  });

  it('waits half a second for streams whose clients do not read', async () => {
    const steps = shuttingDown(Promise.resolve(), Promise.resolve(), AT_ONCE, AT_ONCE, AT_ONCE, () => NEVER);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(steps).toMatchObject({ 'connections closed': 500, 'shut down': 500 });
  });
});
