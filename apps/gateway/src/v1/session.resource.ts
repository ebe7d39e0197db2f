import { ApiProperty } from '@nestjs/swagger';
import type { SessionTurnView, SessionView } from '@application/sessions/session.commands';
import { toSessionResource as toRendered } from '@application/sessions/session.resource';
import type { JsonText } from '@domain/kernel/json-text';
import { ROLES } from '@domain/kernel/role';
import { MOST_BOOKED_SHOWN } from '@application/sessions/sessions.projection';
import { SESSION_DIRECTIONS, SESSION_OUTCOMES, SESSION_STATUSES } from '@domain/session/session.events';
import { toTime } from '@application/read-models/time.resource';
import {
  COUNT_OR_NULL,
  idOf,
  idOrNull,
  METADATA,
  one,
  oneOrNull,
  TEXT,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from './schemas.resource.js';

const BOOKED_SHOWN = `The appointments that were made on the call, oldest first: the first ${MOST_BOOKED_SHOWN} of them.`;

export class SessionResource {
  @ApiProperty(idOf('session')) id!: string;
  @ApiProperty(one('session')) object!: 'session';
  @ApiProperty(one(...SESSION_STATUSES)) status!: string;
  @ApiProperty(one('voice')) channel!: 'voice';
  @ApiProperty(one(...SESSION_DIRECTIONS)) direction!: string;
  @ApiProperty(TEXT_OR_NULL) external_id!: string | null;
  @ApiProperty(TEXT_OR_NULL) from!: string | null;
  @ApiProperty(TEXT_OR_NULL) to!: string | null;
  @ApiProperty(idOrNull('customer')) customer_id!: string | null;
  @ApiProperty(idOrNull('conversation')) conversation_id!: string | null;
  @ApiProperty({ type: 'array', items: idOf('appointment'), description: BOOKED_SHOWN }) appointment_ids!: readonly string[];
  @ApiProperty(oneOrNull(...SESSION_OUTCOMES)) outcome!: string | null;
  @ApiProperty(TEXT_OR_NULL) end_reason!: string | null;
  @ApiProperty(TEXT_OR_NULL) summary!: string | null;
  @ApiProperty(METADATA) metadata!: JsonText;
  @ApiProperty(TIME) started_at!: string;
  @ApiProperty(TIME_OR_NULL) ended_at!: string | null;
  @ApiProperty(COUNT_OR_NULL) duration_seconds!: number | null;
  @ApiProperty(TIME) created_at!: string;
}

export class SessionTurnResource {
  @ApiProperty(idOf('turn')) id!: string;
  @ApiProperty(one('session_turn')) object!: 'session_turn';
  @ApiProperty(idOf('session')) session_id!: string;
  @ApiProperty(one(...ROLES)) role!: string;
  @ApiProperty(TEXT) content!: string;
  @ApiProperty(TIME) at!: string;
  @ApiProperty(TIME) created_at!: string;
}

// Does not compile when the documented and the rendered shape differ.
export const toSessionResource: (session: SessionView) => SessionResource = toRendered;

/** What was said on a call: `at` is when it was said, `created_at` when it was stored. */
export function toSessionTurnResource({ id, sessionId, role, content, at, createdAt }: SessionTurnView): SessionTurnResource {
  return { id, object: 'session_turn', session_id: sessionId, role, content, at: toTime(at), created_at: toTime(createdAt) };
}
