import { instantOf } from '@domain/kernel/instant';
import type { Projection } from '@application/read-models/projection';
import { isPosition, type Position } from '@ports/event-store.port';
import type { RowsSchema } from '@ports/read-models.port';
import { WrongWords } from './wrong-words.js';

/** An instant of the past: a place in the log, or a time in epoch milliseconds. */
export type AsOf = { readonly position: Position } | { readonly at: number };

const CLOCKS_DIFFER_MS = 2_000;

/** Throws `WrongWords`. */
export function readAsOf(text: string, now: number): AsOf {
  if (isPosition(text)) return { position: text };
  const at = instantOf(text);
  if (at === null)
    throw new WrongWords(`--as-of takes a time such as 2026-03-01T09:00:00Z, or a position of the log: not ${text}.`);
  if (at > now + CLOCKS_DIFFER_MS) throw new WrongWords(`--as-of ${text} has not come yet.`);
  return { at };
}

/** The same projection with rows of its own. */
export function rowsAsOf(projection: Projection, asOf: AsOf): Projection {
  const instant = 'position' in asOf ? asOf.position : new Date(asOf.at).toISOString().replaceAll(/[-:.]/g, '');
  const named = <Schema extends RowsSchema>(schema: Schema): Schema => ({ ...schema, name: `${schema.name}_as_of_${instant}` });
  const { shared, ...schema } = projection.schema;
  return { ...projection, schema: { ...named(schema), ...(shared && { shared: named(shared) }) } };
}
