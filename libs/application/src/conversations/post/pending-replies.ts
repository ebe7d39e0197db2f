import { Injectable } from '@nestjs/common';
import { PendingCalls } from '@kit/pending-calls';
import { Clock } from '@ports/clock.port';
import { Shutdown } from '../../runtime/shutdown.js';
import type { SentMessage } from '../conversation.commands.js';
import { MessageJob } from './pending-message.js';
import { LateRefusals, raceWindow } from '../message-window.js';

/** The messages on their way here: each is worked on once, and waited for as long as each request's window is. */
@Injectable()
export class MessageJobs {
  private readonly jobs = new PendingCalls<string, MessageJob>();
  private readonly refusals = new LateRefusals();

  constructor(
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {
    shutdown.onLastCall(() => this.jobs.values().forEach((job) => job.cutShort()));
  }

  /** Resolves when every message that was taken is stored, or refused. */
  async settled(): Promise<void> {
    await Promise.all(this.jobs.values().map(({ settled }) => settled));
  }

  /** A retry under the same key has the same message id, and joins what is under way. Rejects with `reply_timeout`. */
  outcome(messageId: string, windowMs: number, work: (job: MessageJob) => Promise<SentMessage>): Promise<SentMessage> {
    const refused = this.refusals.refusalOf(messageId);
    if (refused) return Promise.reject(refused);
    const windowEndsAt = this.clock.now() + windowMs;
    const job = this.jobs.get(messageId) ?? this.start(new MessageJob(messageId, windowEndsAt, work), windowMs);
    return raceWindow(job, windowEndsAt, this.clock);
  }

  private start(job: MessageJob, windowMs: number): MessageJob {
    const { messageId, windowEndsAt } = job;
    this.jobs.set(messageId, job);
    const cancel = this.clock.after(windowMs, () => job.endWindow());
    if (this.shutdown.isOverdue) job.cutShort();
    const forget = () => {
      cancel();
      this.jobs.delete(messageId);
    };
    job.outcome.then(forget, (error: unknown) => {
      forget();
      if (this.clock.now() >= windowEndsAt) this.refusals.remember(messageId, error);
    });
    return job;
  }
}
