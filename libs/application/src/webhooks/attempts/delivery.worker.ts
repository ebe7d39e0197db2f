import { Injectable } from '@nestjs/common';
import { verdictOn } from '@domain/delivery/outcome';
import type { Delivery } from '@domain/delivery/delivery';
import type { Endpoint } from '@domain/endpoint/endpoint';
import type { Span } from '@ports/tracer.port';
import type { SendResult } from '@ports/webhook-sender.port';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';
import { AttemptClaims, type Claimed } from './attempt-claims.js';
import type { AttemptSigns } from './attempt-work.js';
import { AttemptSender } from './attempt-sender.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';

export interface AttemptProgress extends Pick<AttemptSigns, 'found' | 'sends'> {
  /** Called with success or failure before the outcome is stored; with null if nothing was sent. */
  readonly answered: (succeeded: boolean | null) => void;
  /** This machine could not make the attempt (`cause` is a code such as `EMFILE`); it is retried in some seconds. */
  readonly hindered: (cause: string) => void;
  /** The store was unavailable: the attempt begins once it is back. */
  readonly waits: (failure: unknown) => void;
  readonly span: Span;
}

/**
 * Claims, sends, records, publishes the next attempt: each write is durable before the next step. Only a crash between sending and
 * recording repeats a POST.
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

  /** The delivery after the attempt; null if there is none, or the pointer does not match it. */
  async attempt(pointer: DeliveryPointer, progress: AttemptProgress): Promise<Delivery | null> {
    const { answered, hindered, waits, span, sends } = progress;
    const find = () => this.endpoints.find(pointer.projectId, pointer.endpointId);
    const claim = await this.claims.claim(pointer, () => find().then(noted(progress)), waits);
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
    const headCame = (status: number) => answered(isSuccess({ kind: 'answered', status }));
    const sent = await this.sender.post(pointer, claimed, endpoint, { sends, headCame, span });
    if (!sent) return delivery;
    noteOutcome(span, claimed, sent);
    if (sent.kind === 'hindered') {
      hindered(sent.cause);
      return this.postpone(pointer, claimed, answered);
    }
    const succeeded = isSuccess(sent);
    answered(succeeded);
    // A retry waits if the endpoint was paused meanwhile, by whichever process.
    const newest = () => this.endpoints.newest(pointer.projectId, pointer.endpointId);
    const after = await this.claims.record(pointer, claimed, sent, succeeded ? () => Promise.resolve(endpoint) : newest);
    return this.handOver(pointer, after);
  }

  private async postpone(pointer: DeliveryPointer, claimed: Claimed, answered: AttemptProgress['answered']) {
    const after = await this.claims.postpone(pointer, claimed);
    answered(null);
    return this.handOver(pointer, after);
  }

  /** Publishes the next attempt, also if the pointer came before it was due, or again after a crash. */
  private async handOver(pointer: DeliveryPointer, delivery: Delivery | null): Promise<Delivery | null> {
    if (!delivery || delivery.dueAt === null) return delivery;
    await this.topics.publish([{ ...pointer, attempt: delivery.attemptCount + 1, dueAt: delivery.dueAt }]);
    return delivery;
  }
}

function noted({ found }: AttemptProgress) {
  return (endpoint: Endpoint | null): Endpoint | null => {
    if (endpoint) found(endpoint.rateLimitPerSecond);
    return endpoint;
  };
}

function noteOutcome(span: Span, { attempt }: Claimed, sent: SendResult): void {
  const verdict = sent.kind === 'hindered' ? 'postponed' : verdictOn(sent);
  if (sent.kind === 'answered') span.set({ attempt, verdict, 'http.response.status_code': sent.status });
  else span.set({ attempt, verdict });
  if (verdict === 'success') return;
  if (sent.kind === 'unreached') span.fail(sent.error);
  else span.fail(sent.kind === 'hindered' ? sent.cause : `status_${sent.status}`);
}

function isSuccess(sent: Parameters<typeof verdictOn>[0]): boolean {
  return verdictOn(sent) === 'success';
}
