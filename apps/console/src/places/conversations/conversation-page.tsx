import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl } from '../../parts/curl.js';
import { Facts } from '../../parts/facts.js';
import { Field } from '../../parts/fields.js';
import { IdLink } from '../../parts/id-link.js';
import { Metadata } from '../../parts/metadata.js';
import { OnePage } from '../../parts/one-page.js';
import { Section } from '../../parts/place.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { AppointmentsOf } from '../appointments/appointments-of.js';
import { CallsOf } from '../calls/calls-of.js';
import type { Conversation } from './conversation-columns.js';
import { GiveBack, HandOver } from './change-hands.js';
import { EditConversation } from './edit-conversation.js';
import { HandoffFacts } from './handoff-facts.js';
import { WORDS } from './texts.js';
import { Transcript } from './transcript.js';
import { WriteAsHuman } from './write-as-human.js';

/** One conversation: its messages, its actions and its status. */
export function ConversationPage() {
  // Kept while the page is open, whoever has the conversation meanwhile.
  const [name, setName] = useState('');
  return (
    <OnePage
      title={WORDS.one}
      ask={(path) => answerOf(api.GET('/admin/v1/projects/{project_id}/conversations/{id}', { params: { path } }))}
      live="conversation"
      actions={(conversation, onDone) => <Actions of={conversation} onDone={onDone} />}
    >
      {(conversation) => (
        <>
          <ConversationFacts of={conversation} />
          {conversation.handoff && <HandoffFacts of={conversation.handoff} />}
          <Section title={WORDS.transcript}>
            <Transcript id={conversation.id} />
            <Curl request={{ path: `/conversations/${conversation.id}/messages` }} />
          </Section>
          {conversation.status === 'handed_off' && <WriteAsHuman id={conversation.id} name={name} onName={setName} />}
          <Section title={WORDS.appointments}>
            <AppointmentsOf by="conversation_id" id={conversation.id} empty={WORDS.noAppointments} />
          </Section>
          <Section title={WORDS.calls}>
            <CallsOf by="conversation_id" id={conversation.id} empty={WORDS.noCalls} />
          </Section>
        </>
      )}
    </OnePage>
  );
}

function Actions({ of, onDone }: { readonly of: Conversation; readonly onDone: () => void }) {
  const { id, status } = of;
  if (status === 'ended') return null;
  return (
    <>
      <EditConversation of={of} onDone={onDone} />
      {status === 'active' && <HandOver id={id} onDone={onDone} />}
      {status === 'handed_off' && <GiveBack id={id} onDone={onDone} />}
      <EndConversation id={id} onDone={onDone} />
    </>
  );
}

function ConversationFacts({ of }: { readonly of: Conversation }) {
  const { labels } = WORDS;
  return (
    <div class="card stack">
      <Facts
        of={[
          [labels.status, <Status status={of.status} />],
          [labels.externalId, <Foreign text={of.external_id} />],
          [labels.customer, <IdLink id={of.customer_id} />],
          [labels.created, <Time at={of.created_at} whole />],
          [labels.last, <Time at={of.last_message_at} whole />],
          [labels.ended, <Time at={of.ended_at} whole />],
          [labels.endReason, of.end_reason && WORDS.endReasons[of.end_reason]],
          [labels.zone, of.time_zone],
        ]}
      />
      <Metadata of={of.metadata} />
      <Curl request={{ path: `/conversations/${of.id}` }} />
    </div>
  );
}

function EndConversation({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const project_id = useProject();
  const [reason, setReason] = useState('');
  const body = reason === '' ? {} : { reason };
  const end = async () => {
    await answerOf(
      api.POST('/admin/v1/projects/{project_id}/conversations/{id}/end', { params: { path: { project_id, id } }, body }),
    );
    onDone();
  };
  return (
    <AskBefore label={WORDS.end} title={WORDS.endTitle} onConfirm={end} isDangerous>
      <p>{WORDS.endAbout}</p>
      <Field label={WORDS.reason} name="reason" value={reason} onInput={setReason} />
      <Curl request={{ method: 'POST', path: `/conversations/${id}/end`, body }} />
    </AskBefore>
  );
}
