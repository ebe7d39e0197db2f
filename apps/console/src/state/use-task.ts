import { useEffect } from 'preact/hooks';
import { api } from '../api/api.js';
import type { components } from '../api/admin-api.js';
import { answerOf } from '../api/problem.js';
import { useChanges } from './changes.js';
import { useProject } from './project.js';
import { useAnswer, type Answer } from './use-answer.js';

export type Task = components['schemas']['TaskResource'];

const EVERY_MS = 1_000;

export function isOpenTask({ status }: Task): boolean {
  return status === 'pending' || status === 'running';
}

/** A task as it is now, looked at again while it is not over. `ofInstallation`: one of no project, which only administrators see. */
export function useTask(id: string, ofInstallation = false): Answer<Task> {
  const project = useProject();
  const ask = () =>
    ofInstallation
      ? answerOf(api.GET('/admin/v1/tasks/{id}', { params: { path: { id } } }))
      : answerOf(api.GET('/admin/v1/projects/{project_id}/tasks/{id}', { params: { path: { project_id: project, id } } }));
  const answer = useAnswer<Task>(ask, [project, id, ofInstallation]);
  const { data, reload } = answer;
  const isOpen = data !== undefined && isOpenTask(data);
  useChanges(['task'], (change) => {
    if (change === null || change.id === id) reload();
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(reload, EVERY_MS);
    return () => clearInterval(timer);
  }, [isOpen, reload]);
  return answer;
}
