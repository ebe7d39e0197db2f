import type { Envelope } from '@domain/kernel/envelope';
import type { Ids } from '@ports/ids.port';

/** The envelope for what one round of a timer, or one start of the process, causes by itself. */
export function timerRound(ids: Ids, name: string): Envelope {
  return { $correlationId: ids.next('correlation'), $causationId: `timer:${name}`, actor: { type: 'system' } };
}
