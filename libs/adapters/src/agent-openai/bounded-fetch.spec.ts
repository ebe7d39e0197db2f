import { boundedFetch } from './bounded-fetch.js';

const URL = 'http://127.0.0.1:1/v1/chat/completions';
afterEach(() => jest.restoreAllMocks());

describe('a fetch from a model server', () => {
  it.each([
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['ECONNREFUSED', 'unreachable'],
  ])('that fails with %s tells: %s', async (code, why) => {
    jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause: { code } }));
    await expect(boundedFetch()(URL)).rejects.toMatchObject({ why });
  });

  it('puts letters together that come in pieces', async () => {
    const [first, ...rest] = Buffer.from('"ü"').subarray(1);
    const pieces = [Buffer.from([0x22, first ?? 0]), Buffer.from(rest)];
    const body = new ReadableStream({ pull: (to) => (pieces.length > 0 ? to.enqueue(pieces.shift()) : to.close()) });
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body));
    expect(await (await boundedFetch()(URL)).json()).toBe('ü');
  });

  it('takes a mebibyte, and reads it once', async () => {
    const answer = (length: number) => jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('[]'.padEnd(length)));
    answer(1_048_576);
    const response = await boundedFetch()(URL);
    expect(await response.json()).toBe(await response.json());
    answer(1_048_577);
    await expect(boundedFetch()(URL)).rejects.toMatchObject({ why: 'malformed_reply' });
  });
});
