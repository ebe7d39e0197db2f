import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { instantOf } from '../../parts/time-field.js';
import type { Task } from '../../state/use-task.js';
import { wordsOf } from './event-filters.js';

type Schemas = components['schemas'];
type Values = Readonly<Record<string, string>>;

export const TASK_KINDS = ['recover', 'replay_missing', 'reconcile'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** The body of the request that begins a task, of the values of its form. */
export const TASK_BODIES = {
  recover: (values: Values, isDryRun: boolean): Schemas['RecoverEndpointDto'] => ({
    ...ofAll(values, isDryRun),
    ...modeOf(values),
  }),
  replay_missing: (values: Values, isDryRun: boolean): Schemas['ReplayMissingDto'] => ({
    ...ofAll(values, isDryRun),
    ...modeOf(values),
    ...(values['event_types'] && { event_types: [...wordsOf(values['event_types'])] }),
  }),
  reconcile: (values: Values, isDryRun: boolean): Schemas['ReconcileEndpointDto'] => ({
    ...ofAll(values, isDryRun),
    received: [...wordsOf(values['received'] ?? '')],
  }),
} satisfies Record<TaskKind, unknown>;

function ofAll({ since = '', until, per_second: pace }: Values, isDryRun: boolean) {
  return {
    since: instantOf(since),
    ...(until && { until: instantOf(until) }),
    ...(pace && { per_second: Number(pace) }),
    dry_run: isDryRun,
  };
}

function modeOf({ mode }: Values) {
  return { ...(mode && { mode: mode as 'all' | 'latest' }) };
}

interface EndpointPath {
  readonly project_id: string;
  readonly id: string;
}

export function beginEndpointTask(kind: TaskKind, path: EndpointPath, values: Values, isDryRun: boolean): Promise<Task> {
  const params = { path };
  switch (kind) {
    case 'recover': {
      const body = TASK_BODIES.recover(values, isDryRun);
      return answerOf(api.POST('/admin/v1/projects/{project_id}/webhook_endpoints/{id}/recover', { params, body }));
    }
    case 'replay_missing': {
      const body = TASK_BODIES.replay_missing(values, isDryRun);
      return answerOf(api.POST('/admin/v1/projects/{project_id}/webhook_endpoints/{id}/replay_missing', { params, body }));
    }
    case 'reconcile': {
      const body = TASK_BODIES.reconcile(values, isDryRun);
      return answerOf(api.POST('/admin/v1/projects/{project_id}/webhook_endpoints/{id}/reconcile', { params, body }));
    }
  }
}
