import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { boundedFetch } from './bounded-fetch.js';

let server: Server;
let answer: RequestListener;
let connections: number;
let pool: Pool;
let url: string;

beforeEach(async () => {
  connections = 0;
  server = createServer((request, response) => answer(request, response)).on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pool = new Pool(origin);
  url = `${origin}/v1/chat/completions`;
});
afterEach(async () => {
  await pool.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const asked = async (init: RequestInit = {}) =>
  (await boundedFetch(pool)(url, { body: '{}', ...init })).json() as Promise<unknown>;

describe('a fetch from a model server', () => {
  it.each([
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['ECONNREFUSED', 'unreachable'],
  ])('that fails with %s tells: %s', async (code, why) => {
    jest.spyOn(pool, 'request').mockRejectedValue(Object.assign(new Error('failed'), { code }) as never);
    await expect(asked()).rejects.toMatchObject({ why });
  });

  it('puts letters together that come in pieces', async () => {
    answer = (_, response) => {
      const letter = Buffer.from('"ü"');
      response.write(letter.subarray(0, 2));
      setImmediate(() => response.end(letter.subarray(2)));
    };
    expect(await asked()).toBe('ü');
  });

  it('takes a mebibyte, and reads it once', async () => {
    answer = (_, response) => void response.end('[]'.padEnd(1_048_576));
    const response = await boundedFetch(pool)(url, { body: '{}' });
    expect(await response.json()).toBe(await response.json());
    answer = (_, response) => void response.end('[]'.padEnd(1_048_577));
    await expect(asked()).rejects.toMatchObject({ why: 'malformed_reply' });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('reads an answer that comes as %s, of any status', async (coding, compressed) => {
    answer = (_, response) => void response.setHeader('content-encoding', coding).end(compressed('[1]'));
    expect(await asked()).toEqual([1]);
    const refusal = compressed('{"error":{"code":"context_length_exceeded"}}');
    answer = (_, response) => void response.writeHead(400, { 'content-encoding': coding }).end(refusal);
    await expect(asked()).rejects.toMatchObject({ trouble: 'size' });
  });

  it('keeps its connections, and lets no question wait for another', async () => {
    answer = (_, response) => void response.end('[]');
    for (let count = 0; count < 10; count += 1) await asked();
    expect(connections).toBeLessThanOrEqual(2);
    const waiting: (() => void)[] = [];
    answer = (_, response) => {
      waiting.push(() => response.end('[]'));
      if (waiting.length === 5) for (const end of waiting) end();
    };
    expect(await Promise.all(Array.from({ length: 5 }, () => asked()))).toHaveLength(5);
    expect(connections).toBeLessThanOrEqual(7);
  });

  it('goes to its server, whatever proxy the environment names', async () => {
    answer = (_, response) => void response.end('[]');
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1';
    try {
      expect(await asked()).toEqual([]);
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
  });
});
