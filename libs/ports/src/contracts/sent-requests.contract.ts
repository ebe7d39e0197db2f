import { Receiver } from '@testing/receiver';
import type { WebhookRequest } from '../webhook-sender.port.js';
import type { WebhookSenderHarness } from './webhook-sender.contract.js';

export function sentRequestsContract(name: string, make: () => WebhookSenderHarness): void {
  describe(`what ${name} tells of a request`, () => {
    let harness: WebhookSenderHarness;
    let receiver: Receiver;
    beforeEach(() => void (harness = make()));
    afterEach(async () => {
      await receiver.close();
      await harness.sender.close();
    });
    const send = (url: string, more: Partial<WebhookRequest> = {}) =>
      harness.sender.send({ projectId: 'prj_1', url, headers: {}, body: '{}', ...more });

    it('is all headers that were sent, those of the connection included, and nothing masked', async () => {
      receiver = await Receiver.http();
      const headers = { 'X-Env': 'prod', 'webhook-id': 'evt_1' };
      const { requestHeaders } = await send(receiver.url(), { headers, confidential: ['prod'] });
      const told = Object.entries(requestHeaders ?? {}).map(([header, value]) => [header.toLowerCase(), value]);
      expect(Object.fromEntries(told)).toEqual(receiver.requests[0]?.headers);
      expect(requestHeaders).toMatchObject({ ...headers, Host: `127.0.0.1:${receiver.port}` });
    });

    it('is the time to the first byte of its answer, whenever the rest came', async () => {
      receiver = await Receiver.http((_, response) => {
        const end = () => harness.elapse(300).then(() => response.end('b'));
        void harness.elapse(40).then(() => response.write('a', () => void end()));
      });
      const timings = { dnsMs: null, connectMs: 0, tlsMs: null, firstByteMs: 40 };
      expect(await send(receiver.url())).toMatchObject({ kind: 'answered', timings, durationMs: 340 });
    });

    it('is nothing where no connection was made', async () => {
      receiver = await Receiver.http();
      const gone = await Receiver.http();
      const url = gone.url();
      await gone.close();
      const timings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
      expect(await send(url)).toMatchObject({ kind: 'unreached', requestHeaders: null, timings });
    });
  });
}
