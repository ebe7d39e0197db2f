import { keptConnectionsContract } from '@ports/contracts/kept-connections.contract';
import { oddAnswersContract } from '@ports/contracts/odd-answers.contract';
import { readableFailuresContract } from '@ports/contracts/readable-failures.contract';
import { sentRequestsContract } from '@ports/contracts/sent-requests.contract';
import { webhookSenderContract } from '@ports/contracts/webhook-sender.contract';
import { FakeClock } from '@testing/fake-clock';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import { SocketWebhookSender } from './webhook-sender.sockets.js';

function make(reach: 'loopback' | 'public') {
  const clock = new FakeClock();
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: reach === 'loopback' ? ['127.0.0.0/8'] : [] });
  return {
    sender: new SocketWebhookSender(guard, clock, { timeoutMs: 15_000 }),
    elapse: (ms: number) => clock.advance(ms),
  };
}

webhookSenderContract('SocketWebhookSender', make);
oddAnswersContract('SocketWebhookSender', () => make('loopback'));
readableFailuresContract('SocketWebhookSender', () => make('loopback'));
keptConnectionsContract('SocketWebhookSender', () => make('loopback'));
sentRequestsContract('SocketWebhookSender', () => make('loopback'));
