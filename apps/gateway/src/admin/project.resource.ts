import { ApiSchema } from '@nestjs/swagger';
import type { ProjectSettings } from '@application/projects/project-directory';
import { toTime } from '@application/read-models/time.resource';
import { COUNT, idOf, KindMember, Member, TEXT, TEXT_OR_NULL, TIME } from '../http/docs/schemas.resource.js';

interface ProjectFacts {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

@ApiSchema({ description: "What a project's agent is told." })
class AgentSettingsResource {
  @Member(TEXT_OR_NULL, 'Told to the agent as it stands; null for nothing.') instructions!: string | null;
}

const RATE = 'requests a second; 0 for no limit.';

@ApiSchema({ description: 'How much a project may ask for: its own settings, else those of the operator.' })
class RateLimitsResource {
  @Member(COUNT, `Reads: ${RATE}`) read!: number;
  @Member(COUNT, `Writes: ${RATE}`) write!: number;
  @Member(COUNT, `Messages: ${RATE}`) messages!: number;
}

@ApiSchema({ description: 'A project: its conversations, appointments and endpoints are seen by nobody else.' })
export class ProjectResource {
  @Member(idOf('project'), 'Names the project.') id!: string;
  @KindMember('project') object!: 'project';
  @Member(TEXT, 'What people call it.') name!: string;
  @Member(COUNT, 'How long a post waits for its reply, in milliseconds.') reply_window_ms!: number;
  @Member({ type: AgentSettingsResource }, 'What the agent is told.') agent!: AgentSettingsResource;
  @Member(
    TEXT_OR_NULL,
    'What a reply of the agent that hands over to a human ends with, after a blank line, such as when somebody will write; null for nothing.',
  )
  handoff_reply!: string | null;
  @Member(TEXT, 'The zone of conversations that have none of their own, as the IANA database names it.') time_zone!: string;
  @Member({ type: RateLimitsResource }, 'How much it may ask for.') rate_limits!: RateLimitsResource;
  @Member(TIME, 'When it was made.') created_at!: string;
  @Member(TIME, 'When it was last changed, its keys included.') updated_at!: string;
}

export function toProjectResource(
  { id, name, createdAt, updatedAt }: ProjectFacts,
  { instructions, handoffReply, timeZone, replyWindowMs, rateLimits }: ProjectSettings,
): ProjectResource {
  const { read, write, messages } = rateLimits;
  return {
    id,
    object: 'project',
    name,
    reply_window_ms: replyWindowMs,
    agent: { instructions },
    handoff_reply: handoffReply,
    time_zone: timeZone,
    rate_limits: { read, write, messages },
    created_at: toTime(createdAt),
    updated_at: toTime(updatedAt),
  };
}
