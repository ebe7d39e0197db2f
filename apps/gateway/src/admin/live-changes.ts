import type { FastifyReply } from 'fastify';
import { Injectable } from '@nestjs/common';
import { ChangeFeed } from '@application/changes/change-feed';
import type { Change, ChangeBatch } from '@application/changes/pending-changes';
import type { Position } from '@ports/event-store.port';
import { eventText, type EventStream } from '../http/server-sent-events/event-stream.js';
import { ServerSentEvents } from '../http/server-sent-events/server-sent-events.js';

/** Streams of what changes in a project. A reader that is too slow for its changes gets a `reset`. */
@Injectable()
export class LiveChanges {
  /** A batch is written once for all streams of its project. */
  private readonly texts = new WeakMap<readonly Change[], string>();

  constructor(
    private readonly feed: ChangeFeed,
    private readonly events: ServerSentEvents,
  ) {}

  /** Goes on after the position `since`; from now on where it is null. Rejects with `StoreUnavailable`, before any header is set. */
  async begin(reply: FastifyReply, projectId: string, since: Position | null): Promise<EventStream> {
    let stream: EventStream | null = null;
    let isBehind = false;
    const tell = (batch: ChangeBatch, upTo: Position) => {
      if (!stream || stream.isFull) isBehind = true;
      else stream.send(this.textOf(batch, upTo));
    };
    const { from, missed, leave } = await this.feed.listen(projectId, since, tell);
    stream = this.events.begin(reply, () => (this.feed.position > from ? this.feed.position : from));
    const catchUp = () => {
      if (!isBehind) return;
      isBehind = false;
      tell(null, this.feed.position);
    };
    stream.onRoom(catchUp);
    stream.once('close', leave);
    tell(missed, from);
    catchUp();
    return stream;
  }

  private textOf(batch: ChangeBatch, upTo: Position): string {
    if (batch === null) return eventText({ event: 'reset', data: {}, id: upTo });
    let text = this.texts.get(batch);
    if (text === undefined) this.texts.set(batch, (text = batch.map(changedText).join('')));
    return text;
  }
}

function changedText({ object, id, projectId, position }: Change): string {
  return eventText({ event: 'changed', data: { object, id, project_id: projectId }, id: position });
}
