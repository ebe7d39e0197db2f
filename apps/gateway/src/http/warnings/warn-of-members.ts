import type { Type } from '@nestjs/common';
import { isObject } from '../body/json-body.js';
import { shapeOf } from '../body/valid-body.js';
import type { Filters, Query } from '../paging/list-filters.js';
import { PAGE_PARAMETERS } from '../paging/read-page.js';
import { nearestName } from './nearest-name.js';
import type { RequestWarnings } from './request-warnings.js';

const MAX_NAME_LENGTH = 60;
const NO_SHAPE: Pick<ReturnType<typeof shapeOf>, 'names' | 'nested'> = { names: new Set(), nested: {} };

/** Warns of unknown members, in nested bodies too. A `type` of null: no member is read. */
export function warnOfMembers(members: object, type: Type<object> | null, warnings: RequestWarnings, path: string = ''): void {
  const { names, nested } = type ? shapeOf(type) : NO_SHAPE;
  for (const [name, value] of Object.entries(members)) {
    if (!names.has(name)) {
      warnings.add(() => unknown('member', path, name, names));
      continue;
    }
    const inner = nested[name]?.();
    if (inner && isObject(value)) warnOfMembers(value, inner, warnings, `${path}${name}.`);
  }
}

/** Which query parameters a route reads. */
interface ReadParameters {
  /** Null where none is read. */
  readonly filters: Filters | null;
  /** Whether those of a list are read besides. */
  readonly pages: boolean;
}

/** Warns of unknown query parameters, and of values that select nothing. */
export function warnOfParameters(query: Query, { filters, pages }: ReadParameters, warnings: RequestWarnings): void {
  const given = Object.keys(query);
  if (given.length === 0) return;
  const known = new Set(filters ? [...(pages ? PAGE_PARAMETERS : []), ...Object.keys(filters)] : []);
  for (const name of given) {
    if (known.has(name) || known.has(`${name}[]`)) continue;
    warnings.add(() => unknown('parameter', '', name, known));
  }
  for (const [name, { warningsOf }] of Object.entries(filters ?? {})) {
    for (const text of warningsOf?.(query[name.replace('[]', '')]) ?? []) warnings.add(() => `${name}: ${text}`);
  }
}

function unknown(kind: 'member' | 'parameter', path: string, name: string, known: ReadonlySet<string>): string {
  const shown = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}...` : name;
  const nearest = nearestName(shown, known);
  return `unknown ${kind} '${path}${shown}'; ${nearest === null ? knownHere(kind, known) : `did you mean '${nearest}'?`}`;
}

function knownHere(kind: string, known: ReadonlySet<string>): string {
  return known.size === 0 ? `no ${kind}s are read here` : `known here: ${[...known].join(', ')}`;
}
