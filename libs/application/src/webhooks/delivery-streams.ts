import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { deliveriesDecider, type DeliveryCommand } from '@domain/delivery/deliveries.decider';
import type { DeliveryEvent, FrozenEvent } from '@domain/delivery/delivery.events';
import { allFinished, type EventDeliveries } from '@domain/delivery/event-deliveries';
import type { Envelope } from '@domain/kernel/envelope';
import { KeyedQueue } from '@kit/keyed-queue';
import { EventStore } from '@ports/event-store.port';
import { NO_TRACER, Tracer } from '@ports/tracer.port';
import type { CommandOrigin } from '../runtime/request-context.js';
import { tracedBy } from '../runtime/traced.js';
import { recordsOf } from '../streams/stream-records.js';
import { StreamRunner, type Ran } from '../streams/stream-runner.js';
import { deliveriesStream } from './deliveries-stream.js';
import { DeliveryCounts } from './delivery-counts.js';
import { DeliveryLogger } from './delivery-logger.js';
import { deliveryIn, type DeliveryView } from './delivery-view.js';

type FreezeEvent = Extract<DeliveryCommand, { type: 'FreezeEvent' }>;

/** Half of EventStoreDB's 1 MiB per append, since events are larger than their commands. */
const MAX_BYTES = 512 * 1024;

/** A claim has less: a URL, a retry schedule and ids. */
const BYTES_OF_A_CLAIM = 4 * 1024;

const FROZEN_CHARACTERS_CACHED = 8_000_000;

/** Few streams are longer: they contain more replays of one event than is reasonable. */
const LOADED_AT_ONCE = 500;

type RanDeliveries = Ran<EventDeliveries, DeliveryEvent>;

export type ClaimDelivery = Extract<DeliveryCommand, { type: 'ClaimDelivery' }>;

/** Makes a claim right before its decision, because its endpoint may change while the claim is queued. */
export type PrepareClaim = () => Promise<ClaimDelivery>;

interface Waiting {
  readonly command: DeliveryCommand | PrepareClaim;
  readonly envelope: Envelope;
  /** Set for a command that may be refused, which is appended alone. */
  readonly commandId: string | null;
  readonly prepare: () => Promise<DeliveryCommand>;
  readonly resolve: (ran: RanDeliveries) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One stream per event. Commands that arrive during an append share the next one: otherwise deliveries to fifty endpoints would
 * conflict. The append runs in the first command's async context, each preparation in its own.
 */
@Injectable()
export class DeliveryStreams {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly appending = new KeyedQueue();
  private readonly bodies = new LRUCache<string, FrozenEvent>({
    maxSize: FROZEN_CHARACTERS_CACHED,
    sizeCalculation: ({ body }) => Math.max(1, body.length),
  });
  private readonly loading = new Map<string, Promise<void>>();

  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly counts: DeliveryCounts,
    private readonly logger: DeliveryLogger,
    private readonly tracer: Tracer = NO_TRACER,
  ) {
    store.onReplaced(() => this.bodies.clear());
  }

  /** Runs a command that is never refused; returns all that was appended with it. Rejects if a claim's preparation does. */
  submit(eventId: string, command: DeliveryCommand | PrepareClaim, envelope: Envelope): Promise<RanDeliveries> {
    return this.enqueue(eventId, { command, envelope, commandId: null });
  }

  /** Runs a command that may be refused, alone. Queued too: otherwise constant attempts would make every append conflict. */
  run(eventId: string, command: DeliveryCommand, { commandId, envelope }: CommandOrigin): Promise<RanDeliveries> {
    return this.enqueue(eventId, { command, envelope, commandId });
  }

  /** Freezes an event with its first deliveries. Idempotent without a command id. */
  async freeze(command: FreezeEvent, envelope: Envelope): Promise<void> {
    const stream = deliveriesStream(command.event.eventId);
    const { events, state } = await this.streams.run(stream, deliveriesDecider, command, envelope, { isNew: true });
    if (events.length > 0 && !allFinished(state)) this.bodies.set(command.event.eventId, command.event);
  }

  /** Reads uncached streams ahead: reads in a batch cost half as much as single ones. */
  readAhead(eventIds: readonly string[]): void {
    for (const eventId of eventIds) {
      const stream = deliveriesStream(eventId);
      // The attempt that needs it reads it again, and fails itself.
      if (!this.streams.cache.get(stream)) this.loadOnce(stream).catch(() => undefined);
    }
  }

  async load(eventId: string): Promise<EventDeliveries> {
    return (await this.streams.load(deliveriesStream(eventId), deliveriesDecider)).state;
  }

  /** Deliveries of an event in the order of `ids`. Reads the stream back to the oldest of them only. */
  async views(about: Pick<FrozenEvent, 'eventId' | 'eventType'>, ids: readonly string[]): Promise<readonly DeliveryView[]> {
    const wanted = new Map(ids.map((id) => [id, [] as DeliveryEvent[]]));
    let missing = wanted.size;
    if (missing === 0) return [];
    for await (const { event } of recordsOf<DeliveryEvent>(this.store, deliveriesStream(about.eventId), 'desc')) {
      const own = 'deliveryId' in event ? wanted.get(event.deliveryId) : undefined;
      own?.push(event);
      if (own && event.type === 'DeliveryScheduled' && --missing === 0) break;
    }
    return ids.flatMap((id) => deliveryIn(about, wanted.get(id)?.toReversed() ?? []) ?? []);
  }

  /** Null when the event is not frozen, or its stream was dropped. */
  async frozen(eventId: string): Promise<FrozenEvent | null> {
    const known = this.bodies.get(eventId);
    if (known) return known;
    const [first] = await this.store.read<DeliveryEvent>(deliveriesStream(eventId), { limit: 1 });
    return first?.event.type === 'EventFrozen' ? first.event : null;
  }

  /** That of the span in which the event's first deliveries were scheduled; undefined where it was not traced. */
  async traceparentOf(eventId: string): Promise<string | undefined> {
    const [first] = await this.store.read(deliveriesStream(eventId), { limit: 1 });
    return first?.metadata?.traceparent;
  }

  /** Whether the event's deliveries have no stream: where there are rows, the stream was dropped. */
  async isGone(eventId: string): Promise<boolean> {
    return (await this.store.read(deliveriesStream(eventId), { limit: 1 })).length === 0;
  }

  async retire(eventId: string): Promise<void> {
    await this.store.retire(deliveriesStream(eventId));
    this.bodies.delete(eventId);
  }

  private loadOnce(stream: string): Promise<void> {
    const underWay = this.loading.get(stream);
    if (underWay) return underWay;
    const first = this.readFirst(stream).finally(() => this.loading.delete(stream));
    this.loading.set(stream, first);
    return first;
  }

  /** Reads deliveries and bytes at once. Only the beginning of a long stream: the runner reads the rest before it decides. */
  private async readFirst(stream: string): Promise<void> {
    const records = await this.store.read<DeliveryEvent>(stream, { limit: LOADED_AT_ONCE });
    this.streams.cache.prime(stream, deliveriesDecider, records);
    const first = records[0]?.event;
    if (first?.type === 'EventFrozen') this.bodies.set(first.eventId, first);
  }

  private enqueue(eventId: string, what: Omit<Waiting, 'prepare' | 'resolve' | 'reject'>): Promise<RanDeliveries> {
    return new Promise((resolve, reject) => {
      // The append may be in the span of another command.
      const envelope = tracedBy(this.tracer.traceparent, what.envelope);
      const entry = { ...what, envelope, prepare: preparationOf(what.command), resolve, reject };
      const queue = this.waiting.get(eventId);
      if (queue) queue.push(entry);
      else this.waiting.set(eventId, [entry]);
      const isAlone = !this.appending.has(eventId);
      const { turn, leave } = this.appending.enter(eventId);
      const run = () => this.runFrom(eventId, entry).finally(leave);
      void (isAlone ? run() : turn.then(run));
    });
  }

  /** Does nothing if this command went with an earlier one. */
  private async runFrom(eventId: string, entry: Waiting): Promise<void> {
    const queue = this.waiting.get(eventId);
    if (queue?.[0] !== entry) return;
    const batch = queue.splice(0, fitting(queue));
    if (queue.length === 0) this.waiting.delete(eventId);
    await this.runAll(eventId, batch).catch((error: unknown) => batch.forEach(({ reject }) => reject(error)));
  }

  private async runAll(eventId: string, batch: readonly Waiting[]): Promise<void> {
    const stream = deliveriesStream(eventId);
    if (!this.streams.cache.get(stream)) await this.loadOnce(stream);
    const ready = (await Promise.all(batch.map(readied))).filter((each) => each !== null);
    if (ready.length === 0) return;
    // A claim's time is that of its decision: queued behind slow appends, it would look as if the clock had been set back.
    const commands = (at: number): readonly DeliveryCommand[] =>
      ready.map(({ command }) => (command.type === 'ClaimDelivery' ? { ...command, at } : command));
    const envelopes = ready.map(({ envelope }) => envelope);
    const commandId = batch[0]?.commandId ?? undefined;
    const ran = await this.streams.run(stream, deliveriesDecider, commands, envelopes, { commandId });
    this.counts.noteStored(ran.events);
    this.logger.noteStored(ran.events, ran.state);
    if (allFinished(ran.state)) this.bodies.delete(eventId);
    ready.forEach(({ resolve }) => resolve(ran));
  }
}

/** By a promise, because it keeps the caller's async context. */
function preparationOf(command: Waiting['command']): Waiting['prepare'] {
  if (typeof command !== 'function') return () => Promise.resolve(command);
  let begin = (): void => undefined;
  const prepared = new Promise<void>((resolve) => (begin = resolve)).then(command);
  return () => {
    begin();
    return prepared;
  };
}

/** Null where a preparation failed, which does not affect the other commands of its append. */
async function readied({ envelope, prepare, resolve, reject }: Waiting) {
  try {
    return { resolve, envelope, command: await prepare() };
  } catch (error) {
    reject(error);
    return null;
  }
}

function fitting(queue: readonly Waiting[]): number {
  const [first] = queue;
  if (!first || queue.length === 1 || first.commandId !== null) return Math.min(queue.length, 1);
  let bytes = 0;
  const over = queue.findIndex(({ command, envelope, commandId }) => {
    bytes += typeof command === 'function' ? BYTES_OF_A_CLAIM : Buffer.byteLength(JSON.stringify(command));
    bytes += Buffer.byteLength(JSON.stringify(envelope));
    return commandId !== null || bytes > MAX_BYTES;
  });
  return over === -1 ? queue.length : Math.max(1, over);
}
