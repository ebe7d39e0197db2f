import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { itemsOf, type Items } from '../../api/items-of.js';
import { answerOf } from '../../api/problem.js';

type Issue = components['schemas']['IssueResource'];

export const ISSUES_A_PAGE = 25;

/** Whether issues of a kind belong to no project. */
const IS_OF_INSTALLATION: Readonly<Record<Issue['kind'], boolean>> = {
  endpoint_failing: false,
  endpoint_paused: false,
  endpoint_gone: false,
  deliveries_failed: false,
  agent_failing: false,
  projection_behind: true,
  event_skipped: true,
  server_away: true,
  disk_low: true,
};

const OF_INSTALLATION = Object.entries(IS_OF_INSTALLATION).flatMap(([kind, isOfInstallation]) =>
  isOfInstallation ? [kind as Issue['kind']] : [],
);

/** All open issues of the installation, and then those of a project, newest first, at least so many of them if there are. */
export async function openIssues(project_id: string, wanted: number): Promise<Items<Issue>> {
  const [own, ...ofInstallation] = await Promise.all([ofProject(project_id, wanted), ...OF_INSTALLATION.map(ofKind)]);
  return { items: [...ofInstallation.flatMap(({ items }) => items), ...own.items], hasMore: own.hasMore };
}

function ofProject(project_id: string, wanted: number): Promise<Items<Issue>> {
  return itemsOf((page) => {
    const query = { status: 'open', limit: ISSUES_A_PAGE, ...page } as const;
    return answerOf(api.GET('/admin/v1/projects/{project_id}/issues', { params: { path: { project_id }, query } }));
  }, wanted);
}

/** Asked for by their kinds: among those of all projects there may be any number of others. */
function ofKind(kind: Issue['kind']): Promise<Items<Issue>> {
  return itemsOf((page) => {
    const query = { status: 'open', kind, limit: 100, ...page } as const;
    return answerOf(api.GET('/admin/v1/issues', { params: { query } }));
  });
}
