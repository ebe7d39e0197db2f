import type { DomainEvent } from '@domain/kernel/decider';
import { randomUUID } from 'node:crypto';
import type { NewEvent, Recorded } from '../event-store.port.js';

export interface Noted extends DomainEvent {
  readonly type: 'Noted';
  readonly text: string;
}

function noted(text: string): NewEvent<Noted> {
  return { id: randomUUID(), event: { type: 'Noted', at: 1_750_000_000_000, text } };
}

export const batchOf = (...texts: string[]): NewEvent<Noted>[] => texts.map(noted);

export const textsOf = (events: readonly Recorded[]): string[] => events.map(({ event }) => (event as Noted).text);

/** A new name, so that tests may share a store. */
export function freshStream(category = 'note'): string {
  return `${category}-${randomUUID()}`;
}
