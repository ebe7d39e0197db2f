import { Facts } from '../../parts/facts.js';
import { Section } from '../../parts/place.js';
import { Foreign, Prose } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import type { Conversation } from './conversation-columns.js';
import { WORDS } from './texts.js';

/** Who handed a conversation over, why, when, and what the human should know. */
export function HandoffFacts({ of: { by, reason, summary, at } }: { readonly of: NonNullable<Conversation['handoff']> }) {
  const { handoff } = WORDS;
  return (
    <Section title={handoff.title}>
      <div class="card stack">
        <Facts
          of={[
            [handoff.by, handoff.parties[by]],
            [handoff.at, <Time at={at} whole />],
            [handoff.reason, <Foreign text={reason} />],
            [handoff.summary, summary === null ? null : <Prose text={summary} />],
          ]}
        />
      </div>
    </Section>
  );
}
