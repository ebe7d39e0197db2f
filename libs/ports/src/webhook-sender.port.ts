import type { NetworkErrorCode } from '@domain/delivery/outcome';

/** The most calls of `send` at a time. Callers keep to it, so a sender needs no queue. */
export const MOST_ATTEMPTS_AT_ONCE = 512;

export interface WebhookRequest {
  /** Requests share a connection only within a project and origin. */
  readonly projectId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of one POST: an answer, whatever its status, or none. */
export type SendResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** By lower-case name; bounded in number and size. */
      readonly headers: Readonly<Record<string, string>>;
      /** At most 16 KiB; null when it is not text. */
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

/** Sends webhooks to addresses outside. */
export abstract class WebhookSender {
  /**
   * Sends one POST under one deadline (`WEBHOOK_TIMEOUT_MS` over DNS, connect, TLS and response headers). Refuses
   * addresses that are neither public nor allowed, follows no redirect, and reads a bounded part of the response. Never
   * rejects.
   */
  abstract send(request: WebhookRequest): Promise<SendResult>;

  /** Waits for the requests in flight, then closes the connections. */
  abstract close(): Promise<void>;
}
