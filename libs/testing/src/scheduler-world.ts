import type { DeliveryPointer } from '@application/webhooks/delivery-pointer';
import { AttemptScheduler, type AttemptWork } from '@application/webhooks/attempts/attempt-scheduler';
import { Shutdown } from '@application/runtime/shutdown';
import { settle } from './fake-clock.js';

export function pointerTo(deliveryId: string, endpointId = 'we_1', projectId = 'prj'): DeliveryPointer {
  return { eventId: 'evt', deliveryId, projectId, endpointId, appointmentId: 'apt', attempt: 1, dueAt: 0 };
}

/** The scheduler of attempts over attempts that are answered and stored when a test says so. */
export class SchedulerWorld implements AttemptWork {
  readonly shutdown = new Shutdown();
  readonly scheduler = new AttemptScheduler(this.shutdown);
  /** The deliveries of the attempts that began, in order. */
  readonly begun: string[] = [];
  readonly answer = new Map<string, (well: boolean | null) => void>();
  readonly finish = new Map<string, () => void>();
  /** What is due by the stored rows. */
  stored: DeliveryPointer[] = [];
  /** The deliveries that were read for before their attempts began, each time. */
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

  /** Ends whatever begins, until nothing does. */
  async allDone(well = false): Promise<void> {
    for (let n = 0; n < this.begun.length; n++) await this.done(this.begun[n] ?? '', well);
  }
}
