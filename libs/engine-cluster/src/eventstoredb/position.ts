import { type Position as LogPosition, type ReadPosition, START as FIRST } from '@eventstore/db-client';
import { type Position, START } from '@ports/event-store.port';

const DIGITS = START.length;
/** What a server before 22.6 tells where it knows no position. */
const NONE = 2n ** 64n - 1n;

/** An event without a usable place in the order of the log. */
export class PositionUnusable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'PositionUnusable';
  }
}

/** The commit position as text. Throws `PositionUnusable` where it is not the event's one place in the log. */
export function positionOf(place: LogPosition | undefined): Position {
  if (place === undefined || place.commit === NONE) throw new PositionUnusable('the server tells no positions in streams');
  if (place.commit !== place.prepare) throw new PositionUnusable(`the event at ${place.commit} was written in a transaction`);
  return String(place.commit).padStart(DIGITS, '0');
}

/** Where a read of the log begins for what is after this position. */
export function placeOf(position: Position): ReadPosition {
  const commit = BigInt(position);
  return commit === 0n ? FIRST : { commit, prepare: commit };
}
