import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { deliveriesDecider, type DeliveryCommand } from '@domain/delivery/deliveries.decider';
import type { DeliveryEvent, FrozenEvent } from '@domain/delivery/delivery.events';
import { allFinished, type EventDeliveries } from '@domain/delivery/event-deliveries';
import type { Envelope } from '@domain/kernel/envelope';
import { KeyedQueue } from '@kit/keyed-queue';
import { EventStore } from '@ports/event-store.port';
import type { CommandOrigin } from '../runtime/request-context.js';
import { recordsOf } from '../streams/stream-records.js';
import { StreamRunner, type Ran } from '../streams/stream-runner.js';
import { DeliveryCounts } from './delivery-counts.js';
import { DeliveryLogger } from './delivery-logger.js';
import { deliveryIn, type DeliveryView } from './delivery-view.js';

type FreezeEvent = Extract<DeliveryCommand, { type: 'FreezeEvent' }>;

/**
 * Most bytes of the commands that share an append, with their envelopes: half of the 1 MiB that EventStoreDB takes, since events
 * say more than their commands.
 */
const MAX_BYTES = 512 * 1024;

/** More than a claim has: an URL, a retry schedule and ids. */
const BYTES_OF_A_CLAIM = 4 * 1024;

const FROZEN_CHARACTERS_CACHED = 8_000_000;

/** Few streams are longer: they hold more replays of one event than anyone has a reason for. */
const LOADED_AT_ONCE = 500;

type RanDeliveries = Ran<EventDeliveries, DeliveryEvent>;

export type ClaimDelivery = Extract<DeliveryCommand, { type: 'ClaimDelivery' }>;

/** Makes a claim right before its decision: its endpoint may change while other commands and reads keep the claim waiting. */
export type PrepareClaim = () => Promise<ClaimDelivery>;

interface Waiting {
  readonly command: DeliveryCommand | PrepareClaim;
  readonly envelope: Envelope;
  /** Set for a command that may be refused, which has an append of its own. */
  readonly commandId: string | null;
  /** Resolves to the command, made ready now. Rejects as its preparation does. */
  readonly prepare: () => Promise<DeliveryCommand>;
  readonly resolve: (ran: RanDeliveries) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The streams of deliveries, one per event. Commands for one event that come while another is being appended share
 * the next append: otherwise the deliveries of an event to fifty endpoints would conflict with each other. It runs in the async
 * context of the first of them, and each preparation in its own.
 */
@Injectable()
export class DeliveryStreams {
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly appending = new KeyedQueue();
  /** Events frozen or read a moment ago, which their attempts mostly still find here. */
  private readonly bodies = new LRUCache<string, FrozenEvent>({
    maxSize: FROZEN_CHARACTERS_CACHED,
    sizeCalculation: ({ body }) => Math.max(1, body.length),
  });
  /** By stream: its first read, while that is under way. */
  private readonly loading = new Map<string, Promise<void>>();

  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly counts: DeliveryCounts,
    private readonly logger: DeliveryLogger,
  ) {
    store.onReplaced(() => this.bodies.clear());
  }

  /**
   * Runs a command that is never refused; returns the state afterwards and all that was appended with it. Rejects with what the
   * preparation of a claim rejects with.
   */
  submit(eventId: string, command: DeliveryCommand | PrepareClaim, envelope: Envelope): Promise<RanDeliveries> {
    return this.enqueue(eventId, { command, envelope, commandId: null });
  }

  /** Runs a command that may be refused, alone. It too waits its turn: otherwise constant attempts would make every append conflict. */
  run(eventId: string, command: DeliveryCommand, { commandId, envelope }: CommandOrigin): Promise<RanDeliveries> {
    return this.enqueue(eventId, { command, envelope, commandId });
  }

  /** Freezes an event with its first deliveries. Changes nothing when it is frozen already, so that it needs no command id. */
  async freeze(command: FreezeEvent, envelope: Envelope): Promise<void> {
    const stream = deliveriesStream(command.event.eventId);
    const { events, state } = await this.streams.run(stream, deliveriesDecider, command, envelope, { isNew: true });
    if (events.length > 0 && !allFinished(state)) this.bodies.set(command.event.eventId, command.event);
  }

  /** Reads the streams of these events that are not cached: many reads in a row cost half of as many single ones. */
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

  /** Some deliveries of an event in the order asked. Reads the stream no further back than to the oldest of them. */
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

  /** The event with its bytes; null when it is not frozen, or its stream was dropped. */
  async frozen(eventId: string): Promise<FrozenEvent | null> {
    const known = this.bodies.get(eventId);
    if (known) return known;
    const [first] = await this.store.read<DeliveryEvent>(deliveriesStream(eventId), { limit: 1 });
    return first?.event.type === 'EventFrozen' ? first.event : null;
  }

  /** Whether the event's deliveries have no stream: where rows show some, it was dropped. */
  async isGone(eventId: string): Promise<boolean> {
    return (await this.store.read(deliveriesStream(eventId), { limit: 1 })).length === 0;
  }

  /** Drops the stream of an event's deliveries, and its bytes. */
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

  /**
   * Reads a stream that is not cached once for both the state of the deliveries and the event's bytes. Of a long stream this
   * is the beginning: the stream runner reads the rest before it decides anything.
   */
  private async readFirst(stream: string): Promise<void> {
    const records = await this.store.read<DeliveryEvent>(stream, { limit: LOADED_AT_ONCE });
    this.streams.cache.prime(stream, deliveriesDecider, records);
    const first = records[0]?.event;
    if (first?.type === 'EventFrozen') this.bodies.set(first.eventId, first);
  }

  private enqueue(eventId: string, what: Omit<Waiting, 'prepare' | 'resolve' | 'reject'>): Promise<RanDeliveries> {
    return new Promise((resolve, reject) => {
      const entry = { ...what, prepare: preparationOf(what.command), resolve, reject };
      const queue = this.waiting.get(eventId);
      if (queue) queue.push(entry);
      else this.waiting.set(eventId, [entry]);
      const isAlone = !this.appending.has(eventId);
      const { turn, leave } = this.appending.enter(eventId);
      const run = () => this.runFrom(eventId, entry).finally(leave);
      void (isAlone ? run() : turn.then(run));
    });
  }

  /** Runs this command and those behind it, unless it went with one before it. */
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
    // A claim counts from its decision: one that waited behind slow appends would seem to show a clock that was set back.
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

/** A function that has the command prepared: by a promise, which keeps the async context of the caller of this one. */
function preparationOf(command: Waiting['command']): Waiting['prepare'] {
  if (typeof command !== 'function') return () => Promise.resolve(command);
  let begin = (): void => undefined;
  const prepared = new Promise<void>((resolve) => (begin = resolve)).then(command);
  return () => {
    begin();
    return prepared;
  };
}

/** A command that is ready to be decided; null where its preparation failed, which costs the others of its append nothing. */
async function readied({ envelope, prepare, resolve, reject }: Waiting) {
  try {
    return { resolve, envelope, command: await prepare() };
  } catch (error) {
    reject(error);
    return null;
  }
}

/** How many commands, from the first on, share an append: one at least. */
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

function deliveriesStream(eventId: string): string {
  return `deliveries-${eventId}`;
}
