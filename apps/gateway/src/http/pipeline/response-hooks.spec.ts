import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import type { Logger } from '@platform/logging/logger';
import type { Metrics } from '@platform/operations/metrics';
import { settle } from '@testing/fake-clock';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { IdempotencyLock } from '../idempotency/idempotency-lock.js';
import { EventStream } from '../server-sent-events/event-stream.js';
import { replayMarks } from '../idempotency/idempotency-record.js';
import { RequestState } from './request-state.js';
import type { RequestAudit } from './request-audit.js';
import { ResponseHooks } from './response-hooks.js';

const LOCK = { recordKey: 'k' } as IdempotencyLock;

type Hook = (request: FastifyRequest, reply: FastifyReply, ...more: unknown[]) => void;

let shutdown: Shutdown;
let responses: ResponseHooks;
let hooks: Map<string, Hook>;
let logged: object[];
/** The kept answers, and whether the store accepts them. */
let kept: unknown[];
let isStoreGone: boolean;
/** Lets the answer that is being recorded go on; null while none is. */
let recorded: (() => void) | null;

beforeEach(() => {
  [shutdown, hooks, logged, kept, isStoreGone] = [new Shutdown(), new Map(), [], [], false];
  const complete = (_lock: unknown, _answer: unknown, how: object) => {
    kept.push(how);
    return isStoreGone ? Promise.reject(new Error('the disk is full')) : Promise.resolve();
  };
  recorded = null;
  const audit: RequestAudit = {
    concerns: ({ url }) => url === '/admin/v1/things',
    record: () => new Promise((resolve) => (recorded = resolve)),
  };
  const logger = { info: (_: string, fields: object) => logged.push(fields) };
  const metrics = { gauge: () => undefined, requestEnded: () => undefined };
  responses = new ResponseHooks(
    { complete } as unknown as Idempotency,
    audit,
    shutdown,
    logger as unknown as Logger,
    metrics as unknown as Metrics,
  );
  responses.install({ addHook: (name: string, hook: Hook) => hooks.set(name, hook) } as unknown as FastifyInstance);
});

/** A request in flight until its answer is sent and received. */
class Visit {
  readonly headers: Record<string, string> = {};
  readonly errors: unknown[] = [];
  isSent = false;
  readonly state = Object.assign(new RequestState(), { claim: null as IdempotencyLock | null });
  private readonly raw = Object.assign(new EventEmitter(), { destroyed: false });
  private readonly request: FastifyRequest;
  private readonly reply: FastifyReply;

  constructor(lock: IdempotencyLock | null = null, statusCode = 200, message?: EventEmitter, url = '/v1/things') {
    this.state.claim = lock;
    const route = { routeOptions: { url: '/v1/things', config: {} } };
    this.request = {
      id: 'req_1',
      method: 'POST',
      url,
      state: this.state,
      headers: {},
      raw: message,
      ...route,
    } as unknown as FastifyRequest;
    const header = (name: string, value: string) => void (this.headers[name] = value);
    const getHeader = (name: string) => this.headers[name];
    const removeHeader = (name: string) => delete this.headers[name];
    this.reply = { statusCode, elapsedTime: 12.34, header, getHeader, removeHeader, raw: this.raw } as never;
    responses.begin();
  }

  async answered(payload: unknown = '{}'): Promise<void> {
    hooks.get('onSend')?.(this.request, this.reply, payload, (error: unknown) => {
      this.isSent = !error;
      if (error) this.errors.push(error);
    });
    await settle();
    await settle();
  }

  heard(): void {
    hooks.get('onResponse')?.(this.request, this.reply, () => undefined);
    this.raw.emit('close');
  }

  goneBeforeItsEnd(): void {
    this.raw.emit('close');
  }
}

describe('a refusal', () => {
  it.each([
    ['is heard on a connection that goes on, where all of the body was read', true, {}],
    ['ends its connection where more of the body would come', false, { connection: 'close' }],
  ])('%s', async (_, complete, headers) => {
    const message = Object.assign(new PassThrough(), { complete: false, headers: { 'transfer-encoding': 'chunked' } });
    const visit = new Visit(null, 413, message);
    const answered = visit.answered();
    message.complete = complete;
    message.emit('close');
    await answered;
    expect(visit.headers).toEqual(headers);
  });
});

describe('an answer', () => {
  it('counts for its project by its bytes, until it was heard or never will be', async () => {
    const told: unknown[] = [];
    const answerSlot = { charge: (bytes: number) => void told.push(bytes), leave: () => void told.push('given back') };
    const [heard, gone] = [new Visit(), new Visit()];
    for (const { state } of [heard, gone]) state.answerSlot = answerSlot;
    await heard.answered();
    heard.heard();
    await gone.answered();
    gone.goneBeforeItsEnd();
    expect(told).toEqual([2, 'given back', 2, 'given back']);
  });

  it('of server-sent events is answered once its head is sent, and logged once', async () => {
    const visit = new Visit();
    await visit.answered(new EventStream());
    await responses.answered();
    expect(logged).toHaveLength(1);
    visit.heard();
    expect(logged).toHaveLength(1);
  });

  it('is logged once, though both its end and its connection’s are told', async () => {
    const visit = new Visit();
    await visit.answered();
    visit.heard();
    expect(logged).toEqual([{ request_id: 'req_1', method: 'POST', route: '/v1/things', status: 200, duration_ms: 12.3 }]);
  });

  it('that its client did not wait for is logged as such, with the status that it has', async () => {
    const visit = new Visit();
    await visit.answered();
    visit.goneBeforeItsEnd();
    expect(logged).toEqual([expect.objectContaining({ status: 200, client_gone: true })]);
  });

  it('that cannot be kept under its key is tried to be kept once', async () => {
    isStoreGone = true;
    const visit = new Visit(LOCK);
    await visit.answered();
    expect([visit.errors.length, kept.length]).toEqual([1, 1]);
    await visit.answered();
    expect([visit.errors.length, kept.length]).toEqual([1, 1]);
  });

  it('is kept in the name of the earlier request that it says it was the answer to', async () => {
    const visit = new Visit(LOCK);
    Object.assign(visit.headers, replayMarks('req_0'));
    await visit.answered();
    expect(kept).toEqual([{ open: false, originalRequest: 'req_0', isUnfinished: false }]);
    expect(visit.headers).toEqual(replayMarks('req_0'));
  });

  it('to an administrator is sent once it is kept and recorded', async () => {
    const visit = new Visit(LOCK, 200, undefined, '/admin/v1/things');
    await visit.answered();
    expect([kept.length, visit.isSent]).toEqual([1, false]);
    recorded?.();
    await settle();
    expect(visit.isSent).toBe(true);
  });

  it('that cannot be kept says nothing of whose it was', async () => {
    isStoreGone = true;
    const visit = new Visit(LOCK);
    Object.assign(visit.headers, replayMarks('req_0'));
    await visit.answered();
    expect([visit.errors.length, visit.headers]).toEqual([1, {}]);
  });

  it('tells its client to hang up once the service is to end', async () => {
    const [before, after] = [new Visit(), new Visit()];
    await before.answered();
    shutdown.begin();
    await after.answered();
    expect([before.headers, after.headers]).toEqual([{}, { connection: 'close' }]);
  });
});

describe('the service is done', () => {
  const isDone = async () => {
    let done = false;
    void responses.answered().then(() => (done = true));
    await settle();
    return () => done;
  };

  it('at once when nothing is under way', async () => {
    const done = await isDone();
    expect(done()).toBe(true);
  });

  it('when an answer that was sent has reached its client, or the client has gone', async () => {
    const [heard, unheard] = [new Visit(), new Visit()];
    const done = await isDone();
    await heard.answered();
    await unheard.answered();
    heard.heard();
    await settle();
    expect(done()).toBe(false);
    unheard.goneBeforeItsEnd();
    await settle();
    expect(done()).toBe(true);
  });

  it('when the last of several is answered', async () => {
    const visits = [new Visit(), new Visit()];
    const done = await isDone();
    for (const [index, visit] of visits.entries()) {
      await visit.answered();
      visit.heard();
      await settle();
      expect(done()).toBe(index === 1);
    }
  });
});
