import type { ComponentChildren } from 'preact';

/** Names and values of one thing. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd>{value ?? '–'}</dd>
        </>
      ))}
    </dl>
  );
}
