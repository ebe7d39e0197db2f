import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { readBytes } from './read-bytes.js';

let payload: PassThrough;
let told: unknown[];

beforeEach(() => {
  payload = new PassThrough();
  told = [];
});

function read(headers: Record<string, string> = {}): void {
  readBytes({ headers } as unknown as FastifyRequest, payload, (error, bytes) => {
    told.push((error as { code?: string } | null)?.code ?? bytes.toString());
  });
}

async function sent(...chunks: readonly string[]): Promise<void> {
  for (const chunk of chunks) payload.emit('data', Buffer.from(chunk));
  payload.emit('end');
}

describe('a body', () => {
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
});
