import { ApiSchema } from '@nestjs/swagger';
import type { SessionTurnView, SessionView } from '@application/sessions/session.commands';
import { toSessionResource as toRendered } from '@application/sessions/session.resource';
import type { JsonText } from '@domain/kernel/json-text';
import { ROLES } from '@domain/kernel/role';
import { MAX_BOOKED_SHOWN } from '@application/sessions/sessions.projection';
import { SESSION_DIRECTIONS, SESSION_OUTCOMES, SESSION_STATUSES } from '@domain/session/session.events';
import { toTime } from '@application/read-models/time.resource';
import { withMeanings } from '../http/docs/with-meanings.js';
import { DIRECTION, OUTCOME, SESSION_STATUS, SPEAKER } from './meanings.js';
import {
  ABOUT_METADATA,
  COUNT_OR_NULL,
  idOf,
  idOrNull,
  KindMember,
  Member,
  METADATA,
  one,
  oneOrNull,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../http/docs/schemas.resource.js';

const BOOKED_SHOWN = `The appointments that were made on the call, oldest first: the first ${MAX_BOOKED_SHOWN} of them.`;

@ApiSchema({ description: 'A call of the voice agent.' })
export class SessionResource {
  @Member(idOf('session'), 'Names the call in paths and in `session_id` of other resources.') id!: string;
  @KindMember('session') object!: 'session';
  @Member(
    one(...SESSION_STATUSES),
    withMeanings('Whether the call goes on. One that nobody closes is closed after four hours.', SESSION_STATUS),
  )
  status!: string;
  @Member(one('voice'), 'Always `voice`: sessions are calls.') channel!: 'voice';
  @Member(one(...SESSION_DIRECTIONS), withMeanings('Who called whom.', DIRECTION)) direction!: string;
  @Member(TEXT_OR_NULL, "The telephony's own id of the call; null where none was given.") external_id!: string | null;
  @Member(
    TEXT_OR_NULL,
    'Who called: a number in E.164 format, an address such as `sip:…`, or a word such as `anonymous`; null where that was not said.',
  )
  from!: string | null;
  @Member(TEXT_OR_NULL, 'Who was called, in the same forms as `from`; null where that was not said.') to!: string | null;
  @Member(idOrNull('customer'), 'Whom the call is with; null where nobody was named.') customer_id!: string | null;
  @Member(idOrNull('conversation'), 'The conversation that the call belongs to; null where none was named.')
  conversation_id!: string | null;
  @Member({ type: 'array', items: idOf('appointment') }, BOOKED_SHOWN) appointment_ids!: readonly string[];
  @Member(oneOrNull(...SESSION_OUTCOMES), withMeanings('What came of the call; null until it is told.', OUTCOME))
  outcome!: string | null;
  @Member(
    TEXT_OR_NULL,
    'Why the call ended, such as `customer_hangup`; `stale` where nobody closed it; null until then, or where that was not said.',
  )
  end_reason!: string | null;
  @Member(TEXT_OR_NULL, 'What the call was about, for people; null until that is told.') summary!: string | null;
  @Member(METADATA, ABOUT_METADATA) metadata!: JsonText;
  @Member(TIME, 'When the call began.') started_at!: string;
  @Member(TIME_OR_NULL, 'When the call was over; null while it goes on.') ended_at!: string | null;
  @Member(COUNT_OR_NULL, 'Seconds from its beginning to its end; null while it goes on.') duration_seconds!: number | null;
  @Member(TIME, 'When the call was opened here: the same as `started_at`.') created_at!: string;
}

@ApiSchema({ description: 'Something that was said on a call.' })
export class SessionTurnResource {
  @Member(idOf('turn'), 'Names what was said.') id!: string;
  @KindMember('session_turn') object!: 'session_turn';
  @Member(idOf('session'), 'The call on which it was said.') session_id!: string;
  @Member(one(...ROLES), withMeanings('Who said it.', SPEAKER)) role!: string;
  @Member(TEXT, 'What was said.') content!: string;
  @Member(TIME, 'When it was said.') at!: string;
  @Member(TIME, 'When it was stored; the transcript is in this order.') created_at!: string;
}

// Fails to compile when the documented and the rendered shape differ.
export const toSessionResource: (session: SessionView) => SessionResource = toRendered;

export function toSessionTurnResource({ id, sessionId, role, content, at, createdAt }: SessionTurnView): SessionTurnResource {
  return { id, object: 'session_turn', session_id: sessionId, role, content, at: toTime(at), created_at: toTime(createdAt) };
}
