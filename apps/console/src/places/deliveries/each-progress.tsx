import { ProblemNote } from '../../parts/problem-note.js';
import { Progress } from '../../parts/progress.js';
import { DELIVERY_TEXTS as TEXTS } from './texts.js';
import type { Each } from './use-each.js';

export function EachProgress({ each }: { readonly each: Each }) {
  if (each.total === 0) return null;
  return (
    <div class="stack" role="status">
      <Progress label={TEXTS.working} done={each.done + each.refused} total={each.total} />
      <p>{TEXTS.eachDone(each.done, each.refused)}</p>
      <ProblemNote problem={each.problem} />
    </div>
  );
}
