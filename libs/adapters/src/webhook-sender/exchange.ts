import type { Dispatcher } from 'undici';
import type { Clock } from '@ports/clock.port';
import type { SendResult } from '@ports/webhook-sender.port';
import { networkErrorCode } from './network-error-code.js';
import type { InterimAnswers } from './hardening/interim-answers.js';
import { boundedHeaders, responseText } from './response-text.js';

/** The connection that carries a request; one request at a time. */
export interface Route {
  socket: { destroy(error: Error): unknown } | null;
  interim: InterimAnswers | null;
  /** The address that was connected to. */
  remoteAddress: string | null;
}

const MOST_ANSWER_BYTES = 16 * 1024;
/** Each chunk costs the same processor time, however short it is. */
const MOST_CHUNKS = 1_024;
const CHUNKS_KEPT_APART = 64;

/** One request and its result: whichever comes first of the answer, a failure and the deadline. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<SendResult>;
  private resolve: (result: SendResult) => void = () => undefined;
  private isSent = false;
  private route: Route | null = null;
  private answer: { status: number; headers: Record<string, string> } | null = null;
  private chunks: Buffer[] = [];
  private size = 0;
  private arrived = 0;
  private readonly startedAt: number;

  /** Whether the result is decided. */
  settled = false;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.elapsed();
    this.result = new Promise((resolve) => (this.resolve = resolve));
  }

  useRoute(route: Route): void {
    this.route = route;
  }

  /** To be called at the deadline. An answer whose body is still arriving counts as an answer. */
  expire(): void {
    if (!this.settled) this.giveUp(new Error('deadline'));
  }

  fail(error: unknown): void {
    if (this.answer) this.settleAnswered(false);
    else this.settle({ kind: 'unreached', error: networkErrorCode(error), ...this.circumstances() });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline passed while the request waited for a connection: send nothing.
    if (this.settled) return controller.abort(new Error('deadline'));
    this.isSent = true;
    this.route?.interim?.expectAnswer();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200) this.answer = { status, headers: boundedHeaders(headers) };
    else this.refuse(new Error('an interim answer that does not begin like one'));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    // Copied, because a slice would keep the whole buffer that it was read into.
    this.chunks.push(Buffer.from(chunk.subarray(0, MOST_ANSWER_BYTES - this.size)));
    this.size += chunk.length;
    this.arrived++;
    if (this.chunks.length > CHUNKS_KEPT_APART) this.chunks = [Buffer.concat(this.chunks)];
    if (this.size > MOST_ANSWER_BYTES || this.arrived > MOST_CHUNKS) this.giveUp(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.settleAnswered(true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /**
   * Settles with what has arrived and drops the connection. The socket is destroyed directly because undici opens another
   * connection after `controller.abort`, needlessly.
   */
  private giveUp(reason: Error): void {
    if (this.answer) this.settleAnswered(false);
    else this.settle({ kind: 'unreached', error: 'timeout', ...this.circumstances() });
    if (this.isSent) this.route?.socket?.destroy(reason);
  }

  /** Drops the connection too: its receiver may go on without end. */
  private refuse(reason: Error): void {
    this.fail(reason);
    this.route?.socket?.destroy(reason);
  }

  private settleAnswered(isComplete: boolean): void {
    if (this.settled || !this.answer) return;
    const body = responseText(Buffer.concat(this.chunks), this.answer.headers, isComplete);
    this.settle({ kind: 'answered', ...this.answer, body, bodyTruncated: !isComplete, ...this.circumstances() });
  }

  private settle(result: SendResult): void {
    if (this.settled) return;
    this.settled = true;
    this.chunks = [];
    this.resolve(result);
  }

  private circumstances() {
    return { remoteIp: this.route?.remoteAddress ?? null, durationMs: Math.round(this.clock.elapsed() - this.startedAt) };
  }
}
