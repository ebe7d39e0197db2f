import { api } from '../../api/api.js';
import { answerOf, Problem } from '../../api/problem.js';
import { addressOfId, addressOfNoProject } from '../../parts/id-link.js';
import { placeOf } from '../../state/project.js';

const ID = /^([a-z]+)_[0-9A-Za-z]{20,}$/;
/** In how many projects an id is looked for. */
const MAX_PROJECTS = 20;

/** The resource that an id of this prefix names in a project. */
const RESOURCE_OF_PREFIX = {
  conv: '/admin/v1/projects/{project_id}/conversations/{id}',
  cust: '/admin/v1/projects/{project_id}/customers/{id}',
  sess: '/admin/v1/projects/{project_id}/sessions/{id}',
  apt: '/admin/v1/projects/{project_id}/appointments/{id}',
  evt: '/admin/v1/projects/{project_id}/events/{id}',
  whd: '/admin/v1/projects/{project_id}/deliveries/{id}',
  we: '/admin/v1/projects/{project_id}/webhook_endpoints/{id}',
  task: '/admin/v1/projects/{project_id}/tasks/{id}',
} as const;

type Prefix = keyof typeof RESOURCE_OF_PREFIX;

/** The console's address of the thing with this id, of whichever project it is; null for other texts and where nothing has it. */
export async function findId(current: string, text: string): Promise<string | null> {
  const prefix = ID.exec(text)?.[1];
  if (prefix === undefined) return null;
  if (prefix === 'iss') return addressOfIssue(current, text);
  const isThere = probeOf(prefix, text);
  if (!isThere) return addressOfNoProject(text);
  if (await isThere(current)) return addressOfId(current, text);
  if (prefix === 'task' && (await isTaskOfNoProject(text))) return addressOfNoProject(text);
  const others = (await newestProjects()).filter((id) => id !== current);
  const areThere = await Promise.all(others.map(isThere));
  const owner = others.find((_, index) => areThere[index]);
  return owner === undefined ? null : addressOfId(owner, text);
}

type Probe = (project_id: string) => Promise<boolean>;

/** Asks whether a project has the thing; undefined where its prefix names none of a project. */
function probeOf(prefix: string, id: string): Probe | undefined {
  if (prefix === 'key') return (project_id) => hasKey(project_id, id);
  const path = RESOURCE_OF_PREFIX[prefix as Prefix] as (typeof RESOURCE_OF_PREFIX)['apt'] | undefined;
  if (path === undefined) return undefined;
  return (project_id) => exists(answerOf(api.GET(path, { params: { path: { project_id, id } } })));
}

async function hasKey(id: string, key: string): Promise<boolean> {
  const query = { limit: 100 };
  const { data } = await answerOf(api.GET('/admin/v1/projects/{id}/api_keys', { params: { path: { id }, query } }));
  return data.some((each) => each.id === key);
}

function isTaskOfNoProject(id: string): Promise<boolean> {
  return exists(answerOf(api.GET('/admin/v1/tasks/{id}', { params: { path: { id } } })));
}

/** The overview that shows the issue: its project's, or the chosen one's, as every overview shows the issues of the installation. */
async function addressOfIssue(current: string, id: string): Promise<string | null> {
  const issue = await unlessMissing(answerOf(api.GET('/admin/v1/issues/{id}', { params: { path: { id } } })));
  return issue && placeOf(issue.project_id ?? current, 'overview');
}

/** The ids of the newest projects. */
export async function newestProjects(): Promise<readonly string[]> {
  const query = { limit: MAX_PROJECTS };
  const { data } = await answerOf(api.GET('/admin/v1/projects', { params: { query } }));
  return data.map(({ id }) => id);
}

async function exists(answer: Promise<unknown>): Promise<boolean> {
  return (await unlessMissing(answer)) !== null;
}

/** Null where the API answers that it is not there. */
async function unlessMissing<Data>(answer: Promise<Data>): Promise<Data | null> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof Problem && failure.status === 404) return null;
    throw failure;
  }
}
