import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl } from '../../parts/curl.js';
import type { Page } from '../../parts/list.js';
import { Loaded } from '../../parts/loaded.js';
import { formatCount } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { WORDS } from './texts.js';

/** Deletes a customer, after it was said what that does. */
export function DeleteCustomer({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const project_id = useProject();
  const remove = async () => {
    await answerOf(api.DELETE('/admin/v1/projects/{project_id}/customers/{id}', { params: { path: { project_id, id } } }));
    onDone();
  };
  return (
    <AskBefore label={WORDS.remove} title={WORDS.removeTitle} onConfirm={remove} isDangerous>
      <p>{WORDS.removeAbout}</p>
      <WhatStays id={id} />
      <Curl request={{ method: 'DELETE', path: `/customers/${id}` }} />
    </AskBefore>
  );
}

function WhatStays({ id }: { readonly id: string }) {
  const project_id = useProject();
  const params = { path: { project_id }, query: { customer_id: id, limit: 100 } };
  const ask = () =>
    Promise.all([
      answerOf(api.GET('/admin/v1/projects/{project_id}/conversations', { params })),
      answerOf(api.GET('/admin/v1/projects/{project_id}/sessions', { params })),
      answerOf(api.GET('/admin/v1/projects/{project_id}/appointments', { params })),
    ]);
  const answer = useAnswer(ask, [project_id, id]);
  return (
    <Loaded of={answer}>
      {([conversations, calls, appointments]) => (
        <p>{WORDS.removeKeeps(countOf(conversations), countOf(calls), countOf(appointments))}</p>
      )}
    </Loaded>
  );
}

function countOf({ data, has_more: hasMore }: Page<unknown>): string {
  return `${formatCount(data.length)}${hasMore ? '+' : ''}`;
}
