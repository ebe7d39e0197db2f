import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Endpoint } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { emittedType } from '@domain/appointment/emission';
import { EventStore } from '@ports/event-store.port';
import { recordsOf } from '../../streams/stream-records.js';
import { DeliveryStreams } from '../delivery-streams.js';
import type { DeliveryView } from '../delivery-view.js';
import { EndpointDirectory, endpointsStream } from '../endpoints/endpoint-directory.js';
import { EndpointHistory } from '../fan-out/endpoint-history.js';
import { EventChanges } from '../fan-out/event-changes.js';
import { ExplainEvent, type ExplainedEndpoint } from './explain.queries.js';
import { explanationOf } from './explanation.js';
import type { Facts } from './facts.js';

type Known = Pick<Facts, 'then' | 'now'> & { readonly endpoint: Endpoint };

@QueryHandler(ExplainEvent)
export class ExplainEventHandler implements IQueryHandler<ExplainEvent> {
  constructor(
    private readonly changes: EventChanges,
    private readonly history: EndpointHistory,
    private readonly directory: EndpointDirectory,
    private readonly streams: DeliveryStreams,
    private readonly store: EventStore,
  ) {}

  async execute({ projectId, eventId }: ExplainEvent): Promise<readonly ExplainedEndpoint[]> {
    const { event: change, position } = await this.changes.changeOf(projectId, eventId);
    const event = { id: eventId, type: emittedType(change) ?? '', at: change.at };
    const endpointsAt = await this.history.endpointsOf(projectId, position);
    const known = knownOf(endpointsAt(position).endpoints, (await this.directory.all(projectId)).endpoints);
    const deliveries = await this.deliveriesTo(known, eventId, event.type);
    const gone = known.filter(({ now, endpoint }) => !now && !deliveries.has(endpoint.id)).map(({ endpoint }) => endpoint.id);
    const deletions = await this.deletionsOf(projectId, gone);
    return known.map(({ endpoint, then, now }) => {
      const { ids = [], last = null } = deliveries.get(endpoint.id) ?? {};
      const facts = { event, then, now, deletedAt: deletions.get(endpoint.id) ?? null, last };
      return { endpointId: endpoint.id, filters: endpoint.filters, deliveryIds: ids, ...explanationOf(facts) };
    });
  }

  /** By endpoint; nothing for those without a delivery. */
  private async deliveriesTo(known: readonly Known[], eventId: string, eventType: string) {
    const { deliveries } = await this.streams.load(eventId);
    const idsOf = ({ endpoint }: Known) => deliveries.filter(({ endpointId }) => endpointId === endpoint.id).map(({ id }) => id);
    const all = known.map((each) => ({ endpointId: each.endpoint.id, ids: idsOf(each) })).filter(({ ids }) => ids.length > 0);
    const views = await this.streams.views(
      { eventId, eventType },
      all.flatMap(({ ids }) => ids.slice(-1)),
    );
    const lasts = new Map<string, DeliveryView>(views.map((view) => [view.endpointId, view]));
    return new Map(all.map(({ endpointId, ids }) => [endpointId, { ids, last: lasts.get(endpointId) ?? null }]));
  }

  private async deletionsOf(projectId: string, endpointIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    if (endpointIds.length === 0) return found;
    for await (const { event } of recordsOf<EndpointEvent>(this.store, endpointsStream(projectId), 'desc')) {
      if (event.type !== 'EndpointDeleted' || !endpointIds.includes(event.endpointId)) continue;
      found.set(event.endpointId, event.at);
      if (found.size === endpointIds.length) break;
    }
    return found;
  }
}

/** Each of both times once. An endpoint of the event's moment is shown as it was then. */
function knownOf(then: readonly Endpoint[], now: readonly Endpoint[]): readonly Known[] {
  const present = new Map(now.map((endpoint) => [endpoint.id, endpoint]));
  const old = then.map((endpoint) => ({ endpoint, then: endpoint, now: present.get(endpoint.id) ?? null }));
  const ids = new Set(then.map(({ id }) => id));
  const later = now.filter(({ id }) => !ids.has(id)).map((endpoint) => ({ endpoint, then: null, now: endpoint }));
  return [...old, ...later];
}
