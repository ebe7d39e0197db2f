import { placeOf, useProject } from '../state/project.js';

/** Where the thing with an id of this prefix is shown. */
const PLACE_OF_PREFIX: Readonly<Record<string, string>> = {
  conv: 'conversations',
  cust: 'customers',
  sess: 'calls',
  apt: 'appointments',
  evt: 'events',
  whd: 'deliveries',
  we: 'endpoints',
  task: 'tasks',
};

/** The list that has the thing with an id of this prefix, which has no page of its own. */
const LIST_OF_PREFIX: Readonly<Record<string, (projectId: string, id: string) => string>> = {
  ases: (_, id) => `/admin/audit?session_id=${id}`,
  skip: () => '/admin/projections',
  iss: (projectId) => placeOf(projectId, 'overview'),
  key: (projectId) => placeOf(projectId, 'api-keys'),
};

/** The console's address of the thing with this id; null where no place shows it. */
export function addressOfId(projectId: string, id: string): string | null {
  const prefix = id.split('_')[0] ?? '';
  const place = PLACE_OF_PREFIX[prefix];
  return place === undefined ? (LIST_OF_PREFIX[prefix]?.(projectId, id) ?? null) : placeOf(projectId, place, id);
}

export function IdLink({ id, children }: { readonly id: string | null | undefined; readonly children?: string }) {
  const projectId = useProject();
  if (!id) return <>–</>;
  const address = addressOfId(projectId, id);
  const text = children ?? <code>{id}</code>;
  return address === null ? <>{text}</> : <a href={address}>{text}</a>;
}
