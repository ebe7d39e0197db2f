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
const LIST_OF_PREFIX: Readonly<Record<string, (projectId: string) => string>> = {
  iss: (projectId) => placeOf(projectId, 'overview'),
  key: (projectId) => placeOf(projectId, 'api-keys'),
};

/** Where a thing is shown that is of no project. */
const ADDRESS_OF_PREFIX: Readonly<Record<string, (id: string) => string>> = {
  prj: (id) => placeOf(id, 'overview'),
  ases: (id) => `/admin/audit?session_id=${id}`,
  skip: () => '/admin/projections',
  task: (id) => `/admin/tasks/${id}`,
};

const prefixOf = (id: string): string => id.split('_')[0] ?? '';

/** The console's address of a thing that is of no project; null where no place shows it. */
export function addressOfNoProject(id: string): string | null {
  return ADDRESS_OF_PREFIX[prefixOf(id)]?.(id) ?? null;
}

/** The console's address of the thing with this id in its project; null where no place shows it. */
export function addressOfId(projectId: string, id: string): string | null {
  const prefix = prefixOf(id);
  const place = PLACE_OF_PREFIX[prefix];
  if (place !== undefined) return placeOf(projectId, place, id);
  return LIST_OF_PREFIX[prefix]?.(projectId) ?? addressOfNoProject(id);
}

/** The address of the search for a text, which leads on to what has it as its id. The project is empty before one was chosen. */
export function addressOfSearch(projectId: string, text: string): string {
  const place = projectId === '' ? '/admin/found' : placeOf(projectId, 'found');
  return `${place}?q=${encodeURIComponent(text)}`;
}

interface IdLinkProps {
  readonly id: string | null | undefined;
  /** Its own project, null where that is not known; without it that of the page. */
  readonly project?: string | null;
  readonly children?: string;
}

/** An id as a link to where the console shows the thing; as text where no place does. */
export function IdLink({ id, project, children }: IdLinkProps) {
  const current = useProject();
  if (!id) return <>–</>;
  const own = addressOfId(project ?? current, id);
  const address = own !== null && project === null ? (addressOfNoProject(id) ?? addressOfSearch(current, id)) : own;
  const text = children ?? <code>{id}</code>;
  return address === null ? <>{text}</> : <a href={address}>{text}</a>;
}
