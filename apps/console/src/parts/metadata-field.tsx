import { TEXTS } from '../texts.js';
import { metadataText } from './changed-members.js';
import { Area } from './fields.js';

/** What a client stores with a thing, to change it as a whole. */
export function MetadataField({ of }: { readonly of: { readonly metadata?: Readonly<Record<string, unknown>> } }) {
  return <Area label={TEXTS.metadataAsJson} name="metadata" value={metadataText(of)} isCode />;
}
