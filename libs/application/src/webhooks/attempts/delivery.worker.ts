import { Injectable } from '@nestjs/common';
import { verdictOn } from '@domain/delivery/outcome';
import type { Delivery } from '@domain/delivery/delivery';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { AttemptClaims, type Claimed } from './attempt-claims.js';
import { AttemptSender } from './attempt-sender.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';

/** What an attempt tells while it is made. */
export interface AttemptProgress {
  /** The POST's success, as soon as its status is known and before that is stored; null where nothing is sent, before another pointer to the same attempt is published. */
  readonly answered: (succeeded: boolean | null) => void;
  /** This machine could not make the attempt, for the lack of what `cause` names: it is made again in some seconds. */
  readonly hindered: (cause: string) => void;
  /** The store was unavailable: the attempt begins once it is not. */
  readonly waits: (failure: unknown) => void;
}

/**
 * Makes one attempt: claim, send, record, hand over to the next tier. Each step is durable before the next begins, so
 * that a crash between any two is safe: only one between sending and recording makes a receiver see the same POST twice.
 */
@Injectable()
export class DeliveryWorker {
  constructor(
    private readonly endpoints: EndpointDirectory,
    private readonly claims: AttemptClaims,
    private readonly sender: AttemptSender,
    private readonly topics: DeliveryTopics,
    private readonly counts: DeliveryCounts,
  ) {}

  /** The delivery afterwards; null when there is none, or when the pointer does not agree with the stream of the delivery. */
  async attempt(pointer: DeliveryPointer, { answered, hindered, waits }: AttemptProgress): Promise<Delivery | null> {
    const find = () => this.endpoints.find(pointer.projectId, pointer.endpointId);
    const claim = await this.claims.claim(pointer, find, waits);
    if (!claim) {
      this.counts.unreadable++;
      answered(null);
      return null;
    }
    const { claimed, delivery, endpoint } = claim;
    if (!claimed || !endpoint) {
      answered(null);
      return this.handOver(pointer, delivery);
    }
    const sent = await this.sender.post(pointer, claimed, endpoint, (status) => answered(isTaken({ kind: 'answered', status })));
    if (!sent) return delivery;
    if (sent.kind === 'hindered') {
      hindered(sent.cause);
      return this.postpone(pointer, claimed, answered);
    }
    const succeeded = isTaken(sent);
    answered(succeeded);
    const after = await this.claims.record(pointer, claimed, sent, succeeded ? () => Promise.resolve(endpoint) : find);
    return this.handOver(pointer, after);
  }

  private async postpone(pointer: DeliveryPointer, claimed: Claimed, answered: AttemptProgress['answered']) {
    const after = await this.claims.postpone(pointer, claimed);
    answered(null);
    return this.handOver(pointer, after);
  }

  /** Publishes the next attempt, also for a pointer that a tier let pass before it was due, or that came again after a crash. */
  private async handOver(pointer: DeliveryPointer, delivery: Delivery | null): Promise<Delivery | null> {
    if (!delivery || delivery.dueAt === null) return delivery;
    await this.topics.publish([{ ...pointer, attempt: delivery.attemptCount + 1, dueAt: delivery.dueAt }]);
    return delivery;
  }
}

function isTaken(sent: Parameters<typeof verdictOn>[0]): boolean {
  return verdictOn(sent) === 'success';
}
