import { useLocation } from 'preact-iso';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl, type ShownRequest } from '../../parts/curl.js';
import { placeOf, useProject } from '../../state/project.js';
import { TestEvent } from './test-event.js';
import { WORDS } from './texts.js';
import type { Endpoint } from './use-endpoint.js';
import { WaitingDeliveries } from './waiting-deliveries.js';

interface EndpointActionsProps {
  readonly endpoint: Endpoint;
  readonly onDone: () => void;
}

/** What changes whether anything is sent: each says first how many deliveries wait. */
export function EndpointActions({ endpoint: { id, status }, onDone }: EndpointActionsProps) {
  const project = useProject();
  const { route } = useLocation();
  const of = { params: { path: { project_id: project, id } } };
  const path = `/webhook_endpoints/${id}`;
  const toggle = async (action: 'pause' | 'resume') => {
    await answerOf(api.POST(`/admin/v1/projects/{project_id}/webhook_endpoints/{id}/${action}`, of));
    onDone();
  };
  const become = async (next: 'enabled' | 'disabled') => {
    await answerOf(api.PATCH('/admin/v1/projects/{project_id}/webhook_endpoints/{id}', { ...of, body: { status: next } }));
    onDone();
  };
  const remove = async () => {
    await answerOf(api.DELETE('/admin/v1/projects/{project_id}/webhook_endpoints/{id}', of));
    route(placeOf(project, 'endpoints'));
  };
  const button = (action: keyof typeof ABOUT, request: ShownRequest, onConfirm: () => Promise<void>) => (
    <AskBefore
      label={WORDS.actions[action]}
      title={WORDS.actions[action]}
      isDangerous={DANGEROUS.has(action)}
      onConfirm={onConfirm}
    >
      <p>{ABOUT[action]}</p>
      <WaitingDeliveries endpointId={id} />
      <Curl request={request} />
    </AskBefore>
  );
  return (
    <>
      <TestEvent endpointId={id} />
      {status === 'enabled' && button('pause', { method: 'POST', path: `${path}/pause` }, () => toggle('pause'))}
      {status === 'paused' && button('resume', { method: 'POST', path: `${path}/resume` }, () => toggle('resume'))}
      {status === 'disabled'
        ? button('enable', { method: 'PATCH', path, body: { status: 'enabled' } }, () => become('enabled'))
        : button('disable', { method: 'PATCH', path, body: { status: 'disabled' } }, () => become('disabled'))}
      {button('delete', { method: 'DELETE', path }, remove)}
    </>
  );
}

const ABOUT = {
  pause: WORDS.actions.pauseAbout,
  resume: WORDS.actions.resumeAbout,
  disable: WORDS.actions.disableAbout,
  enable: WORDS.actions.enableAbout,
  delete: WORDS.actions.deleteAbout,
} as const;

const DANGEROUS: ReadonlySet<string> = new Set(['disable', 'delete']);
