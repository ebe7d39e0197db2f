import { ApiSchema } from '@nestjs/swagger';
import type { ConversationStats } from '@application/conversations/stats/conversation-stats.query';
import { toTime } from '@application/read-models/time.resource';
import { COUNT, COUNT_OR_NULL, KindMember, Member, TIME } from '../http/docs/schemas.resource.js';
import { DurationPercentilesResource } from '../v1/duration-percentiles.resource.js';
import { ABOUT_SPANS, ABOUT_WINDOW, WINDOW } from '../v1/window-filters.js';

@ApiSchema({ description: 'Turns by how they ended within the window. One that failed and was answered later is in both.' })
class TurnCountsResource {
  @Member(COUNT, 'Turns that ended with a reply.') replied!: number;
  @Member(COUNT, 'Turns that ended without one, except where their conversation ended first.') failed!: number;
}

@ApiSchema({ description: 'What was said in one span of the window.' })
class ConversationStatsPointResource {
  @Member(TIME, 'When the span begins, in UTC.') at!: string;
  @Member(COUNT, 'Messages of customers.') messages!: number;
  @Member(COUNT, 'Turns that ended with a reply.') replied!: number;
  @Member(COUNT, 'Turns that failed.') failed!: number;
  @Member(COUNT_OR_NULL, 'What 95 % of the replies took at most, as `duration_ms.p95`; null without replies.')
  p95_ms!: number | null;
}

const SERIES = { type: () => [ConversationStatsPointResource] };

@ApiSchema({ description: "What was said in a project's conversations." })
export class ConversationStatsResource {
  @KindMember('conversation_stats') object!: 'conversation_stats';
  @Member(WINDOW, ABOUT_WINDOW) window!: string;
  @Member(COUNT, 'Messages of customers within the window.') messages!: number;
  @Member({ type: () => TurnCountsResource }, 'Turns of the agent.') turns!: TurnCountsResource;
  @Member({ type: () => DurationPercentilesResource }, 'How long customers waited for the replies.')
  duration_ms!: DurationPercentilesResource;
  @Member(SERIES, ABOUT_SPANS) series!: readonly ConversationStatsPointResource[];
}

export function toConversationStatsResource(stats: ConversationStats): ConversationStatsResource {
  const { window, messages, turns, durationMs, series } = stats;
  return {
    object: 'conversation_stats',
    window,
    messages,
    turns,
    duration_ms: durationMs,
    series: series.map(({ at, p95Ms, ...counts }) => ({ at: toTime(at), ...counts, p95_ms: p95Ms })),
  };
}
