import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { formatCount, Time } from '../../parts/time.js';
import { placeOf } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { WORDS } from './texts.js';

export interface ShownIssue {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly project_id: string | null;
  readonly subject: { readonly object: string; readonly id: string };
  readonly title: string;
  readonly cause: { readonly code: string; readonly message: string };
  readonly what_to_do: string;
  readonly count: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

/** One thing that is wrong, and the button that begins what helps. */
export function IssueCard({ issue, onDismissed }: { readonly issue: ShownIssue; readonly onDismissed: () => void }) {
  const { run, isRunning, problem } = useAction();
  const { id, kind, cause } = issue;
  const dismiss = () =>
    run(async () => {
      await answerOf(api.POST('/admin/v1/issues/{id}/dismiss', { params: { path: { id } }, body: {} }));
      onDismissed();
    });
  return (
    <li class="card problem stack tight">
      <div class="row apart">
        <h3>
          <Foreign text={issue.title} />
        </h3>
        <Status status={kind} tone="bad" />
      </div>
      <p>
        <strong>{cause.code}</strong>: <Foreign text={cause.message} />
      </p>
      <p>{issue.what_to_do}</p>
      <p class="small muted">
        {WORDS.times(formatCount(issue.count))}. {WORDS.firstSeen} <Time at={issue.first_seen_at} />, {WORDS.lastSeen}{' '}
        <Time at={issue.last_seen_at} />.
      </p>
      <ProblemNote problem={problem} />
      <div class="row">
        <a href={addressFor(issue)}>{WORDS.begin[kind as keyof typeof WORDS.begin] ?? kind}</a>
        <button type="button" disabled={isRunning} onClick={dismiss}>
          {WORDS.dismiss}
        </button>
      </div>
      {issue.project_id !== null && <Curl request={{ method: 'POST', path: `/issues/${id}/dismiss`, body: {} }} />}
    </li>
  );
}

/** Where what helps begins. */
function addressFor({ kind, project_id: project, subject }: ShownIssue): string {
  if (project === null) return '/admin/projections';
  if (kind === 'agent_failing') return placeOf(project, 'conversations');
  if (kind === 'endpoint_failing' || kind === 'deliveries_failed') {
    return `${placeOf(project, 'deliveries')}?endpoint_id=${encodeURIComponent(subject.id)}&status=failed,retrying`;
  }
  return placeOf(project, 'endpoints', subject.id);
}
