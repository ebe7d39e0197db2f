import { Injectable } from '@nestjs/common';
import { bulkVerdict, isLacking, type BulkReplay, type BulkVerdict, type Lacking } from '@domain/delivery/bulk-replay';
import type { EventDeliveries } from '@domain/delivery/event-deliveries';
import { isExpired } from '@domain/event/event-window';
import { correlationOf, type Envelope } from '@domain/kernel/envelope';
import { DomainError } from '@domain/kernel/domain-error';
import { timeOfId } from '@domain/kernel/ids';
import type { Task } from '@domain/task/task';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { DeliveryStreams } from '../delivery-streams.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { NewDeliveries } from '../new-deliveries.js';

/** Why work in bulk makes no fresh delivery. */
export const BULK_SKIPS = ['recovered', 'superseded', 'endpoint_unavailable', 'event_expired', 'limit_exceeded'] as const;
type BulkSkip = (typeof BULK_SKIPS)[number];

export interface BulkTarget {
  readonly projectId: string;
  readonly eventId: string;
  readonly endpointId: string;
}

export interface BulkOutcome {
  /** `created` in a dry run: it would be. */
  readonly kind: 'created' | 'unmatched' | BulkSkip;
  readonly eventId: string;
  readonly endpointId: string;
  /** Null where that was not looked up. */
  readonly event: EventDeliveries['event'];
  /** Names the event and the endpoint within the task. */
  readonly freshId: string;
  /** When the fresh delivery was made; null where none was. */
  readonly madeAt: number | null;
  /** Whether an earlier execution of the same step, or of a step before it, made the fresh delivery. */
  readonly isFoundAgain: boolean;
  /** The original of the fresh delivery, or the event where there is none. */
  readonly sample: string;
  /** The delivery by which the event reaches the endpoint; null where it does not. */
  readonly by: string | null;
}

/** Fresh deliveries of events to endpoints, one at most for each of them by a task. */
@Injectable()
export class BulkReplays {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly endpoints: EndpointDirectory,
    private readonly scheduling: NewDeliveries,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  freshIdOf({ id, createdAt }: Task, { eventId, endpointId }: BulkTarget): string {
    return this.ids.derived('delivery', createdAt, id, eventId, endpointId);
  }

  async replay(task: Task, target: BulkTarget, wanted: Omit<BulkReplay, 'replay'>): Promise<BulkOutcome> {
    const { projectId, eventId, endpointId } = target;
    const freshId = this.freshIdOf(task, target);
    const sample = wanted.deliveryId ?? eventId;
    const none = { eventId, endpointId, event: null, freshId, madeAt: null, isFoundAgain: false, sample, by: null };
    const at = this.clock.now();
    const endpoint = await this.endpoints.find(projectId, endpointId);
    const isUnavailable = !endpoint || endpoint.status === 'disabled';
    if (isUnavailable || isExpired(timeOfId(eventId), at)) {
      const isWanted = await this.isLacking(task, target, wanted.lacking);
      return { ...none, kind: !isWanted ? 'unmatched' : isUnavailable ? 'endpoint_unavailable' : 'event_expired' };
    }
    const command = { ...wanted, replay: this.scheduling.newDelivery(endpoint, freshId, 'bulk_replay', at) };
    const { state, made } = task.dryRun
      ? { state: await this.streams.load(eventId), made: undefined }
      : await this.append(task, eventId, { type: 'ReplayInBulk', at, ...command });
    const { event } = state;
    if (!event) throw notThereYet();
    if (made) return { ...none, kind: 'created', event, sample: made.replayOf ?? eventId, by: freshId, madeAt: made.at };
    return { ...none, event, ...outcomeOf(bulkVerdict(state, command), eventId, freshId) };
  }

  /** Whether the event lacks that at the endpoint, as of its stream, and apart from the task's own fresh delivery. */
  async isLacking(task: Task, target: BulkTarget, lacking: Lacking | null): Promise<boolean> {
    if (lacking === null) return true;
    const { eventId, endpointId } = target;
    const state = await this.streams.load(eventId);
    if (!state.event && !isExpired(timeOfId(eventId), this.clock.now())) throw notThereYet();
    return isLacking(state, { endpointId, deliveryId: this.freshIdOf(task, target) }, lacking);
  }

  /** `made` is undefined where the stream had the fresh delivery, or decided against it. */
  private async append(task: Task, eventId: string, command: { type: 'ReplayInBulk'; at: number } & BulkReplay) {
    const { state, events } = await this.streams.submit(eventId, command, taskEnvelope(task));
    const scheduled = events.filter((event) => event.type === 'DeliveryScheduled');
    return { state, made: scheduled.find(({ deliveryId }) => deliveryId === command.replay.deliveryId) };
  }
}

export function taskEnvelope({ id }: Pick<Task, 'id'>): Envelope {
  return { $correlationId: correlationOf(id), $causationId: id, actor: { type: 'system' } };
}

function outcomeOf(verdict: BulkVerdict, eventId: string, freshId: string): Partial<BulkOutcome> & Pick<BulkOutcome, 'kind'> {
  switch (verdict.kind) {
    case 'replay':
      return { kind: 'created', sample: verdict.original?.id ?? eventId, by: freshId };
    case 'replayed': {
      const { replayOf, createdAt } = verdict.fresh;
      return { kind: 'created', sample: replayOf ?? eventId, by: freshId, madeAt: createdAt, isFoundAgain: true };
    }
    case 'recovered':
      return { kind: 'recovered', by: verdict.by.id };
    case 'superseded':
    case 'unmatched':
    case 'event_expired':
    case 'limit_exceeded':
      return { kind: verdict.kind };
  }
}

/** The fan-out freezes an event within moments, or its stream was dropped and its row follows. */
function notThereYet(): DomainError {
  return new DomainError('service_unavailable', 'The deliveries of an event are being made. Try again.', { retryAfter: 1 });
}
