import { CHANGE_ID_PATTERN, isChangeId } from '@domain/appointment/change-id';
import { idPattern, isId, type IdKind } from '@domain/kernel/ids';
import { isPosition, START } from '@ports/event-store.port';

/** What the ids of a list's items are: public ids, those of an appointment's changes, or positions in the log. */
export type ItemId = IdKind | 'appointmentChange' | 'position';

export function isItemId(kind: ItemId, text: string): boolean {
  if (kind === 'position') return isPosition(text);
  return kind === 'appointmentChange' ? isChangeId(text) : isId(kind, text);
}

/** A regular expression, as the OpenAPI document shows it. */
export function itemIdPattern(kind: ItemId): string {
  if (kind === 'position') return `^\\d{${START.length}}$`;
  return kind === 'appointmentChange' ? CHANGE_ID_PATTERN : idPattern(kind);
}
