import type { Decider } from '../kernel/decider.js';
import type { AuditedRequest, AuditEvent } from './audit.events.js';

export interface AuditCommand {
  readonly type: 'AuditRequest';
  readonly at: number;
  readonly entryId: string;
  readonly request: AuditedRequest;
}

/** The requests of one day. Each is recorded whatever came before it, so nothing is folded. */
export const auditDecider: Decider<object, AuditCommand, AuditEvent> = {
  initial: {},
  decide({ at, entryId, request }) {
    return [{ type: 'RequestAudited', at, entryId, ...request }];
  },
  evolve: (day) => day,
};
