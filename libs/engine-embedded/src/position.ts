import type { Position } from '@ports/event-store.port';

const DIGITS = 20;

export function positionOf(number: number): Position {
  return String(number).padStart(DIGITS, '0');
}

export function numberOf(position: Position): number {
  return Number(position);
}
