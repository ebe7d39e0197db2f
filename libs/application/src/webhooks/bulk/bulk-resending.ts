import { Injectable } from '@nestjs/common';
import { isMatch, type BulkReplay, type DeliveryMatch } from '@domain/delivery/bulk-replay';
import { deliveryOf } from '@domain/delivery/event-deliveries';
import type { Endpoints } from '@domain/endpoint/endpoint';
import { Clock } from '@ports/clock.port';
import type { RunningTask } from '../../tasks/task-kind.js';
import { DeliveryStreams } from '../delivery-streams.js';
import type { BulkResult } from './bulk-progress.js';
import { BulkReplays, taskEnvelope, type BulkOutcome, type BulkTarget } from './bulk-replays.js';
import { LatestEvents } from './latest-events.js';

/** A delivery by its row, or an event and an endpoint. The event's stream decides. */
export interface BulkCandidate {
  /** Null for an event. */
  readonly deliveryId: string | null;
  readonly eventId: string;
  readonly endpointId: string;
  readonly appointmentId: string;
}

/** What a task is about. */
export type BulkTerms = Pick<BulkReplay, 'match' | 'skipRecovered' | 'lacking'>;

/** What becomes of a delivery, or an event, that a task comes to. */
@Injectable()
export class BulkResending {
  constructor(
    private readonly replays: BulkReplays,
    private readonly latest: LatestEvents,
    private readonly streams: DeliveryStreams,
    private readonly clock: Clock,
  ) {}

  /** Sends its event again. */
  async each(task: RunningTask, terms: BulkTerms, { deliveryId, eventId, endpointId }: BulkCandidate): Promise<BulkResult> {
    const target = { projectId: task.projectId ?? '', eventId, endpointId };
    return resultOf(await this.replays.replay(task, target, { ...terms, deliveryId }));
  }

  /** Sends the newest event of its appointment that the endpoint wants; a delivery gives way to that. */
  async newest(task: RunningTask, terms: BulkTerms, endpoints: Endpoints, about: BulkCandidate): Promise<BulkResult> {
    const { deliveryId, eventId, endpointId, appointmentId } = about;
    const projectId = task.projectId ?? '';
    const found = await this.latest.newestBeside({ projectId, eventId, appointmentId, endpointId }, endpoints);
    const target = { projectId, eventId: found?.eventId ?? eventId, endpointId };
    if (!(await this.isAbout(task, terms, about, target))) return { kind: null, fresh: null };
    if (!found) return { kind: 'superseded', fresh: null };
    const wanted = { match: terms.match, deliveryId: null, skipRecovered: true, lacking: null };
    const fresh = await this.replays.replay(task, target, wanted);
    if (found.eventId === eventId || fresh.by === null) return resultOf(fresh);
    if (deliveryId !== null && found.isLater && !task.dryRun) {
      await this.giveWay(task, eventId, { deliveryId, match: terms.match, by: fresh.by });
    }
    return { kind: 'superseded', fresh };
  }

  private async isAbout(
    task: RunningTask,
    { match, lacking }: BulkTerms,
    { deliveryId, eventId, endpointId }: BulkCandidate,
    target: BulkTarget,
  ): Promise<boolean> {
    if (deliveryId === null) return this.replays.isLacking(task, { ...target, eventId, endpointId }, lacking);
    const delivery = deliveryOf(await this.streams.load(eventId), deliveryId);
    const hasGivenWay = delivery?.supersededBy === this.replays.freshIdOf(task, target);
    return delivery !== undefined && (isMatch(match, delivery) || hasGivenWay);
  }

  private async giveWay(
    task: RunningTask,
    eventId: string,
    way: { readonly deliveryId: string; readonly match: DeliveryMatch; readonly by: string },
  ): Promise<void> {
    const command = { type: 'SupersedeDelivery', at: this.clock.now(), ...way } as const;
    await this.streams.submit(eventId, command, taskEnvelope(task));
  }
}

function resultOf(fresh: BulkOutcome): BulkResult {
  return { kind: fresh.kind === 'unmatched' ? null : fresh.kind, fresh };
}
