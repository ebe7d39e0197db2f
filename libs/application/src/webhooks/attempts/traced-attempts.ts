import { Injectable } from '@nestjs/common';
import { Tracer } from '@ports/tracer.port';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { AttemptRunner } from './attempt-runner.js';
import type { AttemptSigns, AttemptWork } from './attempt-work.js';

/**
 * Makes each attempt in a span of its own, whatever started it: it belongs to the span that scheduled the delivery, and has a link to
 * the one that published its pointer. So a wait is between two spans and in none.
 */
@Injectable()
export class TracedAttempts implements AttemptWork {
  constructor(
    private readonly runner: AttemptRunner,
    private readonly tracer: Tracer,
  ) {}

  attempt(pointer: DeliveryPointer, signs: AttemptSigns): Promise<boolean> {
    const { traceparent: parent, publication, projectId, endpointId, eventId, deliveryId, attempt } = pointer;
    const fields = { project_id: projectId, endpoint_id: endpointId, event_id: eventId, delivery_id: deliveryId, attempt };
    const origin = { parent, links: [publication] };
    return this.tracer.run('attempt', fields, (span) => this.runner.attempt(pointer, signs, span), origin);
  }

  due(pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    return this.runner.due(pointer, limit);
  }

  readAhead(next: readonly DeliveryPointer[]): void {
    this.runner.readAhead(next);
  }

  handBack(pointers: readonly DeliveryPointer[]): void {
    this.runner.handBack(pointers);
  }
}
