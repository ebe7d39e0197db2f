import { ApiSchema } from '@nestjs/swagger';
import type { AuditRow } from '@application/audit/audit-entries.projection';
import { toTime } from '@application/read-models/time.resource';
import type { StoredRow } from '@ports/read-models.port';
import { idOf, idOrNull, KindMember, Member, TEXT, TEXT_OR_NULL, TIME } from '../../http/docs/schemas.resource.js';

@ApiSchema({ description: 'What a request was about.' })
class AuditSubjectResource {
  @Member(TEXT, 'The kind of resource, as its own `object` says.') object!: string;
  @Member(TEXT, 'Its `id`, or its `name` where it has none.') id!: string;
}

@ApiSchema({ description: 'One request to the admin API that was not a GET, with its result but without its body.' })
export class AuditEntryResource {
  @Member(idOf('audit'), 'Names the entry.') id!: string;
  @KindMember('audit_entry') object!: 'audit_entry';
  @Member(TIME, 'When it was answered.') at!: string;
  @Member(idOrNull('adminSession'), 'The session that sent it, or that it opened; null where it came with none that is known.')
  session_id!: string | null;
  @Member(
    { ...TEXT, example: 'PATCH /admin/v1/projects/{id}' },
    'Its method and route, or its method and `unrouted` where nothing has its path and method.',
  )
  action!: string;
  @Member(idOrNull('project'), 'The project that its path names or that it made; null where there is none.')
  project_id!: string | null;
  @Member(
    { type: () => AuditSubjectResource, nullable: true },
    'What it made or, if it made nothing, the last that its path names; null where there is none.',
  )
  subject!: AuditSubjectResource | null;
  @Member({ ...TEXT, example: '192.0.2.1' }, 'The address that its connection came from: behind a proxy, that of the proxy.')
  address!: string;
  @Member({ type: 'integer', minimum: 200, maximum: 599 }, 'The status of its answer.') status!: number;
  @Member(TEXT_OR_NULL, 'The `code` of its answer if that was an error; null otherwise.') code!: string | null;
}

export function toAuditEntryResource({ id, createdAt, row }: StoredRow<AuditRow>): AuditEntryResource {
  const { sessionId, action, ofProject, subject, address, status, code } = row;
  return {
    id,
    object: 'audit_entry',
    at: toTime(createdAt),
    session_id: sessionId,
    action,
    project_id: ofProject,
    subject,
    address,
    status,
    code,
  };
}
