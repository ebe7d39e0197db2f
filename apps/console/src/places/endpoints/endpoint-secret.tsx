import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl } from '../../parts/curl.js';
import { Facts } from '../../parts/facts.js';
import { Choice } from '../../parts/fields.js';
import { Section } from '../../parts/place.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { GRACES } from '../../texts.js';
import { WORDS } from './texts.js';
import type { Endpoint } from './use-endpoint.js';

interface EndpointSecretProps {
  readonly endpoint: Endpoint;
  /** Gets the new secret. */
  readonly onRotated: (secret: string) => void;
}

/** Since when and until when its secrets sign. */
export function EndpointSecret({ endpoint, onRotated }: EndpointSecretProps) {
  const project = useProject();
  const [grace, setGrace] = useState('86400');
  const { id, secret_hint: hint, secret_rotated_at: rotatedAt, previous_secret_expires_at: previousUntil } = endpoint;
  const body = { grace_period_seconds: Number(grace) };
  const rotate = async () => {
    const wanted = { params: { path: { project_id: project, id } }, body };
    const { secret } = await answerOf(api.POST('/admin/v1/projects/{project_id}/webhook_endpoints/{id}/rotate_secret', wanted));
    onRotated(secret);
  };
  const button = (
    <AskBefore label={WORDS.rotate} title={WORDS.rotate} onConfirm={rotate}>
      <Choice label={WORDS.rotateAbout} name="grace" value={grace} options={GRACES} onChange={setGrace} />
      <Curl request={{ method: 'POST', path: `/webhook_endpoints/${id}/rotate_secret`, body }} />
    </AskBefore>
  );
  return (
    <Section title={WORDS.signing} actions={button}>
      <Facts
        of={[
          [WORDS.secretEnds, <code>{hint}</code>],
          [WORDS.rotatedAt, <Time at={rotatedAt ?? endpoint.created_at} whole />],
          [
            WORDS.previousUntil,
            previousUntil ? <Time at={previousUntil} whole /> : <span class="muted">{WORDS.noPrevious}</span>,
          ],
        ]}
      />
    </Section>
  );
}
