import type { Socket } from 'node:net';
import { Receiver } from '@testing/receiver';
import type { SendResult } from '../webhook-sender.port.js';
import type { WebhookSenderHarness } from './webhook-sender.contract.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const DEADLINE_MS = 15_000;

export function oddAnswersContract(name: string, make: () => WebhookSenderHarness): void {
  describe(`${name} takes the status of an answer`, () => {
    let harness: WebhookSenderHarness;
    let receiver: Receiver;

    beforeEach(() => void (harness = make()));
    afterEach(async () => {
      await receiver.close();
      await harness.sender.close();
    });

    const send = (): Promise<SendResult> =>
      harness.sender.send({ projectId: 'prj_1', url: receiver.url(), headers: { 'webhook-id': 'evt_1' }, body: '{}' });
    /** The result of a POST whose receiver answers with this text, then closes the connection or leaves it open. */
    async function answeredBy(text: string | Buffer, then: 'close' | 'stay' = 'close'): Promise<SendResult> {
      const say = (socket: Socket) => void (then === 'close' ? socket.end(text) : socket.write(text));
      receiver = await Receiver.tcp((socket) => void socket.once('data', () => say(socket)));
      return send();
    }
    const body = 'Content-Length: 2\r\n\r\nok';

    it.each([
      ['one header of 20 KB', `${OK}X: ${'x'.repeat(20_000)}\r\n${body}`],
      ['very many headers', OK + Array.from({ length: 900 }, (_, n) => `X-${n}: ${n}\r\n`).join('') + body],
      ['lines that go on in the next', `${OK}X-Folded: one\r\n two\r\n\tthree\r\n${body}`],
      ['a line that goes on before there is one', `${OK} lost\r\n${body}`],
      ['lines that end with a line feed alone', `${OK}${body}`.replaceAll('\r\n', '\n')],
      ['a line without a colon', `${OK}nonsense\r\n${body}`],
      ['a name with a space', `${OK}X Y: z\r\nX-Y : z\r\n${body}`],
      ['a name without letters', `${OK}: z\r\n${body}`],
      ['control characters', `${OK}X: a\u0000b\u0007c\rd\r\n${body}`],
      ['bytes beyond ASCII', Buffer.from(`${OK}X: gr\u00fc\u00df\r\n${body}`, 'latin1')],
      ['its length twice', `${OK}Content-Length: 2\r\n${body}`],
      ['a list of its length', `${OK}Content-Length: 2, 2\r\n\r\nok`],
      ['no reason', `HTTP/1.1 200\r\n${body}`],
      ['a long reason', `HTTP/1.1 200 ${'fine '.repeat(4_000)}\r\n${body}`],
      ['more than one space before it', `HTTP/1.1  200  OK\r\n${body}`],
      ['empty lines before it', `\r\n\r\n${OK}${body}`],
      ['the older protocol', `HTTP/1.0 200 OK\r\n\r\nok`],
      ['the older protocol, kept alive', `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n${body}`],
      ['another protocol', `HTTP/2 200\r\n${body}`],
      ['its protocol in small letters', `http/1.1 200 ok\r\n${body}`],
      ['a version of many digits', `HTTP/1.10 200 OK\r\n${body}`],
      ['no version', `HTTP 200 OK\r\n${body}`],
      ['letters right behind its status', `HTTP/1.1 200OK\r\n${body}`],
      ['signs right behind its status', `HTTP/1.1 200;\u0000\r\n${body}`],
      ['spaces before it', ` \r\n \t${OK}${body}`],
      ['an interim answer before it that has no end', `HTTP/1.1 100 Continue\r\n${OK}${body}`],
      ['a coding of its framing that changes nothing', `${OK}Transfer-Encoding: identity\r\n${body}`],
      ['a coding of its framing without a name', `${OK}Transfer-Encoding:\r\n${body}`],
      [
        'chunks whose sizes are padded',
        `${OK}Transfer-Encoding: chunked, identity\r\n\r\n ${'0'.repeat(20)}2\r\nok\r\n0\r\n\r\n`,
      ],
      ['interim answers before it', `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\nLink: </a>\n\n${OK}${body}`],
      ['both framings', `${OK}Transfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
      ['chunks that end with a line feed alone', `${OK}Transfer-Encoding: chunked\r\n\r\n2;a=b\nok\n0\n\n`],
      ['no framing', `${OK}\r\nok`],
    ])('that has %s, and its body', async (_what, said) => {
      expect(await answeredBy(said)).toMatchObject({ kind: 'answered', status: 200, body: 'ok', bodyTruncated: false });
    });

    it.each([
      ['a head of 300 KB', `${OK}${`X: ${'x'.repeat(1_000)}\r\n`.repeat(300)}${body}`],
      ['one header of 300 KB', `${OK}X: ${'x'.repeat(300_000)}\r\n${body}`],
      ['nothing behind its first line', OK],
      ['nothing behind its status', 'HTTP/1.1 200'],
      ['a head that breaks off', `${OK}X-Cut: he`],
      ['a length that is none', `${OK}Content-Length: many\r\n\r\nok`, 'ok'],
      ['a length that no body has', `${OK}Content-Length: ${'9'.repeat(30)}\r\n\r\nok`, 'ok'],
      ['a negative length', `${OK}Content-Length: -1\r\n\r\nok`, 'ok'],
      ['lengths that contradict each other', `${OK}Content-Length: 1\r\nContent-Length: 3\r\n\r\nok`, 'ok'],
      ['a body that breaks off', `${OK}Content-Length: 100\r\n\r\nhalf`, 'half'],
      ['a chunk without a size', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nnonsense\r\n`, 'ok'],
      ['a chunk that is longer than it says', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n`, 'ok'],
      ['no chunks where it says so', `${OK}Transfer-Encoding: chunked\r\n\r\n{"ok":1}\r\n`, '{"ok":1}\r\n'],
      ['chunks without an end', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n`, 'ok'],
      ['a body that is not the gzip it claims', `${OK}Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nboob`, null],
      ['an unknown coding', `${OK}Content-Encoding: zip\r\nContent-Length: 4\r\n\r\nboob`, null],
    ])('that has %s, whatever is lost', async (_what, said, kept: string | null = '') => {
      const answer = { kind: 'answered', status: 200, body: kept };
      expect(await answeredBy(said)).toMatchObject(answer);
      await receiver.close();
      const sending = answeredBy(said.replace('200', '400'), 'stay');
      await receiver.until(({ connections }) => connections === 1);
      for (let n = 0; n < 20; n++) await new Promise((resolve) => setTimeout(resolve, 2));
      await harness.elapse(DEADLINE_MS);
      expect(await sending).toMatchObject({ ...answer, status: 400 });
    });

    it('that asks for another protocol, whose words are not read', async () => {
      const said = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
      receiver = await Receiver.tcp((socket) => void socket.on('data', () => socket.write(said)));
      const answer = { kind: 'answered', status: 101, body: '', bodyTruncated: false };
      expect(await send()).toMatchObject({ ...answer, headers: { upgrade: 'x' } });
      expect(await send()).toMatchObject(answer);
      expect(receiver.connections).toBe(2);
      await receiver.close();
      expect(await answeredBy(`${said}${OK}${body}`)).toMatchObject(answer);
    });

    it('and says what is lost', async () => {
      const told = (headersTruncated: boolean, bodyTruncated: boolean) => ({ headersTruncated, bodyTruncated });
      expect(await answeredBy(`${OK}X: ${'x'.repeat(20_000)}\r\n${body}`)).toMatchObject(told(true, false));
      await receiver.close();
      expect(await answeredBy(`${OK}nonsense\r\n${body}`)).toMatchObject(told(true, false));
      await receiver.close();
      expect(await answeredBy(`${OK}X: a\u0000b\r\n${body}`)).toMatchObject({ ...told(true, false), headers: { x: 'ab' } });
      await receiver.close();
      expect(await answeredBy(OK)).toMatchObject(told(true, true));
      await receiver.close();
      expect(await answeredBy(`${OK}Content-Length: 3\r\n\r\nok`)).toMatchObject(told(false, true));
      await receiver.close();
      expect(await answeredBy(`${OK}X-Folded: one\r\n  two\r\n${body}`)).toMatchObject({
        ...told(false, false),
        headers: { 'x-folded': 'one two' },
      });
    });

    it('with at most 2 KiB of headers, those first that say what to do', async () => {
      const many = Array.from({ length: 60 }, (_, n) => `X-${n}: ${'v'.repeat(200)}\r\n`).join('');
      const result = await answeredBy(`HTTP/1.1 429 Slow Down\r\n${many}Retry-After: 7\r\n${body}`);
      const { headers, headersTruncated } = result as Extract<SendResult, { kind: 'answered' }>;
      expect(headers).toMatchObject({ 'retry-after': '7', 'content-length': '2' });
      expect(Object.entries(headers).flat().join('').length).toBeLessThanOrEqual(2_048);
      expect([headersTruncated, Object.keys(headers).length > 8]).toEqual([true, true]);
    });

    it('whose head or body never ends', async () => {
      for (const begun of [OK, `${OK}Transfer-Encoding: chunked\r\n\r\n`, `${OK}\r\n`]) {
        let written = 0;
        receiver = await Receiver.tcp((socket) => {
          const flood = () => {
            while (!socket.destroyed && socket.write(`X-${written}: ${'h'.repeat(4000)}\r\n`)) written += 4000;
          };
          socket.on('drain', flood).once('data', () => {
            socket.write(begun);
            flood();
          });
        });
        expect(await send()).toMatchObject({ kind: 'answered', status: 200, bodyTruncated: true });
        expect(written).toBeLessThan(50_000_000);
        await receiver.close();
      }
    });

    it('and sends no other request over such a connection', async () => {
      receiver = await Receiver.tcp((socket) => void socket.on('data', () => socket.write(`${OK}X: a\n${body}`)));
      await send();
      await send();
      expect(receiver.connections).toBe(2);
      await receiver.close();
      receiver = await Receiver.tcp((socket) => void socket.on('data', () => socket.write(`${OK}${body}and more`)));
      await send();
      await send();
      expect(receiver.connections).toBe(2);
    });

    it('that came while the process could not read, with one POST', async () => {
      let requests = 0;
      receiver = await Receiver.tcp((socket) => {
        socket.once('data', () => {
          requests++;
          socket.write(`${OK}${body}`);
          // The deadline has long passed when the answer is read.
          void harness.elapse(DEADLINE_MS * 10);
        });
      });
      expect(await send()).toMatchObject({ kind: 'answered', status: 200, body: 'ok' });
      expect(requests).toBe(1);
    });
  });
}
