/** The ids of a span, as `traceparent` of W3C Trace Context has them. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the span is kept, and so those that follow it. */
  readonly isSampled: boolean;
}

const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Null for a text that is no `traceparent`. A version to come may have more behind the flags, the present one may not. */
export function parseTraceparent(text: unknown): TraceContext | null {
  const [, version, traceId, spanId, flags, more] = (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === '00' && more !== undefined) return null;
  return { traceId, spanId, isSampled: (parseInt(flags, 16) & 1) === 1 };
}

export function toTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** The text itself where it is the `traceparent` of a span that is kept. */
export function sampledTraceparent(text: unknown): string | undefined {
  return parseTraceparent(text)?.isSampled ? (text as string) : undefined;
}
