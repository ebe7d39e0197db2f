import { appointmentsProjection } from '../appointments/appointments.projection.js';
import { auditEntriesProjection } from '../audit/audit-entries.projection.js';
import { conversationsProjection } from '../conversations/state/conversations.projection.js';
import { customersProjection } from '../customers/customers.projection.js';
import { projectsProjection } from '../projects/projects.projection.js';
import { issuesProjection } from '../issues/issues.projection.js';
import type { Projection } from '../read-models/projection.js';
import { sessionsProjection } from '../sessions/sessions.projection.js';
import { skippedEventsProjection } from '../skipped-events/skipped-events.projection.js';
import { tasksProjection } from '../tasks/tasks.projection.js';
import { deliveriesProjection } from '../webhooks/deliveries.projection.js';
import { eventsProjection } from '../webhooks/fan-out/events.projection.js';

export const PROJECTIONS: readonly Projection[] = [
  conversationsProjection,
  customersProjection,
  projectsProjection,
  tasksProjection,
  sessionsProjection,
  appointmentsProjection,
  eventsProjection,
  deliveriesProjection,
  issuesProjection,
  auditEntriesProjection,
  skippedEventsProjection,
];
