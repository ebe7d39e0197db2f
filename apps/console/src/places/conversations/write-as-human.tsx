import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Field, Form, Lines } from '../../parts/fields.js';
import { Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useProject } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { WORDS } from './texts.js';

interface WriteAsHumanProps {
  /** Of the conversation. */
  readonly id: string;
  readonly name: string;
  readonly onName: (name: string) => void;
}

/** Writes in the place of the agent. */
export function WriteAsHuman({ id, name, onName }: WriteAsHumanProps) {
  const { write } = WORDS;
  const project_id = useProject();
  const { run, isRunning, problem } = useAction();
  const [content, setContent] = useState('');
  const [isSent, setSent] = useState(false);
  const body = { role: 'assistant' as const, author: { type: 'human' as const, name }, content };
  const send = () =>
    run(async () => {
      setSent(false);
      const params = { path: { project_id, id } };
      await answerOf(api.POST('/admin/v1/projects/{project_id}/conversations/{id}/messages', { params, body }));
      setContent('');
      setSent(true);
    });
  return (
    <Section title={write.title}>
      <Form onSubmit={send}>
        <Field label={write.name} name="name" value={name} required onInput={onName} />
        <Lines label={write.content} name="content" value={content} required onInput={setContent} />
        <ProblemNote problem={problem} />
        <div class="row">
          <button type="submit" class="primary" disabled={isRunning}>
            {write.send}
          </button>
          <span role="status">{isSent && content === '' && write.sent}</span>
        </div>
        <Curl request={{ method: 'POST', path: `/conversations/${id}/messages`, body }} />
      </Form>
    </Section>
  );
}
