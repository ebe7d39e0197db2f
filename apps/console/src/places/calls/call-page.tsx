import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl } from '../../parts/curl.js';
import { Facts } from '../../parts/facts.js';
import { Choice } from '../../parts/fields.js';
import { IdLink } from '../../parts/id-link.js';
import { Metadata } from '../../parts/metadata.js';
import { OnePage } from '../../parts/one-page.js';
import { Section } from '../../parts/place.js';
import { Status } from '../../parts/status.js';
import { Foreign, TextBlock } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { AppointmentsOf } from '../appointments/appointments-of.js';
import { durationOf, OUTCOMES, type Call } from './call-columns.js';
import { WORDS } from './texts.js';
import { Turns } from './turns.js';

/** One call: what was spoken, how it went, and what was booked on it. */
export function CallPage() {
  return (
    <OnePage
      title={WORDS.one}
      ask={(path) => answerOf(api.GET('/admin/v1/projects/{project_id}/sessions/{id}', { params: { path } }))}
      live="session"
      actions={({ id, status }, onDone) => status === 'open' && <CloseCall id={id} onDone={onDone} />}
    >
      {(call) => (
        <>
          <CallFacts of={call} />
          <Section title={WORDS.appointments}>
            <AppointmentsOf by="session_id" id={call.id} empty={WORDS.noAppointments} />
          </Section>
          <Section title={WORDS.turns}>
            <Turns id={call.id} />
            <Curl request={{ path: `/sessions/${call.id}/turns` }} />
          </Section>
        </>
      )}
    </OnePage>
  );
}

function CallFacts({ of }: { readonly of: Call }) {
  const { labels } = WORDS;
  return (
    <div class="card stack">
      <Facts
        of={[
          [labels.status, <Status status={of.status} />],
          [labels.outcome, of.outcome?.replaceAll('_', ' ')],
          [labels.direction, of.direction],
          [labels.from, <Foreign text={of.from} />],
          [labels.to, <Foreign text={of.to} />],
          [labels.customer, <IdLink id={of.customer_id} />],
          [labels.conversation, <IdLink id={of.conversation_id} />],
          [labels.externalId, <Foreign text={of.external_id} />],
          [labels.started, <Time at={of.started_at} whole />],
          [labels.ended, <Time at={of.ended_at} whole />],
          [labels.duration, durationOf(of)],
          [labels.endReason, <Foreign text={of.end_reason} />],
        ]}
      />
      {of.summary && <TextBlock label={labels.summary} text={of.summary} />}
      <Metadata of={of.metadata} />
      <Curl request={{ path: `/sessions/${of.id}` }} />
    </div>
  );
}

function CloseCall({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const project_id = useProject();
  const [outcome, setOutcome] = useState('');
  const body = outcome === '' ? {} : { outcome: outcome as (typeof OUTCOMES)[number] };
  const close = async () => {
    await answerOf(
      api.POST('/admin/v1/projects/{project_id}/sessions/{id}/close', { params: { path: { project_id, id } }, body }),
    );
    onDone();
  };
  return (
    <AskBefore label={WORDS.close} title={WORDS.closeTitle} onConfirm={close} isDangerous>
      <p>{WORDS.closeAbout}</p>
      <Choice label={WORDS.outcome} name="outcome" value={outcome} options={OUTCOMES} any onChange={setOutcome} />
      <Curl request={{ method: 'POST', path: `/sessions/${id}/close`, body }} />
    </AskBefore>
  );
}
