import { webhookSenderContract } from '@ports/contracts/webhook-sender.contract';
import { FakeClock } from '@testing/fake-clock';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import { UndiciWebhookSender } from './webhook-sender.undici.js';

webhookSenderContract('UndiciWebhookSender', (reach) => {
  const clock = new FakeClock();
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: reach === 'loopback' ? ['127.0.0.0/8'] : [] });
  return { sender: new UndiciWebhookSender(guard, clock, { timeoutMs: 15_000 }), elapse: (ms) => clock.advance(ms) };
});
