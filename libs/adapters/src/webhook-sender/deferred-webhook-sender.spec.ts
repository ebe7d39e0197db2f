import { webhookSenderContract } from '@ports/contracts/webhook-sender.contract';
import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import { DeferredWebhookSender } from './deferred-webhook-sender.js';

webhookSenderContract('DeferredWebhookSender', (reach) => {
  const clock = new FakeClock();
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: reach === 'loopback' ? ['127.0.0.0/8'] : [] });
  return { sender: new DeferredWebhookSender(guard, clock, { timeoutMs: 15_000 }), elapse: (ms) => clock.advance(ms) };
});

describe('a sender that is closed before its first webhook', () => {
  it('sends none', async () => {
    const receiver = await Receiver.http();
    const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8'] });
    const sender = new DeferredWebhookSender(guard, new FakeClock(), { timeoutMs: 15_000 });
    await sender.close();
    const result = await sender.send({ projectId: 'prj_1', url: receiver.url(), headers: {}, body: '{}' });
    await receiver.close();
    expect(result).toMatchObject({ kind: 'unreached', error: 'network_error' });
    expect(receiver.connections).toBe(0);
  });
});
