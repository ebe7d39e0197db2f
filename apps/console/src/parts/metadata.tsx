import { TEXTS } from '../texts.js';
import { TextBlock } from './text-block.js';

/** What a client stored with a thing; nothing where it stored nothing. */
export function Metadata({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  return Object.keys(of).length === 0 ? null : <TextBlock label={TEXTS.metadata} text={JSON.stringify(of, null, 2)} />;
}
