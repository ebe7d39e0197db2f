import type { Position } from '@ports/event-store.port';

const DIGITS = 20;

/** Cached, since all feeds ask for the same position. */
let last = { number: 0, position: textOf(0) };

/** Padded, so that positions compare as texts. */
export function positionOf(number: number): Position {
  if (last.number !== number) last = { number, position: textOf(number) };
  return last.position;
}

function textOf(number: number): Position {
  return String(number).padStart(DIGITS, '0');
}

export function numberOf(position: Position): number {
  return Number(position);
}
