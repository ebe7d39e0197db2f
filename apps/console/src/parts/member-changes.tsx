import type { ComponentChildren } from 'preact';
import { Foreign } from './text-block.js';

interface MemberChangesProps {
  /** Each member with its value before and after. */
  readonly of: Readonly<Record<string, readonly unknown[]>>;
  /** How a value of a member is shown: as JSON where this is absent. */
  readonly value?: (value: unknown, member: string) => ComponentChildren;
}

/** What a change did to the members of a thing. */
export function MemberChanges({ of, value = asJson }: MemberChangesProps) {
  return (
    <dl class="facts">
      {Object.entries(of).map(([member, [before, after]]) => (
        <>
          <dt key={member}>{member}</dt>
          <dd>
            {before !== null && <>{value(before, member)} → </>}
            {value(after, member)}
          </dd>
        </>
      ))}
    </dl>
  );
}

function asJson(value: unknown) {
  return <Foreign text={JSON.stringify(value)} />;
}
