import { nameOf } from '@ports/failure';

/** The gRPC status at the start of a message, as in `14 UNAVAILABLE: …`. */
const STATUS_OF_GRPC = /^\d+ ([A-Z_]+)(?::|$)/;

interface Named {
  readonly codeName?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
}

/** A driver's failure in one word: its sentence may be long and name addresses. */
export function shortName(failure: unknown): string {
  if (!(failure instanceof Error)) return nameOf(failure);
  if (failure.cause instanceof Error) return shortName(failure.cause);
  const { codeName, type, code } = failure as Named;
  const [, status] = STATUS_OF_GRPC.exec(failure.message) ?? [];
  const word = [codeName, status, type, code].find((each) => typeof each === 'string' && each !== '');
  return (word as string | undefined) ?? failure.name;
}
