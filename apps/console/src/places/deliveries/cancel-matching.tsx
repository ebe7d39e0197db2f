import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Dialog } from '../../parts/dialog.js';
import type { Page } from '../../parts/list.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { formatCount } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { useAction } from '../../state/use-action.js';
import { useView } from '../../state/use-view.js';
import { TEXTS } from '../../texts.js';
import { cancelDelivery } from './replay-delivery.js';
import { filtersOf, type Delivery } from './delivery-query.js';
import { EachCurl } from './each-curl.js';
import { EachProgress } from './each-progress.js';
import { DELIVERY_TEXTS } from './texts.js';
import { useEach } from './use-each.js';

const WAITING: readonly string[] = ['pending', 'retrying'];
const PAGE = 100;

/** Cancels every waiting delivery that matches the filters of the list, after they were counted. */
export function CancelMatching({ onDone }: { readonly onDone: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onDone();
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {DELIVERY_TEXTS.cancelAll}
      </button>
      {isOpen && <CancelDialog onClose={close} />}
    </>
  );
}

function CancelDialog({ onClose }: { readonly onClose: () => void }) {
  const [found, setFound] = useState<readonly string[] | null>(null);
  const [count, setCount] = useState(0);
  const { run, isRunning, problem } = useAction();
  const each = useEach();
  const project = useProject();
  const { query } = useView();
  const find = () => run(async () => setFound(await waitingIds(project, query, setCount)));
  return (
    <Dialog title={DELIVERY_TEXTS.cancelAllTitle} onClose={onClose}>
      <p>{DELIVERY_TEXTS.cancelAllAbout}</p>
      {isRunning && (
        <p role="status">
          {DELIVERY_TEXTS.found} {formatCount(count)}
        </p>
      )}
      {found?.length === 0 && <p role="status">{DELIVERY_TEXTS.cancelAllNone}</p>}
      {found !== null && found.length > 0 && (
        <>
          <p role="status">{DELIVERY_TEXTS.cancelSelectedAbout(found.length)}</p>
          <p class="muted">{DELIVERY_TEXTS.stayHere}</p>
          <EachCurl ids={found} action="cancel" />
        </>
      )}
      <ProblemNote problem={problem} />
      <EachProgress each={each} />
      <div class="row">
        {found === null && (
          <button type="button" class="primary" disabled={isRunning} onClick={find}>
            {DELIVERY_TEXTS.find}
          </button>
        )}
        {found !== null && found.length > 0 && each.total === 0 && (
          <button type="button" class="danger" onClick={() => each.start(found, (id) => cancelDelivery(project, id))}>
            {DELIVERY_TEXTS.cancelSelected(found.length)}
          </button>
        )}
        {each.isRunning && (
          <button type="button" onClick={each.stop}>
            {DELIVERY_TEXTS.stop}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {TEXTS.close}
        </button>
      </div>
    </Dialog>
  );
}

/** Ids of the deliveries that match and still wait, from all pages. */
async function waitingIds(project_id: string, values: Readonly<Record<string, string>>, onCount: (count: number) => void) {
  const filters = filtersOf(values);
  const asked = filters.status?.split(',') ?? WAITING;
  const status = asked.filter((each) => WAITING.includes(each)).join();
  if (status === '') return [];
  const ids: string[] = [];
  let page: Page<Delivery>;
  let after: string | null | undefined;
  do {
    const query = { ...filters, status, limit: PAGE, ...(after && { starting_after: after }) };
    page = await answerOf(api.GET('/admin/v1/projects/{project_id}/deliveries', { params: { path: { project_id }, query } }));
    ids.push(...page.data.map(({ id }) => id));
    onCount(ids.length);
    after = page.has_more ? page.next_cursor : null;
  } while (after);
  return ids;
}
