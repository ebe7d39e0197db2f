import { Injectable, Logger } from '@nestjs/common';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { onAbort } from '@ports/on-abort';
import { Settings, type OperatorWebhook } from '@ports/settings.port';
import type { Sweeper } from '../../runtime/sweeper.js';
import { IssueFeed } from './issue-feed.js';
import { duePosts, nameOfPost, triedPost, type OperatorPost } from './operator-post.js';
import { OperatorPostSender } from './operator-post-sender.js';
import { PostsRecord, type PostsState, type StoredPosts } from './posts-record.js';

const EVERY_MS = 1_000;
const AT_ONCE = 16;
/** Later events wait in the log. */
const MAX_WAITING = 500;
/** Beyond the deadline of a POST. */
const HELD_MARGIN_MS = 10_000;
/** Another process may have left posts waiting. */
const READ_AGAIN_MS = 60_000;

/** Tells the operator's webhook of issues. In every process that may judge; the record lets one at a time send. */
@Injectable()
export class OperatorWebhookSweeper implements Sweeper {
  readonly name = 'operator-webhook';
  readonly everyMs = EVERY_MS;
  private readonly log = new Logger('operator webhook');
  private known: StoredPosts | null = null;
  private readAt = -Infinity;

  constructor(
    private readonly settings: Settings,
    private readonly record: PostsRecord,
    private readonly feed: IssueFeed,
    private readonly sender: OperatorPostSender,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  async sweep(now: number, signal: AbortSignal, round: Envelope): Promise<void> {
    const { operatorWebhook } = this.settings;
    if (!this.known) this.known = await this.begin(operatorWebhook !== null, signal, round);
    if (!operatorWebhook || !this.known || !this.isAnythingToDo(this.known, now)) return;
    const stored = (this.known = await this.read());
    if (!stored || stored.isHeld) return;
    await this.tell(operatorWebhook, stored, round, signal);
  }

  /** At the first start with an address only later issues are posted. Those opened while there is none are never posted. */
  private async begin(isTold: boolean, signal: AbortSignal, round: Envelope): Promise<StoredPosts | null> {
    const stored = await this.record.load();
    if (stored && isTold) {
      void this.feed.follow(stored.position, signal);
      return stored;
    }
    if (!stored && !isTold) return { position: '', waiting: [], revision: 'none', isHeld: false };
    const state = { position: await this.store.head(), waiting: [] };
    const revision = await this.record.save(state, stored?.revision ?? 'none', round);
    if (revision === null) return null;
    if (isTold) void this.feed.follow(state.position, signal);
    return { ...state, revision, isHeld: false };
  }

  private isAnythingToDo({ position, waiting }: PostsState, now: number): boolean {
    const isLong = Math.abs(this.clock.elapsed() - this.readAt) >= READ_AGAIN_MS;
    return isLong || this.feed.after(position).length > 0 || duePosts(waiting, now, 1).length > 0;
  }

  private async read(): Promise<StoredPosts | null> {
    const stored = await this.record.load();
    this.readAt = this.clock.elapsed();
    return stored;
  }

  private async tell(webhook: OperatorWebhook, stored: StoredPosts, round: Envelope, signal: AbortSignal): Promise<void> {
    const taken = this.feed.after(stored.position).slice(0, Math.max(0, MAX_WAITING - stored.waiting.length));
    const position = taken.at(-1)?.position ?? stored.position;
    const waiting = [...stored.waiting, ...taken];
    const due = duePosts(waiting, this.clock.now(), AT_ONCE);
    if (due.length === 0 && taken.length === 0) return;
    const heldMs = this.settings.webhookTimeoutMs + HELD_MARGIN_MS;
    const revision = await this.record.save({ position, waiting }, stored.revision, round, heldMs);
    if (revision === null || signal.aborted) return;
    const sending = Promise.all(due.map(async (post) => [post, await this.outcome(webhook, post)] as const));
    const sent = await unlessAborted(sending, signal);
    // The end of the process does not wait for a receiver: the next one sends again what is not recorded as sent.
    if (!sent) return;
    const outcomes = new Map(sent);
    const left = waiting.flatMap((post) => (outcomes.has(post) ? (outcomes.get(post) ?? []) : post));
    const saved = await this.record.save({ position, waiting: left }, revision, round);
    if (saved !== null) this.known = { position, waiting: left, revision: saved, isHeld: false };
  }

  /** What is left of the post: null once it was accepted or given up. */
  private async outcome(webhook: OperatorWebhook, post: OperatorPost): Promise<OperatorPost | null> {
    const failure = await this.sender.send(webhook, post);
    if (failure === null) return null;
    const next = triedPost(post, this.clock.now());
    const name = nameOfPost(post);
    if (next) this.log.warn(`${name} was not accepted, and is sent again: ${failure}`);
    else this.log.error(`${name} was not accepted for half an hour, and is given up: ${failure}`);
    return next;
  }
}

/** Null once the signal aborts. The work is not stopped, and its later rejection is ignored. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  let leave = (): void => undefined;
  const aborted = new Promise<null>((resolve) => (leave = onAbort(signal, () => resolve(null))));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    leave();
    work.catch(() => undefined);
  }
}
