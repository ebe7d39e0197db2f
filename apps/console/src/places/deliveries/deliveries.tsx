import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { List, type Page } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { placeOf, useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { CancelMatching } from './cancel-matching.js';
import { DELIVERY_COLUMNS } from './delivery-columns.js';
import { DeliveryFilters } from './delivery-filters.js';
import { FILTER_NAMES, filtersOf, type Delivery, type DeliveryQuery } from './delivery-query.js';
import { ReplayMatching } from './replay-matching.js';
import { SelectedDeliveries } from './selected-deliveries.js';
import { DELIVERY_TEXTS as TEXTS } from './texts.js';

/** All deliveries of the project, filtered by the address; some or all of them are replayed or cancelled. */
export function Deliveries() {
  const project_id = useProject();
  const { query, show } = useView();
  const [done, setDone] = useState(0);
  const filters = filtersOf(query);
  const picked = new Set(query['selected']?.split(',') ?? []);
  const pick = (ids: readonly string[]) => show({ selected: [...new Set(ids)].join() }, true);
  const isDone = () => setDone((count) => count + 1);
  const isSelectionDone = () => {
    pick([]);
    isDone();
  };
  return (
    <Place
      title={PLACES.deliveries}
      about={TEXTS.about}
      actions={[<ReplayMatching key="replay" />, <CancelMatching key="cancel" onDone={isDone} />]}
    >
      <div class="stack">
        <DeliveryFilters />
        <Curl request={{ path: '/deliveries', query: filters as Record<string, string> }} />
        <List
          caption={TEXTS.caption}
          ask={(page) => ask(project_id, { ...filters, ...page })}
          keys={[project_id, JSON.stringify(filters), done]}
          columns={DELIVERY_COLUMNS}
          live={['webhook_delivery']}
          isOldestFirst={filters.order === 'asc'}
          actions={(shown) => (
            <>
              {shown.length > 0 && (
                <button type="button" onClick={() => pick([...picked, ...shown])}>
                  {TEXTS.selectPage}
                </button>
              )}
              <SelectedDeliveries ids={[...picked]} onDone={isSelectionDone} onClear={() => pick([])} />
            </>
          )}
          picked={picked}
          onPick={(id, isPicked) => pick(isPicked ? [...picked, id] : [...picked].filter((each) => each !== id))}
          empty={<Empty />}
        />
      </div>
    </Place>
  );
}

function ask(project_id: string, query: DeliveryQuery): Promise<Page<Delivery>> {
  return answerOf(api.GET('/admin/v1/projects/{project_id}/deliveries', { params: { path: { project_id }, query } }));
}

function Empty() {
  const project = useProject();
  const { query, linkTo } = useView();
  const isFiltered = FILTER_NAMES.some((name) => query[name]);
  if (isFiltered)
    return (
      <>
        <p>{TEXTS.none}</p>
        <a href={linkTo(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}>{TEXTS.unfiltered}</a>
      </>
    );
  return (
    <>
      <p>{TEXTS.empty}</p>
      <p class="row">
        <a href={placeOf(project, 'endpoints')}>{TEXTS.toEndpoints}</a>
        <a href={placeOf(project, 'playground')}>{TEXTS.toPlayground}</a>
      </p>
    </>
  );
}
