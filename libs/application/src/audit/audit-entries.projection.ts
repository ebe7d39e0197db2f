import { auditDayOf, auditRetireAt } from '@domain/audit/audit-window';
import type { AuditedRequest, AuditEvent } from '@domain/audit/audit.events';
import { INSTALLATION } from '../projects/projects.projection.js';
import type { Projection } from '../read-models/projection.js';

export interface AuditRow extends Omit<AuditedRequest, 'projectId'> {
  /** The project that the request was about; null for one of the installation. */
  readonly ofProject: string | null;
  readonly subjectId: string | null;
  /** When it is dropped; null once it is. */
  readonly retireAt: number | null;
}

/** Entries are the administrator's: those about a project are found by `ofProject`. */
export const auditEntriesProjection: Projection<AuditEvent, AuditRow> = {
  schema: {
    name: 'audit-entries',
    version: 1,
    filterFields: ['sessionId', 'ofProject', 'subjectId'],
    dueFields: ['retireAt'],
  },
  columns: {
    ofProject: { type: 'text', name: 'project_id', meaning: 'The project that the request was about; null for none.' },
    sessionId: { type: 'text', meaning: 'The session that sent it, or that it opened; null without one.' },
    action: { type: 'text', meaning: 'Its method and route, names of parameters in place of their values.' },
    subject: { type: 'json', meaning: 'What it was about: `object` is the kind of resource, `id` names it; null for nothing.' },
    address: { type: 'text', meaning: 'The address that its connection came from.' },
    status: { type: 'integer', meaning: 'The status of its answer.' },
    code: { type: 'text', meaning: 'The code of an error; null for any other answer.' },
    subjectId: { leftOut: 'An index: `id` of `subject`.' },
    retireAt: { leftOut: 'An index: when it is dropped.' },
  },
  idKind: 'audit',
  categories: ['audit'],
  rowIds: ({ event }) => (event.type === 'RequestAudited' ? [event.entryId] : []),
  begins: () => true,
  project(_, { event }) {
    if (event.type !== 'RequestAudited') return null;
    const { type: _type, entryId: _id, at, projectId: ofProject, ...request } = event;
    const row = { ...request, ofProject, subjectId: request.subject?.id ?? null, retireAt: auditRetireAt(at) };
    return { projectId: INSTALLATION, createdAt: at, deleted: false, row };
  },
};

export function auditStream(at: number): string {
  return `audit-${auditDayOf(at)}`;
}
