import { Receiver } from '@testing/receiver';
import type { WebhookSenderHarness } from './webhook-sender.contract.js';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

export function keptConnectionsContract(name: string, make: () => WebhookSenderHarness): void {
  describe(`the connections that ${name} keeps`, () => {
    let harness: WebhookSenderHarness;
    let receiver: Receiver;
    beforeEach(() => void (harness = make()));
    afterEach(async () => {
      await receiver.close();
      await harness.sender.close();
    });
    const send = () => harness.sender.send({ projectId: 'prj_1', url: receiver.url(), headers: {}, body: '{}' });
    const turn = () => new Promise(setImmediate);

    it('are replaced, within the same attempt and once, where they die before a byte of the answer', async () => {
      let requests = 0;
      receiver = await Receiver.tcp((socket) => {
        let own = 0;
        socket.on('data', () => (requests++, ++own === 1 && requests !== 3 ? socket.write(ANSWER) : socket.resetAndDestroy()));
      });
      expect(await send()).toMatchObject({ kind: 'answered' });
      await turn();
      expect(await send()).toMatchObject({ kind: 'unreached', error: 'connection_reset' });
      expect([requests, receiver.connections]).toEqual([3, 2]);
      expect(await send()).toMatchObject({ kind: 'answered' });
      await turn();
      expect(await send()).toMatchObject({ kind: 'answered' });
      expect([requests, receiver.connections]).toEqual([6, 4]);
    });

    it.each(['okay', '0\r\n\r\n'])(
      'are replaced, within the same attempt, where %j is left of an answer before',
      async (left) => {
        receiver = await Receiver.tcp((socket) => {
          let own = 0;
          socket.on('data', () => socket.write(++own === 1 ? ANSWER : left));
        });
        expect(await send()).toMatchObject({ kind: 'answered' });
        await turn();
        expect(await send()).toMatchObject({ kind: 'answered', status: 200 });
        expect(receiver.connections).toBe(2);
      },
    );

    it.each(['Content-Length: 2', 'Transfer-Encoding: chunked'])(
      'are none whose answer has no body and says %j',
      async (said) => {
        receiver = await Receiver.tcp(
          (socket) => void socket.on('data', () => socket.write(`HTTP/1.1 204 Done\r\n${said}\r\n\r\n`)),
        );
        expect(await send()).toMatchObject({ kind: 'answered', status: 204, body: '', bodyTruncated: false });
        await turn();
        await send();
        expect(receiver.connections).toBe(2);
      },
    );

    it('are told by the lack of a time to connect', async () => {
      receiver = await Receiver.http();
      expect(await send()).toMatchObject({ timings: { connectMs: 0, firstByteMs: 0 } });
      await turn();
      expect(await send()).toMatchObject({ timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 0 } });
      expect(receiver.connections).toBe(1);
    });

    it('carry no request when they are a minute old, under steady traffic too', async () => {
      receiver = await Receiver.http();
      for (let second = 0; second <= 61; second++) {
        await send();
        await turn();
        await harness.elapse(1_000);
      }
      expect(receiver.connections).toBe(2);
    });
  });
}
