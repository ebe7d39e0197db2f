import { PassThrough } from 'node:stream';
import { DomainError } from '@domain/kernel/domain-error';
import { FakeClock } from '@testing/fake-clock';
import { RequestState } from '../pipeline/request-state.js';
import { readBytes, readNothing } from './read-bytes.js';

const refusal = new DomainError('rate_limit_exceeded', 'Full.', { retryAfter: 1 });

function stateWith(lateRefusal: Error | null): RequestState {
  return Object.assign(new RequestState(), { lateRefusal });
}

describe('a body as it is read', () => {
  let payload: PassThrough;
  let told: unknown[];
  let clock: FakeClock;

  beforeEach(() => {
    payload = new PassThrough();
    told = [];
    clock = new FakeClock();
  });

  function read(headers: Record<string, string> = {}, lateRefusal: Error | null = null): void {
    readBytes({ headers, state: stateWith(lateRefusal) }, payload, clock, (error, bytes) => {
      told.push((error as { code?: string } | null)?.code ?? bytes.toString());
    });
  }

  async function sent(...chunks: readonly string[]): Promise<void> {
    for (const chunk of chunks) payload.emit('data', Buffer.from(chunk));
    payload.emit('end');
  }

  it('is its chunks in their order', async () => {
    read();
    await sent('{"a":', '1', '}');
    expect(told).toEqual(['{"a":1}']);
  });

  it('may have 256 KiB, and is refused once, whatever follows', async () => {
    read();
    await sent('x'.repeat(262_144));
    expect(told).toEqual(['x'.repeat(262_144)]);
    told = [];
    payload = new PassThrough();
    read();
    payload.on('error', () => undefined);
    await sent('x'.repeat(262_144), 'x', 'x');
    payload.emit('error', new Error('aborted'));
    expect(told).toEqual(['request_too_large']);
    expect(payload.listenerCount('data')).toBe(0);
  });

  it('is refused by its length before it is read', () => {
    read({ 'content-length': '262144' });
    expect(told).toEqual([]);
    payload = new PassThrough();
    read({ 'content-length': '262145' });
    expect(told).toEqual(['request_too_large']);
    expect(payload.listenerCount('data')).toBe(0);
  });

  it('may come in 4,096 chunks and is refused in more, however short they are', async () => {
    read();
    await sent(...Array.from({ length: 4_096 }, () => 'x'));
    expect(told).toEqual(['x'.repeat(4_096)]);
    told = [];
    payload = new PassThrough();
    read();
    await sent(...Array.from({ length: 4_097 }, () => 'x'));
    expect(told).toEqual(['request_too_large']);
  });

  it('that breaks off is not valid', () => {
    read();
    payload.emit('data', Buffer.from('{'));
    payload.emit('error', new Error('aborted'));
    expect(told).toEqual(['json_invalid']);
  });

  it('may take its time', async () => {
    read();
    await clock.advance(25_000);
    await sent('{}');
    expect(told).toEqual(['{}']);
  });

  it('that is a second late where its request is refused anyway is not waited for', async () => {
    read({}, refusal);
    payload.emit('data', Buffer.from('{'));
    await clock.advance(999);
    expect(told).toEqual([]);
    await clock.advance(1);
    expect([told, payload.listenerCount('data')]).toEqual([['rate_limit_exceeded'], 0]);
  });

  it('that is in time is read even then', async () => {
    read({}, refusal);
    await sent('{}');
    await clock.advance(5_000);
    expect(told).toEqual(['{}']);
  });
});

describe('a body without a type', () => {
  let payload: PassThrough;
  let told: unknown[];
  let clock: FakeClock;

  beforeEach(() => {
    payload = new PassThrough();
    told = [];
    clock = new FakeClock();
  });

  const read = (lateRefusal: Error | null = null) =>
    readNothing({ state: stateWith(lateRefusal) }, payload, clock, (error) => told.push((error as DomainError | null)?.code));

  it('may be none', () => {
    read();
    payload.emit('end');
    expect(told).toEqual([undefined]);
  });

  it('is refused with its first byte', () => {
    read();
    payload.emit('data', Buffer.from('{'));
    payload.emit('end');
    expect(told).toEqual(['content_type_unsupported']);
  });

  it('that is a second late where its request is refused anyway is not waited for', async () => {
    read(refusal);
    await clock.advance(1_000);
    payload.emit('end');
    expect(told).toEqual(['rate_limit_exceeded']);
  });
});
