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
import { streamCategory } from '@ports/stream-category';
import { NO_TRACER, Tracer } from '@ports/tracer.port';
import { tracedBy } from '../runtime/traced.js';
import { StreamCache, type Folded } from './stream-cache.js';
import { recordsSince } from './stream-records.js';

const TRYING_MS = 5_000;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 500;

export interface Ran<State, Event> extends Folded<State> {
  /** Empty when there was nothing to do. */
  readonly events: readonly Event[];
}

/** Gets the time of the decision, so that events appended at the first try have times in the order of the log. */
export type Timed<Command> = (at: number) => Command | readonly Command[];

export interface RunOptions {
  /** Names the append's events: the same decision under the same name is stored once, whichever process appends it. */
  readonly commandId?: string | undefined;
  /** The stream is assumed new, so nothing is read before the append, which detects an existing one. */
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
    private readonly tracer: Tracer = NO_TRACER,
  ) {}

  /**
   * One append: each command sees the decisions before it. `caused` is one envelope for all, or one each; only its first event
   * stores it whole, the others just the correlation id and the span. Rejects with a refusal, or with the store's error after five
   * seconds of retries.
   */
  run<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    commands: C | readonly C[] | Timed<C>,
    caused: Envelope | readonly Envelope[],
    options: RunOptions = {},
  ): Promise<Ran<S, E>> {
    if (!this.tracer.isOn) return this.decideAndAppend(stream, decider, commands, caused, options);
    const above = this.tracer.traceparent;
    return this.tracer.run('command', { stream: streamCategory(stream) }, async (span) => {
      const traced = eachTracedBy(above ?? span.traceparent, caused);
      const ran = await this.decideAndAppend(stream, decider, commands, traced, options);
      span.set({ events: ran.events.length });
      return ran;
    });
  }

  private decideAndAppend<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    commands: C | readonly C[] | Timed<C>,
    caused: Envelope | readonly Envelope[],
    { commandId, isNew = false }: RunOptions,
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

  load<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>): Promise<Folded<S>> {
    return this.cache.load(stream, decider);
  }

  /** Newest first, also commands that a fold has forgotten. Includes the last 200 events: a clock may have been set back. */
  history<E extends DomainEvent>(stream: string, since: number): AsyncGenerator<Recorded<E>> {
    return recordsSince<E>(this.store, stream, since);
  }

  /** A decision on a cached fold holds only if it is appended: a refusal or a no-op must be checked on the newest state. */
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
    return this.appendBatch(stream, batch, before.revision).then(stored, (error: unknown) => {
      const giveUpAt = startedAt + APPEND_TIMES.sentAgainForMs;
      if (!(error instanceof AppendOutcomeUnknown) || this.clock.elapsed() >= giveUpAt) throw error;
      return this.settled(stream, batch, before.revision, giveUpAt).then(stored);
    });
  }

  private appendBatch(stream: string, batch: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    const append = () => this.store.append(stream, batch, expected);
    if (!this.tracer.isOn) return append();
    return this.tracer.run('append', { stream: streamCategory(stream), events: batch.length }, append);
  }

  /** Derived from the decision too: a command decided at another time is another batch, never mistaken for the stored one. */
  private idOf(text: string, stream: string, commandId: string | undefined, index: number): string {
    if (commandId === undefined) return this.ids.uuid();
    return this.ids.uuidOf(commandId, stream, String(index), text);
  }

  /** Resolves an unknown outcome by sending the same batch again, with backoff: a full disk fails at once each time. */
  private async settled(stream: string, batch: readonly NewEvent[], expected: ExpectedRevision, giveUpAt: number) {
    const backoff = new Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS);
    for (;;) {
      await pause(this.clock, backoff.next() * (0.5 + this.ids.chance()));
      try {
        return await this.appendBatch(stream, batch, expected);
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
      all.push({ event, metadata: borne.has(envelope) ? withoutCause(envelope) : envelope });
      borne.add(envelope);
    }
    if (index < commands.length - 1) state = fold(decider, events, state);
  }
  return all;
}

/** That of the events behind the first of an append. */
function withoutCause({ $correlationId, traceparent }: Envelope): Envelope {
  return tracedBy(traceparent, { $correlationId });
}

function eachTracedBy(traceparent: string | undefined, caused: Envelope | readonly Envelope[]): Envelope | readonly Envelope[] {
  return isList(caused) ? caused.map((envelope) => tracedBy(traceparent, envelope)) : tracedBy(traceparent, caused);
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
