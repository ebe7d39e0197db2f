import type { ApplyRequest, RowValues, WriteRequest } from './requests.js';

type Scalar = string | number | null;
/** Requests in one flat list: the kind of each, then its members. */
export type Packed = readonly (Scalar | WriteRequest)[];

const APPEND = 0;
const PUT_RECORD = 1;
const APPLY = 2;
const OTHER = 3;

/** Flattens the frequent requests for the worker: copying a flat list takes a third of the time of copying objects. */
export function pack(requests: readonly WriteRequest[]): Packed {
  const packed: (Scalar | WriteRequest)[] = [];
  for (const request of requests) {
    switch (request.kind) {
      case 'append': {
        const { stream, expected, ids, bodies, metadata } = request;
        packed.push(APPEND, stream, expected, ids.length);
        for (let at = 0; at < ids.length; at++) packed.push(ids[at] ?? '', bodies[at] ?? '', metadata[at] ?? null);
        break;
      }
      case 'put-record':
        packed.push(PUT_RECORD, request.key, request.value, request.version, request.expiresAt);
        break;
      case 'apply':
        packRows(packed, request);
        break;
      default:
        packed.push(OTHER, request);
    }
  }
  return packed;
}

function packRows(packed: (Scalar | WriteRequest)[], { collection, generation, checkpoint, rows }: ApplyRequest): void {
  packed.push(APPLY, collection, generation, checkpoint, rows.length, rows[0]?.length ?? 0);
  for (const row of rows) for (const value of row) packed.push(value);
}

/** The requests that `pack` flattened. */
export function unpack(packed: Packed): WriteRequest[] {
  const requests: WriteRequest[] = [];
  const from = new Unpacker(packed);
  while (from.hasMore) requests.push(unpackOne(from));
  return requests;
}

function unpackOne(from: Unpacker): WriteRequest {
  switch (from.number()) {
    case APPEND: {
      const [stream, expected, count] = [from.text(), from.number(), from.number()];
      const ids: string[] = [];
      const bodies: string[] = [];
      const metadata: (string | null)[] = [];
      for (let index = 0; index < count; index++) {
        ids.push(from.text());
        bodies.push(from.text());
        metadata.push(from.textOrNull());
      }
      return { kind: 'append', stream, expected, ids, bodies, metadata };
    }
    case PUT_RECORD: {
      const [key, value, version] = [from.text(), from.text(), from.text()];
      return { kind: 'put-record', key, value, version, expiresAt: from.number() };
    }
    case APPLY: {
      const [collection, generation, checkpoint] = [from.text(), from.number(), from.text()];
      const [count, width] = [from.number(), from.number()];
      const rows = Array.from({ length: count }, () => from.row(width));
      return { kind: 'apply', collection, generation, rows, checkpoint };
    }
    default:
      return from.next() as WriteRequest;
  }
}

/** A reader of a packed list. */
class Unpacker {
  private at = 0;

  constructor(private readonly packed: Packed) {}

  get hasMore(): boolean {
    return this.at < this.packed.length;
  }

  next(): Scalar | WriteRequest | undefined {
    return this.packed[this.at++];
  }

  text(): string {
    return this.next() as string;
  }

  textOrNull(): string | null {
    return this.next() as string | null;
  }

  number(): number {
    return this.next() as number;
  }

  row(width: number): RowValues {
    this.at += width;
    return this.packed.slice(this.at - width, this.at) as RowValues;
  }
}
