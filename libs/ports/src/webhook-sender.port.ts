import type { NetworkErrorCode } from '@domain/delivery/outcome';

/** Whoever sends has no more open than this, so that a sender needs no line of its own. */
export const MOST_ATTEMPTS_AT_ONCE = 512;

export interface WebhookRequest {
  /** Connections are shared within a project and origin only. */
  readonly projectId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What one POST came to: an answer, whatever it says, or none. */
export type SendResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Lower-case names, bounded. */
      readonly headers: Readonly<Record<string, string>>;
      /** At most 16 KiB; null when it could not be read as text. */
      readonly body: string | null;
      readonly bodyTruncated: boolean;
      readonly remoteIp: string | null;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'unreached';
      readonly error: NetworkErrorCode;
      readonly remoteIp: string | null;
      readonly durationMs: number;
    };

/** Sends one POST to the outside world. */
export abstract class WebhookSender {
  /**
   * One POST under one deadline (`WEBHOOK_TIMEOUT_MS` over DNS, connect, TLS, response headers), never to a
   * non-public address unless allowed, following nothing, reading a bounded response. Never rejects.
   */
  abstract send(request: WebhookRequest): Promise<SendResult>;

  /** Closes the connections once what is under way has ended. */
  abstract close(): Promise<void>;
}
