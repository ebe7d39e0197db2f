import { randomUUID } from 'node:crypto';
import type { Position } from '../event-store.port.js';
import type { CollectionSchema, SourceLog, StoredRow } from '../read-models.port.js';

/** A new name, so that tests may share a store. */
export function collection(): CollectionSchema {
  const name = `notes-${randomUUID().slice(0, 8)}`;
  const filterFields = ['status', 'customerId', 'phone', 'startsAt', 'open'];
  return { name, version: 1, filterFields, dueFields: ['dueAt'] };
}

/** As `collection`, with a shared collection that has other fields. */
export function collectionWithShared(): CollectionSchema & Required<Pick<CollectionSchema, 'shared'>> {
  const schema = collection();
  return { ...schema, shared: { name: `of-${schema.name}`, filterFields: ['mood'], dueFields: ['wakeAt'] } };
}

export function position(number: number): Position {
  return String(number).padStart(20, '0');
}

const PLAIN = { status: 'active', customerId: 'c1' };

export function row(id: string, at: number, members: object = PLAIN, projectId = 'p'): StoredRow {
  const sortId = position(at);
  return {
    id,
    projectId,
    createdAt: 1000 + Math.floor(at / 2),
    sortId,
    position: sortId,
    deleted: false,
    row: { id, ...PLAIN, ...members },
  };
}

export function rowsOf(first: number, last: number): StoredRow[] {
  return Array.from({ length: last - first + 1 }, (_, index) => row(`n${first + index}`, first + index));
}

export function idsOf(rows: readonly (StoredRow | null)[]): string[] {
  return rows.map((each) => each?.id ?? 'none');
}

/** A log whose newest event in feeds is at `head`; feeds leave out the event at `end`. */
export function logUpTo(head: number, name = 'log', end = head): SourceLog {
  return {
    identity: () => Promise.resolve(name),
    head: () => Promise.resolve(position(head)),
    holds: (place) => Promise.resolve(place <= position(end)),
  };
}
