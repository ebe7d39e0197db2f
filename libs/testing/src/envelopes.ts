import type { CommandOrigin } from '@application/runtime/request-context';
import type { Envelope } from '@domain/kernel/envelope';

/** The envelope of a request, for specs that are not about it. */
export const ENVELOPE: Envelope = {
  $correlationId: 'cor_01J9Z3K8Q4T6V8X0A2C4E6G8J0',
  $causationId: 'req_1',
  actor: { type: 'client', id: 'key_1' },
  requestId: 'req_1',
};

/** What a sweep is given, for specs that are not about its time or its end. */
export const ROUND = [0, new AbortController().signal, ENVELOPE] as const;

export const originOf = (commandId: string): CommandOrigin => ({ commandId, envelope: ENVELOPE });
