import { Command, curlOf } from '../../parts/curl.js';
import { TEXTS } from '../../texts.js';
import { DELIVERY_TEXTS } from './texts.js';

const SHOWN = 20;

/** The requests that do the same to each delivery. */
export function EachCurl({ ids, action }: { readonly ids: readonly string[]; readonly action: 'retry' | 'cancel' }) {
  const commands = ids.slice(0, SHOWN).map((id) => curlOf({ method: 'POST', path: `/deliveries/${id}/${action}` }));
  if (ids.length > SHOWN) commands.push(DELIVERY_TEXTS.andMore(ids.length - SHOWN));
  return <Command summary={TEXTS.curl} text={commands.join('\n')} note="$API_KEY" />;
}
