import type { AuditedRequest, RequestAudited } from '@domain/audit/audit.events';

/** An administrator renames a project. */
export const REQUEST: AuditedRequest = {
  sessionId: 'ases_1',
  action: 'PATCH /admin/v1/projects/{id}',
  projectId: 'prj_1',
  subject: { object: 'project', id: 'prj_1' },
  address: '192.0.2.1',
  status: 200,
  code: null,
};

export function audited(entryId: string, at: number, changes: Partial<AuditedRequest> = {}): RequestAudited {
  return { type: 'RequestAudited', at, entryId, ...REQUEST, ...changes };
}
