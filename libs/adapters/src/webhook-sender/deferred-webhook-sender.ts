import type { Clock } from '@ports/clock.port';
import { WebhookSender, type SendResult, type WebhookRequest } from '@ports/webhook-sender.port';
import type { NodeAddressGuard } from './hardening/address-guard.node.js';
import type { UndiciOptions } from './webhook-sender.undici.js';

/** Loads the undici sender with the first webhook: loading it takes a tenth of a start. */
export class DeferredWebhookSender extends WebhookSender {
  private loaded: Promise<WebhookSender> | null = null;
  private isClosed = false;

  constructor(
    private readonly guard: NodeAddressGuard,
    private readonly clock: Clock,
    private readonly options: UndiciOptions,
  ) {
    super();
  }

  override async send(request: WebhookRequest): Promise<SendResult> {
    if (this.isClosed) return { kind: 'unreached', error: 'network_error', remoteIp: null, durationMs: 0 };
    return (await this.load()).send(request);
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    await (await this.loaded)?.close();
  }

  private load(): Promise<WebhookSender> {
    this.loaded ??= import('./webhook-sender.undici.js').then(
      ({ UndiciWebhookSender }) => new UndiciWebhookSender(this.guard, this.clock, this.options),
    );
    return this.loaded;
  }
}
