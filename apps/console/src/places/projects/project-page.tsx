import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Field, Form } from '../../parts/fields.js';
import { Place } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { PLACES, TEXTS } from '../../texts.js';
import { placeOf } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { useAnswer } from '../../state/use-answer.js';
import { WORDS } from './texts.js';

type Changes = components['schemas']['UpdateProjectDto'];

const RATES = ['read', 'write', 'messages'] as const;

/** A project's settings. */
export function ProjectPage() {
  const id = useRoute().params['id'] ?? '';
  const { data, problem, reload } = useAnswer(
    () => answerOf(api.GET('/admin/v1/projects/{id}', { params: { path: { id } } })),
    [id],
  );
  if (!data) return problem ? <ProblemNote problem={problem} onRetry={reload} /> : <p role="status">{TEXTS.list.loading}</p>;
  const links = (
    <>
      <a href={placeOf(id, 'overview')}>{PLACES.overview}</a>
      <a href={placeOf(id, 'api-keys')}>{PLACES['api-keys']}</a>
    </>
  );
  return (
    <Place title={data.name} about={<code>{id}</code>} actions={links}>
      <ProjectForm key={data.updated_at} project={data} onSaved={reload} />
    </Place>
  );
}

interface ProjectFormProps {
  readonly project: {
    readonly id: string;
    readonly name: string;
    readonly reply_window_ms: number;
    readonly time_zone: string | null;
    readonly agent: { readonly instructions: string | null };
    readonly handoff_reply: string | null;
    readonly rate_limits: Readonly<Record<(typeof RATES)[number], number>>;
  };
  readonly onSaved: () => void;
}

function ProjectForm({ project, onSaved }: ProjectFormProps) {
  const { run, isRunning, problem } = useAction();
  const [isSaved, setSaved] = useState(false);
  const save = (values: Record<string, string>) =>
    run(async () => {
      await answerOf(
        api.PATCH('/admin/v1/projects/{id}', { params: { path: { id: project.id } }, body: changesOf(project, values) }),
      );
      setSaved(true);
      onSaved();
    });
  return (
    <Form onSubmit={save}>
      <Field label={TEXTS.name} name="name" value={project.name} required />
      <label class="field">
        <span>{WORDS.instructions}</span>
        <textarea name="instructions" defaultValue={project.agent.instructions ?? ''} />
      </label>
      <label class="field">
        <span>{WORDS.handoffReply}</span>
        <textarea name="handoff_reply" defaultValue={project.handoff_reply ?? ''} />
      </label>
      <div class="row end">
        <Field label={WORDS.window} name="reply_window_ms" type="number" value={String(project.reply_window_ms)} />
        <Field label={WORDS.zone} name="time_zone" value={project.time_zone ?? ''} />
      </div>
      <fieldset class="row end">
        <legend>{WORDS.limits}</legend>
        {RATES.map((rate) => (
          <Field key={rate} label={rate} name={rate} type="number" value={String(project.rate_limits[rate])} />
        ))}
      </fieldset>
      <ProblemNote problem={problem} />
      <div class="row">
        <button type="submit" class="primary" disabled={isRunning}>
          {WORDS.save}
        </button>
        <span role="status">{isSaved && WORDS.saved}</span>
      </div>
    </Form>
  );
}

/** What differs from the settings as they are: an empty field follows the operator's setting. */
function changesOf(project: ProjectFormProps['project'], values: Readonly<Record<string, string>>): Changes {
  const { name, reply_window_ms: reply, time_zone: zone = null, instructions = null, handoff_reply: ending = null } = values;
  const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text));
  const rates = RATES.filter((rate) => numberOf(values[rate]) !== project.rate_limits[rate]);
  return {
    ...(name !== project.name && { name }),
    ...(numberOf(reply) !== project.reply_window_ms && { reply_window_ms: numberOf(reply) }),
    ...(zone !== project.time_zone && { time_zone: zone }),
    ...(instructions !== project.agent.instructions && { agent: { instructions } }),
    ...(ending !== project.handoff_reply && { handoff_reply: ending }),
    ...(rates.length > 0 && { rate_limits: Object.fromEntries(rates.map((rate) => [rate, numberOf(values[rate])])) }),
  };
}
