import type { ComponentType } from 'preact';

interface PlaceRoute {
  readonly path: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

const place = (path: string, load: () => Promise<ComponentType>): PlaceRoute => ({
  path: `/admin/${path}`,
  load: async () => ({ default: await load() }),
});

/** Each place is loaded when it is first opened. */
export const ROUTES: readonly PlaceRoute[] = [
  // Before those of a project: a projection may be named like one of its places.
  place('projections/:id', async () => (await import('./projections/projection-page.js')).ProjectionPage),
  place(':project/overview', async () => (await import('./overview/overview.js')).Overview),
  place(':project/endpoints', async () => (await import('./endpoints/endpoints.js')).Endpoints),
  place(':project/endpoints/:id', async () => (await import('./endpoints/endpoint-page.js')).EndpointPage),
  place(':project/events', async () => (await import('./events/events.js')).Events),
  place(':project/events/:id', async () => (await import('./events/event-page.js')).EventPage),
  place(':project/api-keys', async () => (await import('./api-keys/api-keys.js')).ApiKeys),
  place(':project/deliveries', async () => (await import('./deliveries/deliveries.js')).Deliveries),
  place(':project/deliveries/:id', async () => (await import('./deliveries/delivery-page.js')).DeliveryPage),
  place(':project/tasks', async () => (await import('./tasks/tasks.js')).Tasks),
  place(':project/tasks/:id', async () => (await import('./tasks/task-page.js')).TaskPage),
  place(':project/conversations', async () => (await import('./conversations/conversations.js')).Conversations),
  place(':project/conversations/:id', async () => (await import('./conversations/conversation-page.js')).ConversationPage),
  place(':project/customers', async () => (await import('./customers/customers.js')).Customers),
  place(':project/customers/:id', async () => (await import('./customers/customer-page.js')).CustomerPage),
  place(':project/calls', async () => (await import('./calls/calls.js')).Calls),
  place(':project/calls/:id', async () => (await import('./calls/call-page.js')).CallPage),
  place(':project/appointments', async () => (await import('./appointments/appointments.js')).Appointments),
  place(':project/appointments/:id', async () => (await import('./appointments/appointment-page.js')).AppointmentPage),
  place(':project/playground', async () => (await import('./playground/playground.js')).Playground),
  place(':project/found', async () => (await import('./found/found.js')).Found),
  // Before a project was chosen.
  place('found', async () => (await import('./found/found.js')).Found),
  place('projects', async () => (await import('./projects/projects.js')).Projects),
  place('projects/:id', async () => (await import('./projects/project-page.js')).ProjectPage),
  place('projections', async () => (await import('./projections/projections.js')).Projections),
  // Those of no project.
  place('tasks/:id', async () => (await import('./tasks/task-page.js')).TaskPage),
  place('audit', async () => (await import('./audit/audit.js')).Audit),
];
