import type { AttemptTimings } from '@domain/delivery/attempt-timings';
import type { NetworkErrorCode } from '@domain/delivery/outcome';
import type { Clock } from '@ports/clock.port';
import { AnswerReader } from './answer-reader.js';
import { DialTimings } from './hardening/dial-timings.js';
import type { Field } from './head-reader.js';
import type { ConnectionUser, HttpConnection } from './http-connection.js';
import { localTroubleIn } from './local-trouble.js';
import { networkErrorCode } from './network-error-code.js';
import type { EventLoopStalls } from './event-loop-stalls.js';
import type { RequestAsSent } from './request-as-sent.js';

interface Circumstances {
  /** Null where no request was sent. */
  readonly requestHeaders: RequestAsSent['headers'] | null;
  readonly timings: AttemptTimings;
  readonly remoteIp: string | null;
  readonly durationMs: number;
}

export interface RawAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly fields: readonly Field[];
  readonly headersTruncated: boolean;
  readonly body: Buffer;
  readonly isComplete: boolean;
}

type Outcome =
  | RawAnswer
  | { readonly kind: 'unreached'; readonly error: NetworkErrorCode }
  | { readonly kind: 'hindered'; readonly cause: string };

export type Exchanged = Outcome & Circumstances;

export interface Connections {
  take(): HttpConnection | null;
  dial(signal: AbortSignal, timings: DialTimings): Promise<HttpConnection>;
  keep(connection: HttpConnection, keptAliveMs: number | null): void;
}

export interface ExchangeOptions {
  readonly timeoutMs: number;
  readonly stalls: EventLoopStalls;
  readonly headCame: (status: number) => void;
}

/** After the head the status is decided; the body is only for the delivery log. */
const BODY_MS = 1_000;
const STOPPED = 'process_stopped';
/** After so many turns of the event loop without a byte the socket is empty; TLS needs some turns to unpack. */
const QUIET_TURNS = 5;
const MAX_TURNS = 200;

const NO_ANSWER = Object.assign(new Error('closed before an answer'), { code: 'ECONNRESET' });

/** One request and its result: the first of answer, failure and deadline. */
export class Exchange implements ConnectionUser {
  readonly result: Promise<Exchanged>;
  private resolve: (result: Exchanged) => void = () => undefined;
  private isSettled = false;
  private reader = new AnswerReader();
  private connection: HttpConnection | null = null;
  /** A reused connection, which its receiver may close at any moment. */
  private isKept = false;
  private remoteIp: string | null = null;
  private readonly startedAt: number;
  private readonly dialTimings: DialTimings;
  /** Of the latest connection; null before. */
  private sentAt: number | null = null;
  private firstByteMs: number | null = null;
  /** Only while connecting: an abort controller costs more than reading an answer. */
  private dialling: AbortController | null = null;
  private stopTimer: () => void;

  constructor(
    private readonly request: RequestAsSent,
    private readonly connections: Connections,
    private readonly clock: Clock,
    private readonly options: ExchangeOptions,
  ) {
    options.stalls.watch();
    this.startedAt = clock.elapsed();
    this.dialTimings = new DialTimings(clock);
    this.result = new Promise((resolve) => (this.resolve = resolve));
    this.stopTimer = clock.after(options.timeoutMs, () => void this.expire());
  }

  start(): void {
    const kept = this.connections.take();
    this.isKept = kept !== null;
    if (kept) this.use(kept);
    else void this.dial();
  }

  onData(chunk: Buffer): void {
    this.firstByteMs ??= Math.round(this.clock.elapsed() - (this.sentAt ?? this.startedAt));
    const hadHead = this.reader.hasHead;
    this.reader.take(chunk);
    if (this.reader.hasHead && !hadHead) this.onHead();
    if (this.reader.isOver) this.finish();
  }

  onEnd(error: Error | null): void {
    this.reader.end(error === null);
    if (this.reader.status === null) this.fail(error ?? NO_ANSWER);
    else this.finish();
  }

  /** Milliseconds since the deadline, negative before it. After it nothing more is sent. */
  private get overdueMs(): number {
    return this.clock.elapsed() - this.startedAt - this.options.timeoutMs;
  }

  private async dial(): Promise<void> {
    const dialling = (this.dialling = new AbortController());
    try {
      const connection = await this.connections.dial(dialling.signal, this.dialTimings);
      this.dialling = null;
      if (this.isSettled || this.overdueMs >= 0) connection.drop();
      else this.use(connection);
    } catch (error) {
      this.fail(error);
    }
  }

  private use(connection: HttpConnection): void {
    this.connection = connection;
    this.reader = new AnswerReader();
    this.remoteIp = connection.address;
    this.sentAt = this.clock.elapsed();
    connection.send(this.request.bytes, this);
  }

  private onHead(): void {
    const { status } = this.reader;
    if (status !== null) this.options.headCame(status);
    this.stopTimer();
    this.stopTimer = this.clock.after(BODY_MS, () => void this.cutOff());
  }

  private fail(error: unknown): void {
    if (this.isSettled || this.beganAnew()) return;
    this.giveUp(networkErrorCode(error), localTroubleIn(error));
  }

  /** If a reused connection dies before the first byte of the answer, or carries stray bytes, the attempt continues over a new one. */
  private beganAnew(): boolean {
    if (!this.isKept || !this.reader.isUntouched || this.overdueMs >= 0) return false;
    this.isKept = false;
    this.remoteIp = null;
    this.firstByteMs = null;
    void this.dial();
    return true;
  }

  /** A receiver is not to blame for what happened while the process was stopped. */
  private giveUp(error: NetworkErrorCode, localTrouble: string | null = null): void {
    const cause = localTrouble ?? (this.options.stalls.hasStalledSince(this.startedAt) ? STOPPED : null);
    this.settle(cause === null ? { kind: 'unreached', error } : { kind: 'hindered', cause });
  }

  private finish(): void {
    const { status, head, body, isReusable, keptAliveMs } = this.reader;
    const { connection } = this;
    connection?.leave();
    if (connection && isReusable) this.connections.keep(connection, keptAliveMs);
    else connection?.drop();
    if (status === null) return void (this.beganAnew() || this.settle({ kind: 'unreached', error: 'network_error' }));
    const { fields, isTruncated: headersTruncated } = head;
    const answer = { status, fields, headersTruncated, body: body?.bytes ?? Buffer.alloc(0) };
    this.settle({ kind: 'answered', ...answer, isComplete: body?.isComplete === true });
  }

  /** The deadline has passed. What arrived in time but was not read yet still counts. */
  private async expire(): Promise<void> {
    await this.cutOff();
    if (this.isSettled) return;
    this.connection?.drop();
    this.giveUp('timeout');
  }

  private async cutOff(): Promise<void> {
    for (let turns = 0, quiet = 0; turns < MAX_TURNS && quiet < QUIET_TURNS && !this.isSettled; turns++) {
      const { arrived } = this.reader;
      await new Promise(setImmediate);
      quiet = this.reader.arrived === arrived ? quiet + 1 : 0;
    }
    if (this.isSettled) return;
    this.reader.end(false);
    if (this.reader.status !== null) this.finish();
  }

  private settle(outcome: Outcome): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.options.stalls.leave();
    this.stopTimer();
    this.dialling?.abort();
    const durationMs = Math.round(this.clock.elapsed() - this.startedAt);
    const requestHeaders = this.sentAt === null ? null : this.request.headers;
    const timings = { ...this.dialTimings.all, firstByteMs: this.firstByteMs };
    this.resolve({ ...outcome, requestHeaders, timings, remoteIp: this.remoteIp, durationMs });
  }
}
