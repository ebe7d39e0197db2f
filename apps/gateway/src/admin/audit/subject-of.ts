import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditSubject } from '@domain/audit/audit.events';
import { ID_PREFIXES, isId, type IdKind } from '@domain/kernel/ids';

/** What answers call the resources whose ids are in paths. */
const OBJECTS: Partial<Readonly<Record<IdKind, string>>> = {
  project: 'project',
  apiKey: 'api_key',
  issue: 'issue',
  task: 'task',
  skippedEvent: 'skipped_event',
  conversation: 'conversation',
  message: 'message',
  customer: 'customer',
  session: 'session',
  appointment: 'appointment',
  endpoint: 'webhook_endpoint',
  event: 'event',
  delivery: 'webhook_delivery',
};
const KINDS = Object.keys(OBJECTS) as readonly IdKind[];
const PROJECT = 'project';
const MADE: readonly number[] = [201, 202];

/** The project whose resources the path names; null for any text that is no project's id. */
export function projectIn(request: FastifyRequest): string | null {
  return idsInPath(request).find(({ object }) => object === PROJECT)?.id ?? null;
}

/** What the request made or, if it made nothing, the last that its path names. */
export function subjectOf(request: FastifyRequest, { statusCode }: FastifyReply, payload: unknown): AuditSubject | null {
  const named = idsInPath(request).at(-1) ?? null;
  const namesNoMember = named === null || named.object === PROJECT;
  const mayMake = MADE.includes(statusCode) || (request.method === 'POST' && statusCode === 200 && namesNoMember);
  const made = mayMake ? resourceIn(payload) : null;
  return made === null || made.id === request.state.adminSession ? named : made;
}

function idsInPath({ params }: FastifyRequest): readonly AuditSubject[] {
  return Object.values((params ?? {}) as Readonly<Record<string, unknown>>).flatMap((id) => {
    const kind = KINDS.find((one) => isId(one, id));
    return kind === undefined ? [] : [{ object: OBJECTS[kind] ?? ID_PREFIXES[kind], id: String(id) }];
  });
}

/** The resource that an answer shows. One without an id is named by its `name`, as a projection is. */
function resourceIn(payload: unknown): AuditSubject | null {
  try {
    const { object, id, name } = JSON.parse(String(payload)) as Readonly<Record<string, unknown>>;
    const named = id ?? name;
    return typeof object === 'string' && typeof named === 'string' ? { object, id: named } : null;
  } catch {
    return null;
  }
}
