import { appointmentsProjection } from '../appointments/appointments.projection.js';
import { conversationsProjection } from '../conversations/state/conversations.projection.js';
import { customersProjection } from '../customers/customers.projection.js';
import { projectsProjection } from '../projects/projects.projection.js';
import type { Projection } from '../read-models/projection.js';
import { sessionsProjection } from '../sessions/sessions.projection.js';
import { deliveriesProjection } from '../webhooks/deliveries.projection.js';
import { eventsProjection } from '../webhooks/fan-out/events.projection.js';

/** Every projection there is. */
export const PROJECTIONS: readonly Projection[] = [
  conversationsProjection,
  customersProjection,
  projectsProjection,
  sessionsProjection,
  appointmentsProjection,
  eventsProjection,
  deliveriesProjection,
];
