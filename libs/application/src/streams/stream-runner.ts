import { Injectable } from '@nestjs/common';
import { fold, type Decider, type DomainEvent } from '@domain/kernel/decider';
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
import { FoldCache, type Folded } from './fold-cache.js';
import { recordsSince } from './stream-walk.js';

/** How long a command is tried again against other writers and an unanswering store. */
const TRYING_MS = 5_000;
const LONGEST_PAUSE_MS = 500;
const READ_CHUNK = 1_000;

export interface Ran<State, Event> extends Folded<State> {
  /** What this command appended; empty when there was nothing to do. */
  readonly events: readonly Event[];
}

/** A command of the moment at which it is decided. Whoever appends at once tells times in the order of the log. */
export type Timed<Command> = (at: number) => Command;

/** The only load-fold-decide-append loop. */
@Injectable()
export class StreamRunner {
  /** Streams that are being read from their beginning. */
  private readonly meeting = new Map<string, Promise<unknown>>();

  constructor(
    private readonly store: EventStore,
    private readonly cache: FoldCache,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * Runs commands against a stream as one append: each sees what the ones before it decided. `commandId` names the
   * append's events, so that the same decision is stored once, whoever takes it. Rejects with what the decider throws.
   */
  run<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    commands: C | readonly C[] | Timed<C>,
    commandId?: string,
  ): Promise<Ran<S, E>> {
    const list = (): readonly C[] => listOf(commands, this.clock);
    const cached = this.cache.get<S>(stream);
    const decided = cached ? decideOrNothing(decider, list(), cached.state) : NOTHING;
    if (!cached || decided.length === 0) return this.runLoaded(stream, decider, list, commandId);
    return this.append(stream, decider, cached, decided, commandId).catch((error: unknown) => {
      if (!(error instanceof StreamMovedOn)) throw error;
      return this.runLoaded(stream, decider, list, commandId);
    });
  }

  /** The stream's state now. */
  async load<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>): Promise<Folded<S>> {
    // Many who ask for a long stream that nobody knows yet would all read and fold it.
    while (this.meeting.has(stream)) await this.meeting.get(stream);
    const cached = this.cache.get<S>(stream);
    if (cached) return this.loadOn(stream, decider, cached);
    const met = this.loadOn(stream, decider, { state: decider.initial, revision: 'none' });
    const meeting = met.then(done, done).then(() => this.meeting.delete(stream));
    this.meeting.set(stream, meeting);
    return met;
  }

  /** The latest event of this kind that happened since: a fold remembers its latest commands only. */
  async latest<E extends DomainEvent>(stream: string, since: number, isIt: (event: E) => boolean): Promise<E | null> {
    for await (const { event } of recordsSince<E>(this.store, stream, since)) if (isIt(event)) return event;
    return null;
  }

  /** The state as last seen here, maybe stale. */
  known<S>(stream: string): Folded<S> | undefined {
    return this.cache.get<S>(stream);
  }

  /** Takes over what somebody has read of a stream up to its end, `from` what it was before: its beginning, unless said. */
  learn<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    records: readonly Recorded<E>[],
    from: S = decider.initial,
  ): void {
    const last = records.at(-1);
    if (!last) return;
    const events = records.map(({ event }) => event);
    this.cache.put(stream, { state: fold(decider, events, from), revision: last.revision });
  }

  /** Nothing is looked up for a stream whose name was made just now. Should it exist after all, its first append finds out. */
  presumeNew<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>): void {
    this.cache.put(stream, { state: decider.initial, revision: 'none' });
  }

  /** Hardly anybody will ask for this stream again: others have its place in memory. */
  forget(stream: string): void {
    this.cache.forget(stream);
  }

  /**
   * The state as last seen here, maybe stale; loaded when it was never seen. That a stream has no event is remembered too,
   * so that whoever begins it need not look twice.
   */
  async seen<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>): Promise<Folded<S>> {
    const cached = this.cache.get<S>(stream);
    if (cached) return cached;
    const loaded = await this.load(stream, decider);
    if (loaded.revision === 'none') this.cache.put(stream, loaded);
    return loaded;
  }

  /**
   * On the newest state: a decision on a cached fold stands only if it led to an append, while a refusal or
   * nothing-to-do must be true now.
   */
  private async runLoaded<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    commands: () => readonly C[],
    commandId: string | undefined,
  ): Promise<Ran<S, E>> {
    const giveUpAt = this.clock.elapsed() + TRYING_MS;
    for (let lost = 0; ; lost++) {
      const before = await this.load(stream, decider);
      const decided = decideAll(decider, commands(), before.state);
      if (decided.length === 0) return { ...before, events: [] };
      try {
        return await this.append(stream, decider, before, decided, commandId);
      } catch (error) {
        if (!(error instanceof StreamMovedOn) || this.clock.elapsed() >= giveUpAt) throw error;
        if (lost > 0) await pause(this.clock, 1 + this.ids.chance() * 20);
      }
    }
  }

  private async loadOn<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    before: Folded<S>,
  ): Promise<Folded<S>> {
    let folded = before;
    for (;;) {
      const next = await this.loadPart(stream, decider, folded);
      ({ folded } = next);
      if (next.read < READ_CHUNK) return folded;
    }
  }

  /** In a frame of its own: what waits for its next part must not keep the last one in memory. */
  private async loadPart<S, C, E extends DomainEvent>(stream: string, decider: Decider<S, C, E>, before: Folded<S>) {
    const from = before.revision === 'none' ? 0 : before.revision + 1;
    const records = await this.store.read<E>(stream, { from, limit: READ_CHUNK });
    const last = records.at(-1);
    if (!last) return { folded: before, read: 0 };
    const events = records.map(({ event }) => event);
    const folded = { state: fold(decider, events, before.state), revision: last.revision };
    this.cache.put(stream, folded);
    return { folded, read: records.length };
  }

  private append<S, C, E extends DomainEvent>(
    stream: string,
    decider: Decider<S, C, E>,
    before: Folded<S>,
    decided: readonly E[],
    commandId: string | undefined,
  ): Promise<Ran<S, E>> {
    const batch = decided.map((event, index) => {
      const text = JSON.stringify(event);
      return { id: this.idOf(text, stream, commandId, index), event, text };
    });
    const characters = batch.reduce((sum, { text }) => sum + text.length, 0);
    const stored = ({ revision }: Appended) => {
      const state = fold(decider, decided, before.state);
      if (decider.isOver?.(state)) this.cache.forget(stream);
      else this.cache.put(stream, { state, revision }, characters);
      return { state, revision, events: decided };
    };
    return this.store.append(stream, batch, before.revision).then(stored, (error: unknown) => {
      if (!(error instanceof AppendOutcomeUnknown)) throw error;
      return this.settled(stream, batch, before.revision).then(stored);
    });
  }

  /** Of the decision too: one taken at another time is another batch, and never passes for the one that is stored. */
  private idOf(text: string, stream: string, commandId: string | undefined, index: number): string {
    if (commandId === undefined) return this.ids.uuid();
    return this.ids.uuidOf(commandId, stream, String(index), text);
  }

  /** An unknown outcome is resolved by sending the very same batch again, ever more seldom: a full disk answers at once. */
  private async settled(stream: string, batch: readonly NewEvent[], expected: ExpectedRevision) {
    const giveUpAt = this.clock.elapsed() + TRYING_MS;
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await pause(this.clock, pauseMs * (0.5 + this.ids.chance()));
      try {
        return await this.store.append(stream, batch, expected);
      } catch (error) {
        if (!(error instanceof AppendOutcomeUnknown) || this.clock.elapsed() >= giveUpAt) throw error;
      }
    }
  }
}

const NOTHING: readonly never[] = [];
const done = (): void => undefined;

function listOf<C>(commands: C | readonly C[] | Timed<C>, clock: Clock): readonly C[] {
  if (typeof commands === 'function') return [(commands as Timed<C>)(clock.now())];
  return Array.isArray(commands) ? (commands as readonly C[]) : [commands as C];
}

function decideAll<S, C, E extends DomainEvent>(decider: Decider<S, C, E>, commands: readonly C[], initial: S): readonly E[] {
  const [only] = commands;
  if (only !== undefined && commands.length === 1) return decider.decide(only, initial);
  let state = initial;
  const all: E[] = [];
  for (const command of commands) {
    const events = decider.decide(command, state);
    all.push(...events);
    state = fold(decider, events, state);
  }
  return all;
}

function decideOrNothing<S, C, E extends DomainEvent>(decider: Decider<S, C, E>, commands: readonly C[], state: S): readonly E[] {
  try {
    return decideAll(decider, commands, state);
  } catch {
    return NOTHING;
  }
}
