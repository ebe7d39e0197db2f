import { NO_TIMINGS } from '@domain/delivery/attempt-timings';
import type { Clock } from '@ports/clock.port';
import { pause } from '@ports/clock.port';
import { WebhookSender, type SendResult, type WebhookRequest } from '@ports/webhook-sender.port';

export interface SentWebhook extends WebhookRequest {
  readonly at: number;
}

type Answer = (request: WebhookRequest, count: number, headCame: (status: number) => void) => SendResult | Promise<SendResult>;

/** Receivers in memory: records every request and answers with `answer`. */
export class FakeSender extends WebhookSender {
  readonly sent: SentWebhook[] = [];
  /** The peak number of concurrent requests, by URL. */
  readonly most = new Map<string, number>();
  answer: Answer = () => answered(200);
  private readonly counts = new Map<string, number>();
  private readonly underWay = new Map<string, number>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async send(request: WebhookRequest, headCame: (status: number) => void = () => undefined): Promise<SendResult> {
    const { url } = request;
    this.sent.push({ ...request, at: this.clock.now() });
    const count = (this.underWay.get(url) ?? 0) + 1;
    this.underWay.set(url, count);
    this.most.set(url, Math.max(count, this.most.get(url) ?? 0));
    const requests = (this.counts.get(url) ?? 0) + 1;
    this.counts.set(url, requests);
    const result = await this.answer(request, requests, headCame);
    this.underWay.set(url, (this.underWay.get(url) ?? 1) - 1);
    return { ...result, requestHeaders: request.headers };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  to(url: string): readonly SentWebhook[] {
    return this.sent.filter((each) => each.url === url);
  }

  /** An answer that is given after `ms`. */
  slowly(ms: number, result: SendResult = timedOut(ms)): Answer {
    return async () => {
      await pause(this.clock, ms);
      return result;
    };
  }
}

export function answered(status: number, body: string | null = ''): SendResult {
  const told = { headers: {}, headersTruncated: false, body, bodyTruncated: false, requestHeaders: null };
  const timings = { dnsMs: 1, connectMs: 2, tlsMs: 3, firstByteMs: 4 };
  return { kind: 'answered', status, ...told, timings, remoteIp: '203.0.113.7', durationMs: 10 };
}

export function timedOut(durationMs = 15_000): SendResult {
  return { kind: 'unreached', error: 'timeout', requestHeaders: null, timings: NO_TIMINGS, remoteIp: null, durationMs };
}
