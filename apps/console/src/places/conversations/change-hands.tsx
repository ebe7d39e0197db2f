import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { Curl } from '../../parts/curl.js';
import { Field, Lines } from '../../parts/fields.js';
import { useProject } from '../../state/project.js';
import { WORDS } from './texts.js';

interface ChangeHandsProps {
  /** Of the conversation. */
  readonly id: string;
  readonly onDone: () => void;
}

const MAX_CHARACTERS = 2_000;

/** Hands the conversation over to a human. */
export function HandOver({ id, onDone }: ChangeHandsProps) {
  const { handOver } = WORDS;
  const project_id = useProject();
  const [reason, setReason] = useState('');
  const [summary, setSummary] = useState('');
  const body = { ...(reason !== '' && { reason }), ...(summary !== '' && { summary }) };
  const confirm = async () => {
    const params = { path: { project_id, id } };
    await answerOf(api.POST('/admin/v1/projects/{project_id}/conversations/{id}/handoff', { params, body }));
    onDone();
  };
  return (
    <AskBefore label={handOver.label} title={handOver.title} onConfirm={confirm}>
      <p>{handOver.about}</p>
      <Field label={handOver.reason} name="reason" value={reason} onInput={setReason} />
      <Lines label={handOver.summary} name="summary" value={summary} max={MAX_CHARACTERS} onInput={setSummary} />
      <Curl request={{ method: 'POST', path: `/conversations/${id}/handoff`, body }} />
    </AskBefore>
  );
}

/** Gives the conversation back to the agent. */
export function GiveBack({ id, onDone }: ChangeHandsProps) {
  const { giveBack } = WORDS;
  const project_id = useProject();
  const [note, setNote] = useState('');
  const body = note === '' ? {} : { note };
  const confirm = async () => {
    const params = { path: { project_id, id } };
    await answerOf(api.POST('/admin/v1/projects/{project_id}/conversations/{id}/resume', { params, body }));
    onDone();
  };
  return (
    <AskBefore label={giveBack.label} title={giveBack.title} onConfirm={confirm}>
      <p>{giveBack.about}</p>
      <Lines label={giveBack.note} name="note" value={note} max={MAX_CHARACTERS} onInput={setNote} />
      <Curl request={{ method: 'POST', path: `/conversations/${id}/resume`, body }} />
    </AskBefore>
  );
}
