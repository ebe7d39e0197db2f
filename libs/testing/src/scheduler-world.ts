import type { DeliveryPointer } from '@application/webhooks/delivery-pointer';
import { AttemptScheduler } from '@application/webhooks/attempts/attempt-scheduler';
import type { AttemptSigns, AttemptWork } from '@application/webhooks/attempts/attempt-work';
import { Shutdown } from '@application/runtime/shutdown';
import { FakeClock, settle } from './fake-clock.js';
import { FakeEngine, type Processes } from './fake-engine.js';

export function pointerTo(deliveryId: string, endpointId = 'we_1', projectId = 'prj'): DeliveryPointer {
  return { eventId: 'evt', deliveryId, projectId, endpointId, appointmentId: 'apt', attempt: 1, dueAt: 0 };
}

/** The attempt scheduler with attempts that end when a test ends them. */
export class SchedulerWorld implements AttemptWork {
  readonly shutdown = new Shutdown();
  readonly clock = new FakeClock();
  readonly scheduler: AttemptScheduler;
  /** Of every endpoint: how many attempts a second its owner allows. */
  rate: number | null = null;
  assignment = { since: -Infinity, isRevoked: false };
  /** What was handed back to be attempted by another process: ids, with a word about a later attempt and about more that is due. */
  readonly handedBack: string[] = [];
  /** Ids of the deliveries whose attempts began, in order. */
  readonly begun: string[] = [];
  readonly answer = new Map<string, (well: boolean | null) => void>();
  readonly finish = new Map<string, (isMade: boolean) => void>();
  /** The due deliveries of the read model. */
  stored: DeliveryPointer[] = [];
  /** The delivery ids of each `readAhead` call. */
  readonly readFor: string[][] = [];
  private readonly over = new Set<string>();

  /** `processes`: how many the engine admits. */
  constructor(processes: Processes = 'several') {
    this.scheduler = new AttemptScheduler(this.shutdown, this.clock, new FakeEngine(processes));
  }

  attempt({ deliveryId }: DeliveryPointer, { found, sends, answered }: AttemptSigns): Promise<boolean> {
    this.begun.push(deliveryId);
    this.answer.set(deliveryId, answered);
    found(this.rate);
    sends();
    return new Promise((resolve) => this.finish.set(deliveryId, resolve));
  }

  handBack(pointers: readonly DeliveryPointer[]): void {
    this.handedBack.push(...pointers.map(wordsOf));
  }

  due(_pointer: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    return Promise.resolve(this.stored.filter(({ deliveryId }) => !this.over.has(deliveryId)).slice(0, limit));
  }

  readAhead(next: readonly DeliveryPointer[]): void {
    this.readFor.push(next.map(({ deliveryId }) => deliveryId));
  }

  admit(deliveryId: string, endpointId?: string, projectId?: string) {
    return this.take(pointerTo(deliveryId, endpointId, projectId));
  }

  take(pointer: DeliveryPointer) {
    return this.scheduler.admit(pointer, this, this.assignment);
  }

  end(deliveryId: string, well = false): void {
    this.over.add(deliveryId);
    this.answer.get(deliveryId)?.(well);
    this.finish.get(deliveryId)?.(true);
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

function wordsOf({ deliveryId, attempt, more = false }: DeliveryPointer): string {
  return `${deliveryId}${attempt > 1 ? ' again' : ''}${more ? ' and more' : ''}`;
}
