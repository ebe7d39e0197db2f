import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Dialog } from '../../parts/dialog.js';
import { DryRun } from '../../parts/dry-run.js';
import { Facts } from '../../parts/facts.js';
import { Choice, Field } from '../../parts/fields.js';
import { Foreign } from '../../parts/text-block.js';
import { formatCount } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { TEXTS as COMMON } from '../../texts.js';
import { filtersOf, notOfARetry, retryBodyOf } from './delivery-query.js';
import { DELIVERY_TEXTS } from './texts.js';

const TEXTS = DELIVERY_TEXTS.retry;
type Values = Readonly<Record<string, string>>;

/** Replays everything that matches the filters of the list, by a task that is counted first. */
export function ReplayMatching() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {DELIVERY_TEXTS.replayAll}
      </button>
      {isOpen && <ReplayDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ReplayDialog({ onClose }: { readonly onClose: () => void }) {
  const { query } = useView();
  const project_id = useProject();
  const bodyOf = (values: Values, isDryRun: boolean) => ({ ...retryBodyOf(query), ...choicesOf(values), dry_run: isDryRun });
  const unknown = notOfARetry(query);
  if (unknown.length > 0) return <CannotReplay names={unknown} onClose={onClose} />;
  return (
    <DryRun
      title={DELIVERY_TEXTS.replayAll}
      begin={(values, isDryRun) =>
        answerOf(
          api.POST('/admin/v1/projects/{project_id}/deliveries/retry', {
            params: { path: { project_id } },
            body: bodyOf(values, isDryRun),
          }),
        )
      }
      requestOf={(values, isDryRun) => ({ method: 'POST', path: '/deliveries/retry', body: bodyOf(values, isDryRun) })}
      doIt={(count) => TEXTS.doIt(formatCount(count))}
      onClose={onClose}
    >
      {(values) => <Choices values={values} />}
    </DryRun>
  );
}

function CannotReplay({ names, onClose }: { readonly names: readonly string[]; readonly onClose: () => void }) {
  return (
    <Dialog title={DELIVERY_TEXTS.replayAll} onClose={onClose}>
      <p>{TEXTS.cannot(names.join(', '))}</p>
      <div class="row">
        <button type="button" onClick={onClose}>
          {COMMON.close}
        </button>
      </div>
    </Dialog>
  );
}

function Choices({ values }: { readonly values: Values }) {
  const isFirst = Object.keys(values).length === 0;
  const { mode = 'all', per_second: pace = '50', skip_recovered: skips } = values;
  return (
    <>
      <Matched />
      <Choice label={TEXTS.mode} name="mode" value={mode} options={TEXTS.modes} />
      <Field label={TEXTS.perSecond} name="per_second" type="number" value={pace} hint={TEXTS.perSecondHint} />
      <label class="check">
        <input type="checkbox" name="skip_recovered" value="true" defaultChecked={isFirst || skips === 'true'} />
        {TEXTS.skipRecovered}
      </label>
    </>
  );
}

function choicesOf({ mode, per_second: pace, skip_recovered: skips }: Values) {
  return {
    ...(mode !== undefined && { mode: mode as 'all' | 'latest' }),
    ...(pace !== undefined && { per_second: Number(pace) }),
    skip_recovered: skips === 'true',
  };
}

/** The filters of the list, which say what is replayed. */
function Matched() {
  const { query } = useView();
  const filters = filtersOf(query) as Values;
  const set = Object.entries(filters).filter(([name]) => name !== 'order');
  return (
    <div class="stack tight">
      <p>{TEXTS.matches}</p>
      {set.length === 0 && <p>{TEXTS.noFilter}</p>}
      <Facts of={set.map(([name, value]) => [name, <Foreign text={value} />] as const)} />
      {!filters['status'] && <p class="muted">{TEXTS.statuses}</p>}
      <p class="muted">{TEXTS.needs}</p>
    </div>
  );
}
