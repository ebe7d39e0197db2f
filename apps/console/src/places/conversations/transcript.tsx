import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import type { SpokenReply } from '../../api/spoken-reply.js';
import { IdLink } from '../../parts/id-link.js';
import type { Page, PageQuery } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { Talk, type Said } from '../../parts/talk.js';
import { Foreign } from '../../parts/text-block.js';
import { useProject } from '../../state/project.js';
import { ReplyUnderWay } from './reply-under-way.js';
import { WORDS } from './texts.js';

type Message = components['schemas']['MessageResource'];
type Action = components['schemas']['ActionResource'];

interface TranscriptProps {
  /** Of the conversation. */
  readonly id: string;
  /** The reply that this page hears while it is said. */
  readonly heard?: SpokenReply | null;
}

/** What was written in a conversation, what the agent did, and what it is saying. */
export function Transcript({ id, heard = null }: TranscriptProps) {
  const project_id = useProject();
  const ask = async (page: PageQuery): Promise<Page<Message & Said>> => {
    const answer = await answerOf(
      api.GET('/admin/v1/projects/{project_id}/conversations/{id}/messages', {
        params: { path: { project_id, id }, query: { order: 'desc', limit: 50, ...page } },
      }),
    );
    return { ...answer, data: answer.data.map((message) => ({ ...message, at: message.created_at })) };
  };
  return (
    <Talk
      label={WORDS.transcript}
      ask={ask}
      of={id}
      live="conversation"
      empty={WORDS.silent}
      who={({ author }) => author.type === 'human' && author.name !== undefined && <Human name={author.name} />}
      under={({ actions }) => actions.map((action) => <ActionLine key={action.id} of={action} />)}
      tail={(page) => <Tail conversationId={id} page={page} heard={heard} />}
    />
  );
}

interface TailProps {
  readonly conversationId: string;
  /** Newest first. */
  readonly page: readonly Message[];
  readonly heard: SpokenReply | null;
}

function Tail({ conversationId, page, heard }: TailProps) {
  const last = page.find(({ role }) => role === 'user');
  if (!last) return null;
  return (
    <ReplyUnderWay
      key={last.id}
      conversationId={conversationId}
      messageId={last.id}
      heard={heard?.messageId === last.id ? heard : null}
      isShown={(replyId) => page.some(({ id }) => id === replyId)}
    />
  );
}

function Human({ name }: { readonly name: string }) {
  return (
    <>
      <Foreign text={name} /> <span class="muted">{WORDS.human}</span>
    </>
  );
}

function ActionLine({ of: { type, operation, reason, summary, appointment_id: appointment } }: { readonly of: Action }) {
  return (
    <p class="row small">
      <Status status={operation ? `${type} ${operation}` : type} />
      {appointment && <IdLink id={appointment} />}
      {reason && <Foreign text={reason} />}
      {summary && <Foreign text={summary} />}
    </p>
  );
}
