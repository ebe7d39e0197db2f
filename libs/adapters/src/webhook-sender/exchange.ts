import type { Dispatcher } from 'undici';
import type { Clock } from '@ports/clock.port';
import type { SendResult } from '@ports/webhook-sender.port';
import { networkErrorCode } from './network-error-code.js';
import type { InterimAnswers } from './hardening/interim-answers.js';
import { boundedHeaders, responseText } from './response-text.js';

/** The connection a request travels on. It carries one request at a time. */
export interface Route {
  socket: { destroy(error: Error): unknown } | null;
  interim: InterimAnswers | null;
  /** The address it really reached. */
  remoteAddress: string | null;
}

const MOST_ANSWER_BYTES = 16 * 1024;
/** Each costs the same, however short the receiver makes it. */
const MOST_CHUNKS = 1_024;
const CHUNKS_KEPT_APART = 64;

/** One request and what becomes of it: the first of an answer, a failure and the deadline decides. */
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

  /** Whether it is over. */
  settled = false;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.elapsed();
    this.result = new Promise((resolve) => (this.resolve = resolve));
  }

  travelOn(route: Route): void {
    this.route = route;
  }

  /** The deadline: an answer whose body is still coming is an answer. */
  expire(): void {
    if (!this.settled) this.giveUp(new Error('deadline'));
  }

  fail(error: unknown): void {
    if (this.answer) this.settleAnswered(false);
    else this.settle({ kind: 'unreached', error: networkErrorCode(error), ...this.circumstances() });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It waited for its connection until it was too late: nothing may be sent any more.
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
    // Copied: a slice would hold on to the whole buffer it was read into.
    this.chunks.push(Buffer.from(chunk.subarray(0, MOST_ANSWER_BYTES - this.size)));
    this.size += chunk.length;
    this.arrived++;
    if (this.chunks.length > CHUNKS_KEPT_APART) this.chunks = [Buffer.concat(this.chunks)];
    if (this.size > MOST_ANSWER_BYTES || this.arrived > MOST_CHUNKS) this.giveUp(new Error('enough'));
  }

  onResponseEnd(): void {
    this.settleAnswered(true);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /**
   * Takes what there is and drops the connection. The connection itself, since after `controller.abort` the client
   * connects once more, for nothing.
   */
  private giveUp(reason: Error): void {
    if (this.answer) this.settleAnswered(false);
    else this.settle({ kind: 'unreached', error: 'timeout', ...this.circumstances() });
    if (this.isSent) this.route?.socket?.destroy(reason);
  }

  /** Of what the connection does not count there may be no end. */
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
