import type { components } from '../../api/admin-api.js';
import { formatCount } from '../../parts/time.js';
import { WORDS } from './texts.js';

const PARTS = [
  ['succeeded', '●', 'good'],
  ['pending', '○', ''],
  ['failed', '▲', 'bad'],
  ['cancelled', '–', ''],
] as const;

/** How an event's deliveries stand: shape, number and word of each. */
export function DeliverySummary({ summary }: { readonly summary: components['schemas']['DeliverySummaryResource'] }) {
  if (summary.total === 0) return <span class="muted">{WORDS.noDeliveries}</span>;
  return (
    <span class="row">
      {PARTS.filter(([name]) => summary[name] > 0).map(([name, shape, tone]) => (
        <span key={name} class={`status ${tone}`}>
          <span aria-hidden="true">{shape}</span>
          {formatCount(summary[name])} {WORDS.summary[name]}
        </span>
      ))}
    </span>
  );
}
