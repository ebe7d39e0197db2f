import { correlationOf, type Envelope } from '@domain/kernel/envelope';
import type { Recorded } from '@ports/event-store.port';
import { idIn } from '@ports/stream-category';

/** The envelope for an event's effect on another stream. For events of earlier versions the correlation id is that of `about`. */
export function causedBy(
  { stream, revision, metadata }: Pick<Recorded, 'stream' | 'revision' | 'metadata'>,
  about = idIn(stream),
): Envelope {
  return { $correlationId: metadata?.$correlationId ?? correlationOf(about), $causationId: `${stream}@${revision}` };
}
