import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Receiver } from '@testing/receiver';
import type { SendResult } from '../webhook-sender.port.js';
import type { WebhookSenderHarness } from './webhook-sender.contract.js';

const MAX_BODY_BYTES = 16 * 1024;

/** Bodies of failures are kept as text, decoded as their headers say. */
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
    const codings = [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ] as const;
    const text = 'Störung: größer als möglich';
    const latin1 = Buffer.from(text, 'latin1');
    const utf8 = Buffer.from(text);

    it.each([
      ['in Latin-1', { 'Content-Type': 'text/plain; charset=iso-8859-1' }, latin1],
      ['in Latin-1, unsaid', { 'Content-Type': 'text/plain' }, latin1],
      ['in Latin-1, quoted', { 'Content-Type': 'text/html;charset="latin1"' }, latin1],
      ['in UTF-16', { 'Content-Type': 'text/plain; charset=utf-16le' }, Buffer.from(text, 'utf16le')],
      ['in UTF-8', { 'Content-Type': 'application/json; charset=UTF-8' }, utf8],
      ['in UTF-8, unsaid', { 'Content-Type': 'text/html' }, utf8],
      ['in UTF-8 with its mark, of no type', {}, Buffer.from(`\ufeff${text}`)],
      ['compressed by nothing', { 'Content-Encoding': 'identity' }, utf8],
      ['compressed by gzip', { 'Content-Encoding': 'gzip' }, gzipSync(utf8)],
      [
        'compressed by gzip, in Latin-1',
        { 'Content-Encoding': 'X-GZip', 'Content-Type': 'text/plain; charset=latin1' },
        gzipSync(latin1),
      ],
      ['compressed by deflate', { 'Content-Encoding': 'deflate' }, deflateSync(utf8)],
      ['compressed by brotli', { 'Content-Encoding': 'br' }, brotliCompressSync(utf8)],
    ])('%s', async (_how, headers, bytes) => {
      expect(await told(headers, bytes)).toMatchObject({ kind: 'answered', status: 500, body: text, bodyTruncated: false });
    });

    it.each(['gzip', 'deflate', 'br', 'identity'])('that is called %s and is empty', async (coding) => {
      const empty = { status: 500, body: '', bodyTruncated: false };
      expect(await told({ 'Content-Encoding': coding }, Buffer.alloc(0))).toMatchObject(empty);
    });

    it.each(codings)('compressed by %s as far as 16 KiB go, be it a bomb', async (coding, compress) => {
      const bomb = compress(Buffer.alloc(10_000_000, 'x'));
      expect(await told({ 'Content-Encoding': coding }, bomb)).toMatchObject({
        status: 500,
        body: 'x'.repeat(MAX_BODY_BYTES),
        bodyTruncated: true,
      });
    });

    it.each(codings)('compressed by %s as far as it came', async (coding, compress) => {
      const whole = compress(Buffer.from(Array.from({ length: 3_000 }, (_, n) => `${n * 7919} `).join('')));
      const head = `HTTP/1.1 500 X\r\nContent-Encoding: ${coding}\r\nContent-Length: ${whole.length}\r\n\r\n`;
      const begun = Buffer.concat([Buffer.from(head), whole.subarray(0, Math.floor(whole.length / 2))]);
      const receiver = await Receiver.tcp((socket) => void socket.once('data', () => socket.end(begun)));
      const result = await harness.sender.send({ projectId: 'prj_1', url: receiver.url(), headers: {}, body: '{}' });
      await receiver.close();
      expect(result).toMatchObject({ status: 500, body: expect.stringMatching(/^0 7919 15838 /), bodyTruncated: true });
    });

    it.each([
      ['of another charset than it says', { 'Content-Type': 'text/plain; charset=utf-8' }, latin1],
      ['of an unknown charset', { 'Content-Type': 'text/plain; charset=nonsense' }, utf8],
      ['of an unknown coding', { 'Content-Encoding': 'zip' }, utf8],
      ['of several codings', { 'Content-Encoding': 'br, gzip' }, gzipSync(brotliCompressSync(utf8))],
      ['of another coding than it says', { 'Content-Encoding': 'br' }, gzipSync(utf8)],
      ['called gzip and is none', { 'Content-Encoding': 'gzip' }, utf8],
      ['compressed, unsaid', {}, gzipSync(utf8)],
      ['half of what was compressed', { 'Content-Encoding': 'gzip' }, gzipSync(utf8).subarray(0, 30)],
      ['an image', { 'Content-Type': 'image/png' }, Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ])('but tells nothing of what is %s', async (_what, headers, bytes) => {
      expect(await told(headers, bytes)).toMatchObject({ kind: 'answered', status: 500, body: null, bodyTruncated: true });
    });
  });
}
