import type { AttemptTimings } from '@domain/delivery/attempt-timings';
import type { NetworkErrorCode } from '@domain/delivery/outcome';

/** The most concurrent calls of `send`. Callers enforce it, so a sender needs no queue. */
export const MAX_ATTEMPTS_AT_ONCE = 512;

export interface WebhookRequest {
  /** Requests share a connection only within a project and origin. */
  readonly projectId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Texts that are masked if the answer repeats them. */
  readonly confidential?: readonly string[];
}

interface Sending {
  /** As sent, by name, nothing masked; null where no request was sent. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly timings: AttemptTimings;
  readonly remoteIp: string | null;
  readonly durationMs: number;
}

/** An answer with any status, or none, or a local failure that says nothing about the receiver. */
export type SendResult =
  | (Sending & {
      readonly kind: 'answered';
      readonly status: number;
      /** By lower-case name; at most 2 KiB in JSON, names included. */
      readonly headers: Readonly<Record<string, string>>;
      /** Whether headers were dropped, cut, or unreadable. */
      readonly headersTruncated: boolean;
      /** At most 16 KiB, and 17 KiB in JSON; null when it is not text. */
      readonly body: string | null;
      /** Whether the body was cut or unreadable. */
      readonly bodyTruncated: boolean;
    })
  | (Sending & { readonly kind: 'unreached'; readonly error: NetworkErrorCode })
  | (Sending & {
      readonly kind: 'hindered';
      /** The operating system's error code, or `process_stopped`. */
      readonly cause: string;
    });

export abstract class WebhookSender {
  /**
   * Sends one POST within `WEBHOOK_TIMEOUT_MS` for DNS, connect, TLS and response headers; the body gets one more second. Once a status
   * line has come, that status is the answer, whatever follows. Calls `headCame` once, when the headers are complete. Refuses addresses
   * that are neither public nor allowed, follows no redirect, reads a bounded part of the answer of any type, and resends if a reused
   * connection dies before the first byte. Never rejects.
   */
  abstract send(request: WebhookRequest, headCame?: (status: number) => void): Promise<SendResult>;

  /** Waits for requests in flight, then closes the connections. */
  abstract close(): Promise<void>;
}

/** Sends to the operator's own address, whatever it is: no guard holds for it. */
export abstract class OperatorSender extends WebhookSender {}
