import { webhookSenderContract } from '@ports/contracts/webhook-sender.contract';
import { FakeClock } from '@testing/fake-clock';
import { NodeAddressGuard } from './address-guard.node.js';
import { DeferredWebhookSender } from './webhook-sender.deferred.js';

webhookSenderContract('DeferredWebhookSender', (reach) => {
  const clock = new FakeClock();
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: reach === 'loopback' ? ['127.0.0.0/8'] : [] });
  return { sender: new DeferredWebhookSender(guard, clock, { timeoutMs: 15_000 }), elapse: (ms) => clock.advance(ms) };
});
