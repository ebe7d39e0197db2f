import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { readReply, type SpokenReply } from '../../api/spoken-reply.js';
import { Status } from '../../parts/status.js';
import { Prose } from '../../parts/text-block.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { TEXTS } from '../../texts.js';

interface ReplyUnderWayProps {
  readonly conversationId: string;
  /** The last message of the customer. */
  readonly messageId: string;
  /** What this page hears of the reply already, so that it need not ask. */
  readonly heard: SpokenReply | null;
  /** Whether the transcript shows the reply already. */
  readonly isShown: (replyId: string) => boolean;
}

/** The reply to the last message while it is said, and why there is none. */
export function ReplyUnderWay({ conversationId, messageId, heard, isShown }: ReplyUnderWayProps) {
  const project_id = useProject();
  const path = { project_id, id: conversationId, message_id: messageId };
  const { data, reload } = useAnswer(
    () => answerOf(api.GET('/admin/v1/projects/{project_id}/conversations/{id}/messages/{message_id}', { params: { path } })),
    [messageId],
  );
  useFresh(['conversation'], reload, ({ id }) => id === conversationId);
  const isOpen = data?.reply_status === 'pending' || data?.reply_status === 'queued';
  const followed = useFollowed(path, isOpen && heard === null);
  const { text, replyId } = heard ?? followed ?? { text: '', replyId: null };
  const id = data?.reply?.id ?? replyId;
  const hasFailed = data?.reply_status === 'failed';
  if (id !== null && isShown(id)) return null;
  if (!isOpen && !hasFailed && text === '') return null;
  return (
    <li class="stack tight assistant">
      <span class="row apart small muted">
        <strong>{TEXTS.talk.assistant}</strong>
        {data?.reply_status && !replyId && <Status status={text === '' ? data.reply_status : 'pending'} />}
      </span>
      <Prose text={hasFailed ? (data?.error?.message ?? '') : text} />
    </li>
  );
}

interface MessagePath {
  readonly project_id: string;
  readonly id: string;
  readonly message_id: string;
}

/** What is said in a stream of the message. Where it breaks off, the transcript has the reply later. */
function useFollowed(path: MessagePath, isOpen: boolean): SpokenReply | null {
  const [spoken, setSpoken] = useState<SpokenReply | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    const left = new AbortController();
    const call = api.GET('/admin/v1/projects/{project_id}/conversations/{id}/messages/{message_id}/stream', {
      params: { path },
      parseAs: 'stream',
      signal: left.signal,
    });
    answerOf(call)
      .then((answer) => readReply(answer, setSpoken))
      .catch(() => undefined);
    return () => left.abort();
  }, [path.message_id, isOpen]);
  return spoken;
}
