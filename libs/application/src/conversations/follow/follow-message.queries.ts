import { Query } from '@nestjs/cqrs';
import type { ReplyPlace } from '../turns/live-reply.js';
import type { MessageName, Progress, Standing } from './message-follower.js';

/** A message as it is; with `wait` as soon as its reply is over, at most so long. Rejects with `resource_missing`. */
export class GetMessage extends Query<Standing> {
  constructor(
    readonly name: MessageName,
    readonly wait: { readonly ms: number; readonly signal: AbortSignal } | null = null,
  ) {
    super();
  }
}

/** What happens to a message until its reply is over, from the reader's position (null at the beginning), or until `signal` aborts. */
export class FollowMessage extends Query<AsyncGenerator<Progress>> {
  constructor(
    readonly name: MessageName,
    readonly from: ReplyPlace | null,
    readonly signal: AbortSignal,
  ) {
    super();
  }
}
