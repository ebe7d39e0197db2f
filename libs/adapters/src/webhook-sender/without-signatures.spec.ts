import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import { withoutSignatures } from './without-signatures.js';
import { UndiciWebhookSender } from './webhook-sender.undici.js';

const [HEX, OLD_HEX] = ['d262644fe286615add04a1ac1559248b'.repeat(2), 'a'.repeat(64)];
const BASE64 = '1cni3MuXVbThDCTv5b4T30derT4xm8PSwzLFo/vGu90=';
const SENT = {
  'Service-Signature': `t=1700000000,v1=${HEX},v1=${OLD_HEX}`,
  'webhook-id': 'evt_1',
  'webhook-signature': `v1,${BASE64}`,
};

describe('a receiver that repeats our signatures', () => {
  const answered = (headers: Record<string, string>, body: string | null) =>
    ({ kind: 'answered', status: 200, headers, body, bodyTruncated: false, remoteIp: null, durationMs: 1 }) as const;

  it('has them taken out of its answer', async () => {
    const receiver = await Receiver.http(({ headers }, response) => {
      response.setHeader('x-heard', String(headers['webhook-signature']));
      response.end(JSON.stringify(headers));
    });
    const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8'] });
    const sender = new UndiciWebhookSender(guard, new FakeClock(), { timeoutMs: 15_000 });
    const result = await sender.send({ projectId: 'prj_1', url: receiver.url('/'), headers: SENT, body: '{}' });
    await Promise.all([receiver.close(), sender.close()]);
    const told = JSON.stringify(result);
    for (const signature of [HEX, OLD_HEX, BASE64]) expect(told).not.toContain(signature);
    expect(result).toMatchObject({ kind: 'answered', headers: { 'x-heard': 'v1,[redacted]' } });
    expect(told).toContain('t=1700000000,v1=[redacted],v1=[redacted]');
  });

  it('has only them taken out', () => {
    const result = answered({ etag: `v1=${'b'.repeat(64)}`, 'x-id': 'evt_1' }, `v1=${HEX} and v1=${'b'.repeat(64)}`);
    expect(withoutSignatures(result, SENT)).toEqual({ ...result, body: `v1=[redacted] and v1=${'b'.repeat(64)}` });
    const unreadable = answered({ 'x-heard': HEX }, null);
    expect(withoutSignatures(unreadable, SENT)).toEqual({ ...unreadable, headers: { 'x-heard': '[redacted]' } });
  });

  it('costs nothing when it does not', () => {
    for (const result of [answered({ etag: 'v1' }, 'ok'), answered({}, 'x'.repeat(16_384))]) {
      expect(withoutSignatures(result, SENT)).toBe(result);
    }
  });
});
