import type { AppendResult, DeleteResult, Position, RecordedEvent } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';

/** What a server says where it has no position: -1 as an unsigned number. */
const NO_POSITION = 2n ** 64n - 1n;
/** Longer data is recorded by its length alone. */
const MAX_RECORDED_CHARACTERS = 10_000;

/** Puts what a client gets into the form of the recordings. Positions are the only bigints until `numbered`. */
export class Answers {
  private readonly ids = new Map<string, string>();
  private readonly positions = new Map<string, Position>();
  private readonly seen = new Set<bigint>();

  /** The id of the event with this number, the same each time. */
  idOf(number: number): string {
    const name = `e${number}`;
    const id = this.ids.get(name) ?? randomUUID();
    this.ids.set(name, id);
    return id;
  }

  nameOf(id: string): string {
    for (const [name, each] of this.ids) if (each === id) return name;
    return 'other';
  }

  /** The position of an event that was read before. */
  positionOf(name: string): Position {
    return this.positions.get(name)!;
  }

  ofAppend({ success, nextExpectedRevision, position }: AppendResult): object {
    return { success, nextExpectedRevision: String(nextExpectedRevision), ...this.ofPosition(position) };
  }

  ofMetadata({ success, nextExpectedRevision }: AppendResult): object {
    return { success, nextExpectedRevision: String(nextExpectedRevision) };
  }

  ofDeletion({ position }: DeleteResult): object {
    return { hasPosition: position !== undefined };
  }

  ofEvents(events: readonly RecordedEvent[]): readonly object[] {
    return events.map((event) => {
      const id = this.nameOf(event.id);
      if (event.position) this.positions.set(id, event.position);
      const { streamId: stream, type, revision, metadata } = event;
      const told = { ...contentOf(event), ...(metadata === undefined ? {} : { metadata }), ...this.ofPosition(event.position) };
      return { id, stream, type, revision: String(revision), ...told };
    });
  }

  ofFailure(error: unknown): object {
    const { type = 'unknown', ...told } = error as Readonly<Record<string, unknown>>;
    const carried = ['expectedVersion', 'actualVersion'].filter((name) => name in told).map((name) => [name, String(told[name])]);
    const limit = 'maxAppendSize' in told ? { maxAppendSize: told['maxAppendSize'] } : {};
    return { error: type, ...Object.fromEntries(carried), ...limit };
  }

  /** Positions as `p0`, `p1` … in their order. */
  numbered(answers: readonly unknown[]): readonly unknown[] {
    const order = [...this.seen].sort((one, another) => (one < another ? -1 : 1));
    const name = (_: string, value: unknown) => (typeof value === 'bigint' ? `p${order.indexOf(value)}` : value);
    return JSON.parse(JSON.stringify(answers, name)) as readonly unknown[];
  }

  private ofPosition(position?: Position): object {
    if (position === undefined || position.commit === NO_POSITION) return {};
    this.seen.add(position.commit);
    return { position: position.commit, prepareIsCommit: position.commit === position.prepare };
  }
}

function contentOf({ isJson, data }: RecordedEvent): object {
  if (!isJson) return { bytes: data.length };
  const { length } = JSON.stringify(data);
  return { data: length > MAX_RECORDED_CHARACTERS ? `${length} characters` : data };
}
