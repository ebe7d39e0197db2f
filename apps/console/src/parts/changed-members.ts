import { jsonOf } from '../api/json-of.js';

interface Thing {
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Metadata as its field shows it. */
export function metadataText({ metadata = {} }: Thing): string {
  return JSON.stringify(metadata, null, 2);
}

/** What of a form differs from the thing that it shows, for a PATCH: an empty field empties its member. */
export function changedMembers<Name extends string>(
  values: Readonly<Record<string, string>>,
  of: Thing & { readonly [name in Name]?: string | null },
  names: readonly Name[],
): { readonly [name in Name]?: string | null } & { readonly metadata?: Record<string, unknown> } {
  const texts = names.filter((name) => (values[name] ?? null) !== shownText(of[name]));
  const metadata = values['metadata'] ?? '{}';
  return {
    ...(Object.fromEntries(texts.map((name) => [name, values[name] ?? null])) as { readonly [name in Name]?: string | null }),
    ...(metadata !== metadataText(of) && { metadata: jsonOf(metadata) }),
  };
}

/** A field has each end of a line as one character. */
function shownText(text: string | null | undefined): string | null {
  return text ? text.replaceAll(/\r\n?/g, '\n') : null;
}
