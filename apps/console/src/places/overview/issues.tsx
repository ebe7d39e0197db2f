import { Curl } from '../../parts/curl.js';
import { Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import type { Change } from '../../state/changes.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { SELDOM_MS, useFresh } from '../../state/use-fresh.js';
import { useGrowing } from '../../state/use-growing.js';
import { TEXTS } from '../../texts.js';
import { IssueCard } from './issue-card.js';
import { ISSUES_A_PAGE, openIssues } from './open-issues.js';
import { WORDS } from './texts.js';

/** What is wrong with the installation, and in the project. */
export function Issues() {
  const project = useProject();
  const { wanted, more } = useGrowing('issues', ISSUES_A_PAGE);
  const { data, problem, reload } = useAnswer(() => openIssues(project, wanted), [project, wanted]);
  const issues = data?.items;
  // The stream announces what an open issue counts (attempts, deliveries, turns), not the issue itself.
  const matters = ({ object }: Change) => object === 'issue' || issues?.length !== 0;
  useFresh(['issue', 'webhook_delivery', 'conversation', 'session'], reload, matters, SELDOM_MS);
  return (
    <Section title={WORDS.issues}>
      <ProblemNote problem={problem} onRetry={reload} />
      <div role="status">{issues?.length === 0 && <p class="card status good">● {WORDS.fine}</p>}</div>
      <ul class="chat">
        {issues?.map((issue) => (
          <IssueCard key={issue.id} issue={issue} onDismissed={reload} />
        ))}
      </ul>
      {data?.hasMore && (
        <p>
          <a href={more}>{TEXTS.more}</a>
        </p>
      )}
      <Curl request={{ path: '/issues', query: { status: 'open' } }} />
    </Section>
  );
}
