import { DomainError, type ErrorCode, type ErrorExtras } from '@domain/kernel/domain-error';
import type { Clock } from '@ports/clock.port';
import type { SentMessage } from './conversation.commands.js';
import type { MessageJob } from './post/pending-message.js';

const RETRY_AFTER_SECONDS = 2;
const REMEMBERED_REFUSALS = 1_000;
/** What is told of the message itself is told again; a failure may be over by then. */
const FAILURES: readonly ErrorCode[] = ['agent_unavailable', 'internal_error', 'service_unavailable', 'reply_timeout'];

/** The job's outcome, or `reply_timeout` when the window or the process ends first; the job goes on either way. */
export function raceWindow(job: MessageJob, windowEndsAt: number, clock: Clock): Promise<SentMessage> {
  return new Promise((resolve, reject) => {
    const end = () => reject(replyTimeout(job));
    if (windowEndsAt === job.windowEndsAt) {
      job.outcome.then(resolve, reject);
      return job.whenWindowIsOver(end);
    }
    const cancel = clock.after(windowEndsAt - clock.now(), end);
    void job.cut.then(end);
    job.outcome.then(resolve, reject).finally(cancel);
  });
}

/** What a post is told whose reply does not come in its window. */
export function replyTimeout({ conversationId, messageId }: MessageJob): DomainError {
  const extras: ErrorExtras = { message_id: messageId, ...(conversationId === null ? {} : { conversation_id: conversationId }) };
  return new DomainError('reply_timeout', 'The agent did not reply in time. The reply will be in the transcript.', {
    extras,
    retryAfter: RETRY_AFTER_SECONDS,
  });
}

/** Refusals that came after the window: the next request under the same key is told, though nothing was stored. */
export class LateRefusals {
  private readonly byMessage = new Map<string, DomainError>();

  remember(messageId: string, error: unknown): void {
    if (!(error instanceof DomainError) || FAILURES.includes(error.code)) return;
    this.byMessage.set(messageId, error);
    const oldest = this.byMessage.keys().next();
    if (this.byMessage.size > REMEMBERED_REFUSALS && !oldest.done) this.byMessage.delete(oldest.value);
  }

  refusalOf(messageId: string): DomainError | undefined {
    return this.byMessage.get(messageId);
  }
}
