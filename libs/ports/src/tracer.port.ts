import { nameOf } from './failure.js';

/** The kinds of work that have a span. */
export type SpanName = 'request' | 'command' | 'append' | 'agent' | 'tool' | 'projection' | 'fan-out' | 'publication' | 'attempt';

/**
 * What spans tell, by written names: those of the semantic conventions of OpenTelemetry where these have one, else those of log
 * lines. None can hold a secret, what a client said, a person's data or an address.
 */
export interface SpanFields {
  readonly 'http.request.method'?: string;
  /** The template, such as `/v1/conversations/:id`. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  /** The code of an error, or the name of its class. */
  readonly 'error.type'?: string;
  readonly request_id?: string;
  readonly project_id?: string;
  readonly endpoint_id?: string;
  readonly event_id?: string;
  readonly delivery_id?: string;
  /** The category of a stream. */
  readonly stream?: string;
  /** How many events were decided or appended, rows written, actions taken, deliveries scheduled, pointers published. */
  readonly events?: number;
  readonly rows?: number;
  readonly actions?: number;
  readonly deliveries?: number;
  readonly pointers?: number;
  readonly agent?: string;
  readonly tool?: string;
  readonly collection?: string;
  readonly event_type?: string;
  /** The number of an attempt, counted from 1. */
  readonly attempt?: number;
  readonly verdict?: string;
}

/** Where a span belongs that does not belong to the active one. */
export interface SpanOrigin {
  /** The `traceparent` of the span above it, in whichever process; without one the span begins a trace. */
  readonly parent?: string | undefined;
  /** Those of spans that led to it too. */
  readonly links?: readonly (string | undefined)[];
}

/** One piece of work of a trace. */
export interface Span {
  /** Its ids as the W3C header of this name; undefined where nothing is traced. */
  readonly traceparent: string | undefined;
  /** Runs work in which this span is the active one, also behind its first `await`. */
  run<T>(work: () => T): T;
  set(fields: SpanFields): void;
  /** Marks the work as failed; `type` is the code of an error, or the name of its class. */
  fail(type: string): void;
  link(traceparent: string | undefined): void;
  end(): void;
}

/** Ids that belong to every log line of a piece of work. */
export interface LogIds {
  readonly trace_id?: string;
  readonly request_id?: string;
}

/** Follows work by spans, from a request to its webhooks. No span makes work fail, or wait. */
export abstract class Tracer {
  /** Whether anything is traced. Callers that make a span often ask first, so that none costs anything where nothing is. */
  abstract readonly isOn: boolean;
  /** That of the active span; undefined where there is none. */
  abstract readonly traceparent: string | undefined;
  /** Those of the active span. */
  abstract readonly logIds: LogIds;

  /** Begins a span, which the caller ends: below the active one, or where `origin` says. */
  abstract begin(name: SpanName, fields: SpanFields, origin?: SpanOrigin): Span;

  /** Links the active span to another, which it follows in another trace. */
  abstract link(traceparent: string | undefined): void;

  /** Sends what waits, within two seconds. */
  abstract close(): Promise<void>;

  /** Runs work in a span that ends with it. Settles as the work does. */
  run<T>(name: SpanName, fields: SpanFields, work: (span: Span) => Promise<T>, origin?: SpanOrigin): Promise<T> {
    return this.follow(this.begin(name, fields, origin), work);
  }

  protected async follow<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
    try {
      return await span.run(() => work(span));
    } catch (error) {
      span.fail(typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }
}

/** The code of an error, or why an agent failed, or the name of its class. */
function typeOf(error: unknown): string {
  const { code, why } = Object(error) as { code?: unknown; why?: unknown };
  return [code, why].find((each) => typeof each === 'string') ?? nameOf(error);
}

/** The span of where nothing is traced. */
export const NO_SPAN: Span = {
  traceparent: undefined,
  run: (work) => work(),
  set: () => undefined,
  fail: () => undefined,
  link: () => undefined,
  end: () => undefined,
};

const NO_IDS: LogIds = {};

/** Traces nothing. */
export class NoTracer extends Tracer {
  readonly isOn = false;
  readonly traceparent = undefined;
  readonly logIds = NO_IDS;

  begin(): Span {
    return NO_SPAN;
  }

  link(): void {}

  override run<T>(_name: SpanName, _fields: SpanFields, work: (span: Span) => Promise<T>): Promise<T> {
    return work(NO_SPAN);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export const NO_TRACER: Tracer = new NoTracer();
