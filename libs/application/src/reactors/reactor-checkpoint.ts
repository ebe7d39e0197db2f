import type { DomainEvent } from '@domain/kernel/decider';
import type { Clock } from '@ports/clock.port';
import { START, type EventStore, type ExpectedRevision, type Position } from '@ports/event-store.port';
import type { Ids } from '@ports/ids.port';
import { timerRound } from '../runtime/timer-round.js';

export interface CheckpointPorts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface ReactorMoved extends DomainEvent {
  readonly type: 'ReactorMoved';
  readonly position: Position;
}

/** A stream, so that losing read models repeats no old events. The expected revision excludes a second process. */
export class ReactorCheckpoint {
  private constructor(
    private readonly stream: string,
    private readonly ports: CheckpointPorts,
    private revision: ExpectedRevision,
    private saved: Position,
    private own: Position,
  ) {}

  static async load(reactor: string, ports: CheckpointPorts): Promise<ReactorCheckpoint> {
    const stream = `reactor-${reactor}`;
    const [last] = await ports.store.read<ReactorMoved>(stream, { direction: 'backwards', limit: 1 });
    if (!last) return new ReactorCheckpoint(stream, ports, 'none', START, START);
    return new ReactorCheckpoint(stream, ports, last.revision, last.event.position, last.position);
  }

  get position(): Position {
    return this.saved;
  }

  /** Whether the log grew by more than this checkpoint's own last event. */
  isWorthSaving(position: Position): boolean {
    return position > this.saved && position > this.own;
  }

  /** Rejects when another process moved the reactor, or the store does not answer: load again then. */
  async save(position: Position): Promise<void> {
    const { store, clock, ids } = this.ports;
    const event: ReactorMoved = { type: 'ReactorMoved', at: clock.now(), position };
    const appended = await store.append(
      this.stream,
      [{ id: ids.uuid(), event, metadata: timerRound(ids, 'checkpoint') }],
      this.revision,
    );
    this.revision = appended.revision;
    this.own = appended.position;
    this.saved = position;
  }
}
