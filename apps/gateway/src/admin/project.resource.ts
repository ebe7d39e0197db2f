import type { ProjectSettings } from '@application/projects/project-directory';
import { toTime } from '@application/read-models/time.resource';

interface ProjectFacts {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A project with its effective settings, for administrators. */
export function toProjectResource(
  { id, name, createdAt, updatedAt }: ProjectFacts,
  { instructions, timeZone, replyWindowMs, rateLimits }: ProjectSettings,
) {
  const { read, write, messages } = rateLimits;
  return {
    id,
    object: 'project',
    name,
    reply_window_ms: replyWindowMs,
    agent: { instructions },
    time_zone: timeZone,
    rate_limits: { read, write, messages },
    created_at: toTime(createdAt),
    updated_at: toTime(updatedAt),
  };
}
