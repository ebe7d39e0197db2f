import { Injectable } from '@nestjs/common';
import { fold, type Decider, type DomainEvent } from '@domain/kernel/decider';
import type { Envelope } from '@domain/kernel/envelope';
import { Backoff } from '@kit/time';
import { APPEND_TIMES } from '@ports/append-times';
import { Clock, pause } from '@ports/clock.port';
import {
  AppendOutcomeUnknown,
  type Appended,
  EventStore,
  StreamMovedOn,
  type ExpectedRevision,
  type NewEvent,
  type Recorded,
} from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { StreamCache, type Folded } from './stream-cache.js';
import { recordsSince } from './stream-records.js';

/** How long a command is retried against other writers, from its start on. */
const TRYING_MS = 5_000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 500;

export interface Ran<State, Event> extends Folded<State> {
  /** What this run appended; empty when there was nothing to do. */
  readonly events: readonly Event[];
}

/** Commands that need the time of their decision: events appended without another try bear times in the order of the log. */
export type Timed<Command> = (at: number) => Command | readonly Command[];

export interface RunOptions {
  /** Names the events of the append: the same decision under the same name is stored once, whoever takes it. */
  readonly commandId?: string | undefined;
  /** The stream's name was made for this command, so nothing is read before the append. Should the stream exist, the append finds out. */
  readonly isNew?: boolean | undefined;
}

/** The only loop that loads, folds, decides and appends. */
@Injectable()
export class StreamRunner {
  constructor(
    private readonly store: EventStore,
    /** For callers that may act on a stale fold, or have read a stream themselves. */
    readonly cache: StreamCache,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * Runs commands on a stream as one append: each sees what the ones before it decided. `caused` is the envelope of them all, or
   * one for each. The first event of an envelope bears it whole, the others its correlation id: within a stream their order tells
   * the rest. Rejects with what the decider throws, and with the store's error once it was retried for five seconds from the start.
   */
  run<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    commands: C | readonly C[] | Timed<C>,
    caused: Envelope | readonly Envelope[],
    { commandId, isNew = false }: RunOptions = {},
  ): Promise<Ran<S, E>> {
    const startedAt = this.clock.elapsed();
    const list = (): readonly C[] => listOf(commands, this.clock);
    const before = this.cache.get<S>(stream) ?? (isNew ? { state: decider.initial, revision: 'none' as const } : null);
    const decided = before ? decideOrNothing(decider, list(), caused, before.state) : NOTHING;
    if (!before || decided.length === 0) return this.runLoaded(stream, decider, list, caused, commandId, startedAt);
    return this.append(stream, decider, before, decided, commandId, startedAt).catch((error: unknown) => {
      if (!(error instanceof StreamMovedOn)) throw error;
      return this.runLoaded(stream, decider, list, caused, commandId, startedAt);
    });
  }

  /** The stream's state now. */
  load<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>): Promise<Folded<S>> {
    return this.cache.load(stream, decider);
  }

  /**
   * What happened in the stream since a moment (epoch milliseconds), newest first. A fold remembers only its latest commands;
   * this finds the earlier ones. The last 200 events are included whatever their times, as a clock may have been set back.
   */
  history<E extends DomainEvent>(stream: string, since: number): AsyncGenerator<Recorded<E>> {
    return recordsSince<E>(this.store, stream, since);
  }

  /** Decides on the newest state. A decision on a cached fold holds only if it is appended: a refusal or a no-op must be true now. */
  private async runLoaded<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    commands: () => readonly C[],
    caused: Envelope | readonly Envelope[],
    commandId: string | undefined,
    startedAt: number,
  ): Promise<Ran<S, E>> {
    const giveUpAt = startedAt + TRYING_MS;
    for (let lost = 0; ; lost++) {
      const before = await this.load(stream, decider);
      const decided = decideAll(decider, commands(), caused, before.state);
      if (decided.length === 0) return { ...before, events: [] };
      try {
        return await this.append(stream, decider, before, decided, commandId, startedAt);
      } catch (error) {
        if (!(error instanceof StreamMovedOn) || this.clock.elapsed() >= giveUpAt) throw error;
        if (lost > 0) await pause(this.clock, 1 + this.ids.chance() * 20);
      }
    }
  }

  private append<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    before: Folded<S>,
    decided: readonly Decided<E>[],
    commandId: string | undefined,
    startedAt: number,
  ): Promise<Ran<S, E>> {
    const events = decided.map(({ event }) => event);
    const batch = decided.map(({ event, metadata }, index) => {
      const text = JSON.stringify(event);
      return { id: this.idOf(text, stream, commandId, index), event, text, metadata };
    });
    const characters = batch.reduce((sum, { text }) => sum + text.length, 0);
    const stored = ({ revision }: Appended) => {
      const state = fold(decider, events, before.state);
      if (decider.isOver?.(state)) this.cache.forget(stream);
      else this.cache.put(stream, { state, revision }, characters);
      return { state, revision, events };
    };
    return this.store.append(stream, batch, before.revision).then(stored, (error: unknown) => {
      const giveUpAt = startedAt + APPEND_TIMES.sentAgainForMs;
      if (!(error instanceof AppendOutcomeUnknown) || this.clock.elapsed() >= giveUpAt) throw error;
      return this.settled(stream, batch, before.revision, giveUpAt).then(stored);
    });
  }

  /** The id covers the decision itself: the same command decided at another time is another batch, never mistaken for the stored one. */
  private idOf(text: string, stream: string, commandId: string | undefined, index: number): string {
    if (commandId === undefined) return this.ids.uuid();
    return this.ids.uuidOf(commandId, stream, String(index), text);
  }

  /** Resolves an unknown outcome by sending the same batch again, with growing pauses: a full disk fails at once each time. */
  private async settled(stream: string, batch: readonly NewEvent[], expected: ExpectedRevision, giveUpAt: number) {
    const backoff = new Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS);
    for (;;) {
      await pause(this.clock, backoff.next() * (0.5 + this.ids.chance()));
      try {
        return await this.store.append(stream, batch, expected);
      } catch (error) {
        if (!(error instanceof AppendOutcomeUnknown) || this.clock.elapsed() >= giveUpAt) throw error;
      }
    }
  }
}

const NOTHING: readonly never[] = [];

function listOf<C>(commands: C | readonly C[] | Timed<C>, clock: Clock): readonly C[] {
  const list = typeof commands === 'function' ? (commands as Timed<C>)(clock.now()) : commands;
  return Array.isArray(list) ? (list as readonly C[]) : [list as C];
}

/** An event to be appended. */
interface Decided<E> {
  readonly event: E;
  readonly metadata: Envelope;
}

function decideAll<S, C, E extends DomainEvent>(
  decider: Decider<S, C, E>,
  commands: readonly C[],
  caused: Envelope | readonly Envelope[],
  initial: S,
): readonly Decided<E>[] {
  let state = initial;
  const all: Decided<E>[] = [];
  const borne = new Set<Envelope>();
  for (const [index, command] of commands.entries()) {
    const envelope = envelopeAt(caused, index);
    const events = decider.decide(command, state);
    for (const event of events) {
      all.push({ event, metadata: borne.has(envelope) ? { $correlationId: envelope.$correlationId } : envelope });
      borne.add(envelope);
    }
    if (index < commands.length - 1) state = fold(decider, events, state);
  }
  return all;
}

function envelopeAt(caused: Envelope | readonly Envelope[], index: number): Envelope {
  if (!isList(caused)) return caused;
  const envelope = caused[index];
  if (!envelope) throw new RangeError('a command has no envelope');
  return envelope;
}

function isList(caused: Envelope | readonly Envelope[]): caused is readonly Envelope[] {
  return Array.isArray(caused);
}

function decideOrNothing<S, C, E extends DomainEvent>(
  decider: Decider<S, C, E>,
  commands: readonly C[],
  caused: Envelope | readonly Envelope[],
  state: S,
): readonly Decided<E>[] {
  try {
    return decideAll(decider, commands, caused, state);
  } catch {
    return NOTHING;
  }
}
