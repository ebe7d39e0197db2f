import { ChangeProject, CreateProject } from '@application/projects/project.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { MAX_NOTE_LENGTH } from '@domain/kernel/text-bounds';
import type { ProjectChanges } from '@domain/project/project.events';
import { MAX_REPLY_WINDOW_MS, MAX_REQUESTS_PER_SECOND } from '@ports/setting-bounds';
import { NestedField, TextField } from '../http/fields/fields.js';
import { IntegerField, readZone, ZoneField } from '../http/fields/value-fields.js';
import { NAME, ProseField } from './admin-fields.js';

const RATE = { description: 'Requests a second; 0 turns the limit off, null follows the operator.' };

export class CreateProjectDto {
  @TextField({ ...NAME, required: true }) name!: string;

  toCommand(context: RequestContext): CreateProject {
    return new CreateProject(context, this.name);
  }
}

export class AgentSettingsDto {
  @ProseField({ max: 16_000, description: 'What the agent is told about this project, verbatim.' }) instructions?: string | null;
}

export class RateLimitsDto {
  @IntegerField(0, MAX_REQUESTS_PER_SECOND, RATE) read?: number | null;
  @IntegerField(0, MAX_REQUESTS_PER_SECOND, RATE) write?: number | null;
  @IntegerField(0, MAX_REQUESTS_PER_SECOND, RATE) messages?: number | null;
}

export class UpdateProjectDto {
  @TextField(NAME) name?: string | null;
  @IntegerField(1_000, MAX_REPLY_WINDOW_MS, {
    description: 'The synchronous window in milliseconds; null follows the operator.',
  })
  reply_window_ms?: number | null;
  @NestedField(() => AgentSettingsDto, { description: 'What the agent is told.' }) agent?: AgentSettingsDto | null;
  @NestedField(() => RateLimitsDto, { description: 'How much the project may ask.' }) rate_limits?: RateLimitsDto | null;

  @TextField({
    max: MAX_NOTE_LENGTH,
    description: 'What a reply of the agent that hands over to a human ends with, after a blank line; null for nothing.',
    example: 'A colleague will write to you within the hour.',
  })
  handoff_reply?: string | null;

  @ZoneField({
    description: 'The zone of conversations that have none of their own, and so of times in words; null is UTC.',
  })
  time_zone?: string | null;

  toCommand(context: RequestContext, projectId: string): ChangeProject {
    return new ChangeProject(context, projectId, { type: 'UpdateProject', changes: this.toChanges() });
  }

  private toChanges(): ProjectChanges {
    const {
      name,
      reply_window_ms: replyWindowMs,
      agent,
      rate_limits: rateLimits,
      time_zone: zone,
      handoff_reply: handoffReply,
    } = this;
    return {
      ...(typeof name === 'string' && { name }),
      ...(replyWindowMs !== undefined && { replyWindowMs }),
      ...(handoffReply !== undefined && { handoffReply }),
      ...(zone !== undefined && { timeZone: readZone(zone) }),
      ...(agent?.instructions !== undefined && { instructions: agent.instructions }),
      ...(rateLimits && { rateLimits: given(rateLimits) }),
    };
  }
}

function given({ read, write, messages }: RateLimitsDto) {
  return {
    ...(read !== undefined && { read }),
    ...(write !== undefined && { write }),
    ...(messages !== undefined && { messages }),
  };
}
