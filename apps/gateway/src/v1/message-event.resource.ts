import { ApiSchema } from '@nestjs/swagger';
import { Member, one, TEXT } from '../http/docs/schemas.resource.js';
import { withMeanings } from '../http/docs/with-meanings.js';

const EVENTS = {
  'message.created': 'the message is stored: `data` is the message.',
  'reply.delta': 'the next part of the reply: `data` is `{"delta": "…"}`.',
  'reply.reset': 'forget the deltas so far: `data` is `{}`.',
  'reply.completed': 'the reply is stored: `data` is the reply, with all of its text.',
  'conversation.updated': '`data` is the conversation.',
  error: 'there is no reply: `data` is the error object.',
  done: 'the stream ends: `data` is `{}`.',
} as const;

@ApiSchema({ description: 'An event of a stream. Its `id` says where to go on, by `Last-Event-ID`.' })
export class MessageEventResource {
  @Member(one(...Object.keys(EVENTS)), withMeanings('What happened. More may be added; ignore those you do not know.', EVENTS))
  event!: string;
  @Member(TEXT, 'What belongs to the event: a text that is JSON.') data!: string;
  @Member(TEXT, 'Where a reader stands after it: what to send as `Last-Event-ID`.') id!: string;
}
