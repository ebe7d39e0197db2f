import { PROJECTIONS } from '@application/projections/projections';
import type { Projection } from '@application/read-models/projection';
import { WrongWords } from '../wrong-words.js';

/** The projections with these names, or all. Throws `WrongWords`. */
export function knownProjections(names: readonly string[]): readonly Projection[] {
  if (names.length === 0) return PROJECTIONS;
  const known = PROJECTIONS.map(({ schema }) => schema.name);
  refuseUnknown(names, known);
  return PROJECTIONS.filter(({ schema }) => names.includes(schema.name));
}

export function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new WrongWords(`No such read model: ${unknown.join(', ')}. Known are ${known.join(', ')}.`);
}
