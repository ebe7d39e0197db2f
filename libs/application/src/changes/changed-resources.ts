import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import type { ProjectEvent } from '@domain/project/project.events';
import type { Recorded } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import { appointmentsProjection } from '../appointments/appointments.projection.js';
import { conversationsProjection } from '../conversations/state/conversations.projection.js';
import { customersProjection } from '../customers/customers.projection.js';
import { issuesProjection } from '../issues/issues.projection.js';
import { projectsProjection } from '../projects/projects.projection.js';
import type { Projection } from '../read-models/projection.js';
import { sessionsProjection } from '../sessions/sessions.projection.js';
import { tasksProjection } from '../tasks/tasks.projection.js';
import { deliveriesProjection } from '../webhooks/deliveries.projection.js';
import { eventsProjection } from '../webhooks/fan-out/events.projection.js';

/** The `object` of a resource. A changed message is announced as its conversation. */
type ChangedObject =
  | 'conversation'
  | 'customer'
  | 'session'
  | 'appointment'
  | 'event'
  | 'webhook_delivery'
  | 'webhook_endpoint'
  | 'issue'
  | 'task'
  | 'project'
  | 'api_key';

export interface ChangedResource {
  readonly object: ChangedObject;
  readonly id: string;
}

type ResourcesOf = (record: Recorded) => readonly ChangedResource[];

const appointments = rows('appointment', appointmentsProjection);
const events = rows('event', eventsProjection);
const sessions = rows('session', sessionsProjection);
const deliveries = rows('webhook_delivery', deliveriesProjection);
const projects = rows('project', projectsProjection);

/** What the API shows of each category of streams. */
const RESOURCES: Readonly<Record<string, ResourcesOf>> = {
  conversation: rows('conversation', conversationsProjection),
  customer: rows('customer', customersProjection),
  session: sessions,
  appointment: (record) => [...appointments(record), ...events(record), ...sessions(record)],
  deliveries: (record) => [...deliveries(record), ...events(record)],
  endpoints: ({ event }) => endpointIn(event as EndpointEvent),
  issue: rows('issue', issuesProjection),
  task: rows('task', tasksProjection),
  project: (record) => [...projects(record), ...keysIn(record.event as ProjectEvent)],
};

/** The categories of the log whose events change a resource. */
export const SHOWN_CATEGORIES: readonly string[] = Object.keys(RESOURCES);

/** The resources that an event changes: the rows of lists, and what is read from the log itself. */
export function changedResources(record: Recorded): readonly ChangedResource[] {
  return RESOURCES[streamCategory(record.stream)]?.(record) ?? [];
}

function rows(object: ChangedObject, { rowIds }: Pick<Projection<never>, 'rowIds'>): ResourcesOf {
  return (record) => rowIds(record as Recorded<never>).map((id) => ({ object, id }));
}

function endpointIn(event: EndpointEvent): readonly ChangedResource[] {
  return 'endpointId' in event ? [{ object: 'webhook_endpoint', id: event.endpointId }] : [];
}

function keysIn(event: ProjectEvent): readonly ChangedResource[] {
  const ids = 'keyId' in event ? [event.keyId, ...('successorId' in event ? [event.successorId] : [])] : [];
  return ids.map((id) => ({ object: 'api_key', id }));
}
