import { Injectable } from '@nestjs/common';
import type { Issue } from '@domain/issue/issue';
import { evolveIssue } from '@domain/issue/issue.decider';
import type { IssueEvent } from '@domain/issue/issue.events';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Secrets } from '@ports/secrets.port';
import type { OperatorWebhook } from '@ports/settings.port';
import { OperatorSender } from '@ports/webhook-sender.port';
import { toTime } from '../../read-models/time.resource.js';
import { standardHeaders } from '../../webhooks/endpoints/signatures.js';
import { USER_AGENT } from '../../webhooks/user-agent.js';
import { toIssueResource } from '../issue.resource.js';
import { nameOfPost, type OperatorPost } from './operator-post.js';

/** Connections to the operator's address are shared with no project. */
const SHARED_BY = 'operator';

@Injectable()
export class OperatorPostSender {
  constructor(
    private readonly store: EventStore,
    private readonly sender: OperatorSender,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Null once it was accepted with a 2xx; else why not. Tells of the issue as it was at that event. */
  async send({ url, secret }: OperatorWebhook, post: OperatorPost): Promise<string | null> {
    const body = await this.bodyOf(post);
    if (body === null) return null;
    const timestamp = Math.floor(this.clock.now() / 1_000);
    const hmac: Secrets['hmac'] = (key, message, encoding) => this.secrets.hmac(key, message, encoding);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': USER_AGENT,
      ...standardHeaders(hmac, [secret], { eventId: nameOfPost(post), timestamp, body }),
    };
    const result = await this.sender.send({ projectId: SHARED_BY, url, headers, body });
    if (result.kind === 'answered') return result.status >= 200 && result.status < 300 ? null : `it answered ${result.status}`;
    return result.kind === 'unreached' ? result.error : result.cause;
  }

  /** Null where the event is no longer in the log. */
  private async bodyOf({ stream, revision, what }: OperatorPost): Promise<string | null> {
    const records = await this.store.read<IssueEvent>(stream, { limit: revision + 1 });
    const told = records.at(revision);
    const issue = records.reduce<Issue | null>((before, { event }) => evolveIssue(before, event), null);
    if (!told || !issue) return null;
    return JSON.stringify({ type: `issue.${what}`, timestamp: toTime(told.event.at), data: toIssueResource(issue) });
  }
}
