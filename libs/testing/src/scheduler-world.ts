import type { DeliveryPointer } from '@application/webhooks/delivery-pointer';
import { AttemptScheduler, type AttemptWork } from '@application/webhooks/attempts/attempt-scheduler';
import { Shutdown } from '@application/runtime/shutdown';
import { settle } from './fake-clock.js';

export function pointerTo(deliveryId: string, endpointId = 'we_1', projectId = 'prj'): DeliveryPointer {
  return { eventId: 'evt', deliveryId, projectId, endpointId, appointmentId: 'apt', attempt: 1, dueAt: 0 };
}

/** The attempt scheduler with attempts that end when a test ends them. */
export class SchedulerWorld implements AttemptWork {
  readonly shutdown = new Shutdown();
  readonly scheduler = new AttemptScheduler(this.shutdown);
  /** Ids of the deliveries whose attempts began, in order. */
  readonly begun: string[] = [];
  readonly answer = new Map<string, (well: boolean | null) => void>();
  readonly finish = new Map<string, () => void>();
  /** The due deliveries of the read model. */
  stored: DeliveryPointer[] = [];
  /** The delivery ids of each `readAhead` call. */
  readonly readFor: string[][] = [];
  private readonly over = new Set<string>();

  attempt({ deliveryId }: DeliveryPointer, answered: (well: boolean | null) => void): Promise<void> {
    this.begun.push(deliveryId);
    this.answer.set(deliveryId, answered);
    return new Promise((resolve) => this.finish.set(deliveryId, resolve));
  }

  due(_pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    return Promise.resolve(this.stored.filter(({ deliveryId }) => !this.over.has(deliveryId)).slice(0, limit));
  }

  readAhead(next: readonly DeliveryPointer[]): void {
    this.readFor.push(next.map(({ deliveryId }) => deliveryId));
  }

  admit(deliveryId: string, endpointId?: string, projectId?: string) {
    return this.scheduler.admit(pointerTo(deliveryId, endpointId, projectId), this);
  }

  end(deliveryId: string, well = false): void {
    this.over.add(deliveryId);
    this.answer.get(deliveryId)?.(well);
    this.finish.get(deliveryId)?.();
  }

  async done(deliveryId: string, well = false): Promise<void> {
    this.end(deliveryId, well);
    await settle();
  }

  /** Ends every attempt in order, including those that begin meanwhile. */
  async allDone(well = false): Promise<void> {
    for (let n = 0; n < this.begun.length; n++) await this.done(this.begun[n] ?? '', well);
  }
}
