import type { Position } from '@ports/event-store.port';

const DIGITS = 20;

/** In digits of one length: positions compare as texts. */
export function positionOf(number: number): Position {
  return String(number).padStart(DIGITS, '0');
}

export function numberOf(position: Position): number {
  return Number(position);
}
