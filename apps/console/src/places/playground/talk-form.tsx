import { useState } from 'preact/hooks';
import type { SpokenReply } from '../../api/spoken-reply.js';
import { Curl } from '../../parts/curl.js';
import { Field, Form } from '../../parts/fields.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useProject } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { postMessage } from './post-message.js';
import { WORDS } from './texts.js';

interface TalkFormProps {
  readonly thread: string;
  /** Whether this is the first message, which names the customer. */
  readonly isFirst: boolean;
  /** Called with each part of the reply; with null where no more will be heard of it. */
  readonly onHeard: (heard: SpokenReply | null) => void;
  /** Called when the message is stored, and when its reply is over. */
  readonly onSaid: () => void;
}

const WHO = ['name', 'phone', 'email'] as const;
const viewersZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Says something as a customer, and hears the reply while it is said. */
export function TalkForm({ thread, isFirst, onHeard, onSaid }: TalkFormProps) {
  const project_id = useProject();
  const { run, isRunning, problem } = useAction();
  const [text, setText] = useState('');
  const [who, setWho] = useState<Readonly<Record<string, string>>>({ time_zone: viewersZone });
  const bodyOf = (content: string) => ({
    external_conversation_id: thread,
    content,
    ...(isFirst && introduction(who)),
  });
  const onStored = () => {
    setText('');
    onSaid();
  };
  const send = (content: string) => run(() => postMessage(project_id, bodyOf(content), { onStored, onHeard }).finally(onSaid));
  return (
    <div class="stack">
      <Form class="row end" onSubmit={() => send(text)}>
        <label class="field grow">
          <span>{WORDS.message}</span>
          <input
            name="content"
            required
            autoComplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isRunning}>
          {WORDS.send}
        </button>
      </Form>
      <p role="status">{isRunning && WORDS.replying}</p>
      <ProblemNote problem={problem} />
      {isFirst && <p class="muted">{WORDS.silent}</p>}
      <Examples isBusy={isRunning} onPick={send} />
      {isFirst && <Who values={who} onChange={(name, value) => setWho({ ...who, [name]: value })} />}
      <Curl request={{ method: 'POST', path: '/messages', body: bodyOf(text) }} />
    </div>
  );
}

function Examples({ isBusy, onPick }: { readonly isBusy: boolean; readonly onPick: (content: string) => void }) {
  return (
    <div class="row">
      {WORDS.examples.map((example) => (
        <button key={example} type="button" disabled={isBusy} onClick={() => onPick(example)}>
          {example}
        </button>
      ))}
    </div>
  );
}

interface WhoProps {
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
}

function Who({ values, onChange }: WhoProps) {
  const { fields } = WORDS;
  return (
    <details>
      <summary>{WORDS.who}</summary>
      <div class="row end">
        {WHO.map((name) => (
          <Field key={name} label={fields[name]} name={name} value={values[name]} onInput={(value) => onChange(name, value)} />
        ))}
        <Field
          label={fields.zone}
          name="time_zone"
          value={values['time_zone']}
          onInput={(value) => onChange('time_zone', value)}
        />
      </div>
    </details>
  );
}

function introduction({ time_zone: zone, ...who }: Readonly<Record<string, string>>) {
  const customer = Object.fromEntries(Object.entries(who).filter(([, value]) => value !== ''));
  return { ...(Object.keys(customer).length > 0 && { customer }), ...(zone && { time_zone: zone }) };
}
