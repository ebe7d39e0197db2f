import { type Position as LogPosition, type ReadPosition, START as FIRST } from '@eventstore/db-client';
import { type Position, START } from '@ports/event-store.port';

const DIGITS = START.length;
/** A server before 22.6 reports this for an unknown position. */
const NONE = 2n ** 64n - 1n;

export class PositionUnusable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'PositionUnusable';
  }
}

/** The commit position as text. Throws `PositionUnusable` if it is not unique to the event. */
export function positionOf(place: LogPosition | undefined): Position {
  if (place === undefined || place.commit === NONE) throw new PositionUnusable('the server reports no positions in streams');
  if (place.commit !== place.prepare) throw new PositionUnusable(`the event at ${place.commit} was written in a transaction`);
  return String(place.commit).padStart(DIGITS, '0');
}

export function placeOf(position: Position): ReadPosition {
  const commit = BigInt(position);
  return commit === 0n ? FIRST : { commit, prepare: commit };
}
