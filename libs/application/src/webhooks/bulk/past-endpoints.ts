import { Injectable } from '@nestjs/common';
import { fold } from '@domain/kernel/decider';
import type { Endpoints } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { endpointsDecider } from '@domain/endpoint/endpoints.decider';
import { EventStore, type Position } from '@ports/event-store.port';
import { recordsOf } from '../../streams/stream-records.js';
import { endpointsStream } from '../endpoints/endpoint-directory.js';

/** A project's endpoints as they were. */
@Injectable()
export class PastEndpoints {
  constructor(private readonly store: EventStore) {}

  /** At that time (epoch milliseconds): those deleted by then as they were last, later ones as they were at first. */
  async at(projectId: string, at: number): Promise<Endpoints> {
    const events: EndpointEvent[] = [];
    for await (const { event } of recordsOf<EndpointEvent>(this.store, endpointsStream(projectId), 'asc')) {
      const isKnown = event.at <= at && event.type !== 'EndpointDeleted';
      if (isKnown || event.type === 'EndpointRegistered') events.push(event);
    }
    return fold(endpointsDecider, events);
  }

  /** Null for an endpoint that the project never had. */
  async registrationOf(projectId: string, endpointId: string): Promise<Position | null> {
    for await (const { event, position } of recordsOf<EndpointEvent>(this.store, endpointsStream(projectId), 'asc'))
      if (event.type === 'EndpointRegistered' && event.endpointId === endpointId) return position;
    return null;
  }
}
