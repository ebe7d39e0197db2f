import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Receiver } from '@testing/receiver';
import type { SendResult } from '../webhook-sender.port.js';
import type { WebhookSenderHarness } from './webhook-sender.contract.js';

const MOST_BODY_BYTES = 16 * 1024;

/** The contract of every sender about the bodies of failures: they are kept as text, however they are written. */
export function readableFailuresContract(name: string, make: () => WebhookSenderHarness): void {
  describe(`${name} keeps the body of a failure readable`, () => {
    let harness: WebhookSenderHarness;
    beforeEach(() => void (harness = make()));
    afterEach(() => harness.sender.close());

    async function told(headers: Readonly<Record<string, string>>, bytes: Buffer): Promise<SendResult> {
      const receiver = await Receiver.http((_, response) => void response.writeHead(500, headers).end(bytes));
      const result = await harness.sender.send({ projectId: 'prj_1', url: receiver.url(), headers: {}, body: '{}' });
      await receiver.close();
      return result;
    }
    const text = 'Störung: größer als möglich';
    const latin1 = Buffer.from(text, 'latin1');
    const utf8 = Buffer.from(text);

    it.each([
      ['in Latin-1, as it says', { 'Content-Type': 'text/plain; charset=iso-8859-1' }, latin1],
      ['in Latin-1, said otherwise', { 'Content-Type': 'text/html;charset="latin1"' }, latin1],
      ['in Latin-1, unsaid', { 'Content-Type': 'text/html' }, latin1],
      ['in Latin-1, called UTF-8', { 'Content-Type': 'application/problem+json; charset=utf-8' }, latin1],
      ['in Latin-1, of no type', {}, latin1],
      ['of an unknown charset', { 'Content-Type': 'text/plain; charset=nonsense' }, utf8],
      ['in UTF-8, called Latin-1', { 'Content-Type': 'text/html;charset=ISO-8859-1' }, utf8],
      ['in UTF-8, called ASCII', { 'Content-Type': 'application/json; charset=us-ascii' }, utf8],
      ['in UTF-8, called UTF-16', { 'Content-Type': 'text/xml; charset=utf-16' }, utf8],
      ['in UTF-8, with its mark', {}, Buffer.from(`\ufeff${text}`)],
      ['in UTF-16 with its mark, unsaid', {}, Buffer.from(`\ufeff${text}`, 'utf16le')],
      [
        'in UTF-16 with its mark, called UTF-8',
        { 'Content-Type': 'text/plain; charset=utf-8' },
        Buffer.from(`\ufeff${text}`, 'utf16le'),
      ],
      [
        'in UTF-16 of the other order',
        { 'Content-Type': 'text/plain; charset=utf-16' },
        Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
      ],
      ['in Latin-1, of a type that is made up', { 'Content-Type': 'json' }, latin1],
      ['in Latin-1, line by line', { 'Content-Type': 'application/x-ndjson' }, latin1],
      ['in UTF-16', { 'Content-Type': 'text/plain; charset=utf-16le' }, Buffer.from(text, 'utf16le')],
      ['compressed by gzip', { 'Content-Encoding': 'gzip' }, gzipSync(utf8)],
      ['compressed by gzip, in Latin-1', { 'Content-Encoding': 'x-gzip', 'Content-Type': 'text/plain' }, gzipSync(latin1)],
      ['compressed by gzip, unsaid', {}, gzipSync(utf8)],
      ['compressed by gzip, called none', { 'Content-Encoding': 'none' }, gzipSync(utf8)],
      ['compressed by gzip, called deflate', { 'Content-Encoding': 'deflate' }, gzipSync(utf8)],
      ['compressed by gzip, called brotli', { 'Content-Encoding': 'br' }, gzipSync(utf8)],
      ['compressed by gzip, with a parameter', { 'Content-Encoding': '"gzip";q=1' }, gzipSync(utf8)],
      ['compressed by gzip once more than it says', { 'Content-Encoding': 'gzip' }, gzipSync(gzipSync(utf8))],
      ['compressed by deflate, called gzip', { 'Content-Encoding': 'gzip' }, deflateSync(utf8)],
      ['compressed by deflate', { 'Content-Encoding': 'deflate' }, deflateSync(utf8)],
      ['compressed by bare deflate', { 'Content-Encoding': 'Deflate' }, deflateRawSync(utf8)],
      ['compressed by brotli', { 'Content-Encoding': 'br' }, brotliCompressSync(utf8)],
      ['compressed twice', { 'Content-Encoding': 'br, gzip' }, gzipSync(brotliCompressSync(utf8))],
    ])('%s', async (_how, headers, bytes) => {
      expect(await told(headers, bytes)).toMatchObject({ kind: 'answered', status: 500, body: text, bodyTruncated: false });
    });

    it.each(['gzip', 'deflate', 'br', 'br, gzip', 'zstd', 'gzip, gzip, gzip, gzip'])(
      'that is called %s and is none',
      async (coding) => {
        const called = { 'Content-Encoding': coding, 'Content-Type': 'application/json' };
        for (const each of [text, `{"error":"${text}"}`, '']) {
          const plain = { status: 500, body: each, bodyTruncated: false };
          expect(await told(called, Buffer.from(each))).toMatchObject(plain);
          expect(await told(called, Buffer.from(each, 'latin1'))).toMatchObject(plain);
        }
        const long = Buffer.from(`a${'ü'.repeat(16_000)}`);
        const body = `a${'ü'.repeat(MOST_BODY_BYTES / 2 - 1)}`;
        expect(await told(called, long)).toMatchObject({ body, bodyTruncated: true });
      },
    );

    it('compressed for its way', async () => {
      const zipped = gzipSync(utf8);
      const chunk = [`${zipped.length.toString(16)}\r\n`, zipped, '\r\n0\r\n\r\n'].map((piece) => Buffer.from(piece));
      const said = Buffer.concat([Buffer.from('HTTP/1.1 500 X\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'), ...chunk]);
      const receiver = await Receiver.tcp((socket) => void socket.once('data', () => socket.end(said)));
      const result = await harness.sender.send({ projectId: 'prj_1', url: receiver.url(), headers: {}, body: '{}' });
      await receiver.close();
      expect(result).toMatchObject({ status: 500, body: text, bodyTruncated: false });
    });

    it('in UTF-8 but for a letter', async () => {
      const damaged = Buffer.concat([utf8, Buffer.of(0xff)]);
      expect(await told({ 'Content-Type': 'text/plain' }, damaged)).toMatchObject({ body: `${text}\ufffd` });
    });

    it('compressed once less than it says', async () => {
      const bytes = gzipSync(utf8);
      expect(await told({ 'Content-Encoding': 'br, gzip' }, bytes)).toMatchObject({ body: text, bodyTruncated: false });
    });

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ])('compressed by %s as far as 16 KiB go, be it a bomb', async (coding, compress) => {
      const bomb = compress(Buffer.alloc(10_000_000, 'x'));
      expect(await told({ 'Content-Encoding': coding }, bomb)).toMatchObject({
        status: 500,
        body: 'x'.repeat(MOST_BODY_BYTES),
        bodyTruncated: true,
      });
    });

    it.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
    ])('compressed by %s as far as it came', async (coding, compress) => {
      const whole = compress(Buffer.from(Array.from({ length: 3_000 }, (_, n) => `${n * 7919} `).join('')));
      const result = await told({ 'Content-Encoding': coding }, whole.subarray(0, Math.floor(whole.length / 2)));
      expect(result).toMatchObject({ status: 500, body: expect.stringMatching(/^0 7919 15838 /), bodyTruncated: true });
    });

    it('but tells nothing of what is no text', async () => {
      const png = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
      expect(await told({}, png)).toMatchObject({ status: 500, body: null, bodyTruncated: true });
      expect(await told({ 'Content-Type': 'image/png' }, Buffer.of(0x89, 0xff))).toMatchObject({ status: 500, body: null });
    });
  });
}
