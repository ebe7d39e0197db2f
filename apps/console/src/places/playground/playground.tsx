import { useEffect, useState } from 'preact/hooks';
import type { SpokenReply } from '../../api/spoken-reply.js';
import { IdLink } from '../../parts/id-link.js';
import { Place, Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Reach } from '../../parts/reach.js';
import { Foreign } from '../../parts/text-block.js';
import { useProject } from '../../state/project.js';
import { useView } from '../../state/use-view.js';
import { PLACES } from '../../texts.js';
import { CausedLists } from './caused-lists.js';
import { Receiver } from './receiver.js';
import { TalkForm } from './talk-form.js';
import { WORDS } from './texts.js';
import { useCaused } from './use-caused.js';
import { Transcript } from '../conversations/transcript.js';

/** Talks to the agent under a thread id of its own, which the address has. */
export function Playground() {
  const { query, show } = useView();
  const thread = query['thread'];
  useEffect(() => {
    if (!thread) show({ thread: newThread() }, true);
  }, [thread]);
  const begin = () => show({ thread: newThread(), after: undefined, before: undefined });
  return (
    <Place title={PLACES.playground} about={WORDS.about} actions={<button onClick={begin}>{WORDS.anew}</button>}>
      {thread && <Thread key={thread} thread={thread} />}
    </Place>
  );
}

function newThread(): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  return `playground-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function Thread({ thread }: { readonly thread: string }) {
  const project = useProject();
  const { data, problem, reload } = useCaused(project, thread);
  const [heard, setHeard] = useState<SpokenReply | null>(null);
  const conversation = data?.conversation ?? null;
  return (
    <>
      <div class="card warning stack tight">
        <p>{WORDS.real}</p>
        <Reach />
      </div>
      <ProblemNote problem={problem} onRetry={reload} />
      <div class="columns">
        <Section title={WORDS.talk}>
          <p class="row small muted">
            {WORDS.thread} <Foreign text={thread} />
            {conversation && <IdLink id={conversation.id}>{WORDS.conversation}</IdLink>}
          </p>
          {conversation && <Transcript id={conversation.id} heard={heard} />}
          {conversation?.status === 'ended' && <p class="card warning">{WORDS.ended}</p>}
          {conversation?.status === 'handed_off' && <p class="card warning">{WORDS.handedOff}</p>}
          <TalkForm thread={thread} isFirst={data !== undefined && conversation === null} onHeard={setHeard} onSaid={reload} />
        </Section>
        <Section title={WORDS.caused.title}>
          <CausedLists of={data} />
        </Section>
      </div>
      <Section title={WORDS.receiver.title}>
        <Receiver events={data?.events ?? []} />
      </Section>
    </>
  );
}
