/** A span as a collector gets it; ids in hexadecimal. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where the span begins its trace. */
  readonly parentId: string;
  readonly name: string;
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly hasFailed: boolean;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** The wire format of Protocol Buffers: the values of a message by the numbers of their fields. */
function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const taken = (length: number): Buffer => bytes.subarray(at, (at += length));
  const valueOf = (wireType: number): Buffer | bigint => {
    if (wireType === 0) return varint();
    if (wireType === 1) return taken(8).readBigUInt64LE();
    if (wireType === 2) return taken(Number(varint()));
    if (wireType === 5) return taken(4);
    throw new Error(`There is no wire type ${wireType}.`);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), valueOf(tag & 7)]);
  }
  return fields;
}

const all = (fields: Fields, number: number) => (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
const bytesAt = (fields: Fields, number: number) => (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
const textAt = (fields: Fields, number: number) => bytesAt(fields, number).toString();
const hexAt = (fields: Fields, number: number) => bytesAt(fields, number).toString('hex');
const numberAt = (fields: Fields, number: number) => (fields.get(number)?.[0] ?? 0n) as bigint;

function attributesAt(fields: Fields, number: number): Record<string, string | number> {
  const pairs = all(fields, number).map((pair) => {
    const [value] = all(pair, 2);
    return [textAt(pair, 1), value?.has(1) ? textAt(value, 1) : Number(value ? numberAt(value, 3) : 0n)] as const;
  });
  return Object.fromEntries(pairs);
}

function spanOf(span: Fields, service: string): CollectedSpan {
  return {
    service,
    traceId: hexAt(span, 1),
    spanId: hexAt(span, 2),
    parentId: hexAt(span, 4),
    name: textAt(span, 5),
    startedAt: numberAt(span, 7),
    endedAt: numberAt(span, 8),
    attributes: attributesAt(span, 9),
    hasFailed: all(span, 15).some((status) => numberAt(status, 3) === 2n),
    links: all(span, 13).map((link) => ({ traceId: hexAt(link, 1), spanId: hexAt(link, 2) })),
  };
}

/** The spans of one request of OTLP (`ExportTraceServiceRequest`). */
export function spansIn(request: Buffer): readonly CollectedSpan[] {
  return all(fieldsOf(request), 1).flatMap((ofResource) => {
    const service = String(all(ofResource, 1).map((resource) => attributesAt(resource, 1)['service.name'])[0]);
    return all(ofResource, 2).flatMap((ofScope) => all(ofScope, 2).map((span) => spanOf(span, service)));
  });
}
