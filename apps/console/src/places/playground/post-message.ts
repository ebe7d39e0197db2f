import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { readReply, type SpokenReply } from '../../api/spoken-reply.js';

interface Listeners {
  /** Called once, when the message is stored. */
  readonly onStored: () => void;
  /** Called with each part of the reply; with null where no more will be heard of it. */
  readonly onHeard: (heard: SpokenReply | null) => void;
}

/** Posts a message, and hears the reply while it is said. Resolves when the reply is over; rejects with the refusal. */
export async function postMessage(
  project_id: string,
  body: components['schemas']['SendMessageDto'],
  { onStored, onHeard }: Listeners,
): Promise<void> {
  const call = api.POST('/admin/v1/projects/{project_id}/messages', {
    params: { path: { project_id } },
    body,
    headers: { accept: 'text/event-stream' },
    parseAs: 'stream',
  });
  let isStored = false;
  const hear = (heard: SpokenReply) => {
    if (!isStored) onStored();
    isStored = true;
    onHeard(heard);
  };
  const { replyId } = await readReply(await answerOf(call), hear);
  // The stream broke off: the transcript follows the reply by itself.
  if (replyId === null) onHeard(null);
}
