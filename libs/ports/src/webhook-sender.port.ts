import type { NetworkErrorCode } from '@domain/delivery/outcome';

/** The most calls of `send` at a time. Callers keep to it, so a sender needs no queue. */
export const MAX_ATTEMPTS_AT_ONCE = 512;

export interface WebhookRequest {
  /** Requests share a connection only within a project and origin. */
  readonly projectId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Texts that are masked where the answer repeats them. */
  readonly confidential?: readonly string[];
}

/** The outcome of one POST: an answer, whatever its status, or none, or trouble of this machine that says nothing of the receiver. */
export type SendResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** By lower-case name; at most 2 KiB in JSON, names included. */
      readonly headers: Readonly<Record<string, string>>;
      /** Whether the answer had more headers, or longer ones, or some that could not be read. */
      readonly headersTruncated: boolean;
      /** At most 16 KiB, and 17 KiB in JSON; null when it is not text. */
      readonly body: string | null;
      /** Whether the answer had a longer body, or one that could not be read. */
      readonly bodyTruncated: boolean;
      readonly remoteIp: string | null;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'unreached';
      readonly error: NetworkErrorCode;
      readonly remoteIp: string | null;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'hindered';
      /** What this machine lacks, as the operating system's code, or `process_stopped`. */
      readonly cause: string;
      readonly remoteIp: string | null;
      readonly durationMs: number;
    };

/** Sends webhooks to addresses outside. */
export abstract class WebhookSender {
  /**
   * Sends one POST under one deadline (`WEBHOOK_TIMEOUT_MS` over DNS, connect, TLS and response headers); the body gets another
   * second. Once a status line has come, the status is the answer, whatever follows. Calls `headCame` when the headers are over,
   * once, with the status. Refuses addresses that are neither public nor allowed, follows no redirect, and reads a bounded part
   * of the response. Accepts any type of answer, unless the headers name another. Sends again where a kept connection dies before a
   * byte of the answer. Never rejects.
   */
  abstract send(request: WebhookRequest, headCame?: (status: number) => void): Promise<SendResult>;

  /** Waits for the requests in flight, then closes the connections. */
  abstract close(): Promise<void>;
}
