import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROUTES = join(__dirname, '../../../apps/console/src/places/routes.ts');

/** The address of every place below `/admin/`, as the console's routes have it: `:project/deliveries/:id`. */
export const PLACES: readonly string[] = [...readFileSync(ROUTES, 'utf8').matchAll(/\bplace\('([^']+)'/g)].map(
  ([, path]) => path as string,
);

/** The address of a place, with a project and a thing of that place. */
export function addressOf(place: string, project: string, ids: Readonly<Record<string, string>>): string {
  const kind = place.split('/').at(-2) ?? '';
  const id = ids[place] ?? ids[kind];
  if (place.endsWith('/:id') && id === undefined) throw new Error(`No test makes one of ${kind}: add it to planted.ts.`);
  return `/admin/${place.replace(':project', project).replace(':id', id ?? '')}`;
}
