import { Injectable } from '@nestjs/common';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { projectDecider, type Project } from '@domain/project/project.decider';
import { Clock } from '@ports/clock.port';
import { Settings, type RateLimits } from '@ports/settings.port';
import { RecentReads } from '../streams/recent-reads.js';
import { StreamRunner } from '../streams/stream-runner.js';

/** The project's settings, else the operator's. */
export interface ProjectSettings {
  readonly instructions: string | null;
  readonly handoffReply: string | null;
  readonly timeZone: string;
  readonly replyWindowMs: number;
  readonly rateLimits: RateLimits;
}

type OwnSettings = Pick<Project, 'instructions' | 'handoffReply' | 'timeZone' | 'replyWindowMs' | 'rateLimits'>;

/** Projects by id, cheap enough for every request. */
@Injectable()
export class ProjectDirectory {
  private readonly reads: RecentReads<Project>;
  private readonly settled = new WeakMap<OwnSettings, ProjectSettings>();

  constructor(
    streams: StreamRunner,
    clock: Clock,
    private readonly operator: Settings,
  ) {
    const load = async (stream: string) => (await streams.load(stream, projectDecider)).state;
    this.reads = new RecentReads(streams.cache, clock, load, ({ exists }) => exists);
  }

  /** The newest state; `resource_missing` for an unknown id. */
  async load(projectId: string): Promise<Project> {
    if (!isId('project', projectId)) throw resourceMissing('project');
    const project = await this.reads.newest(projectStream(projectId));
    if (!project.exists) throw resourceMissing('project');
    return project;
  }

  /** Like `recent`; `resource_missing`, which names the parameter, for an unknown id. */
  async find(projectId: string, param: string): Promise<Project> {
    const project = isId('project', projectId) ? await this.recent(projectId) : null;
    if (!project?.exists) throw resourceMissing('project', param);
    return project;
  }

  /** At most a second old; changes made by this process are in it at once. */
  recent(projectId: string): Promise<Project> {
    return this.reads.recent(projectStream(projectId));
  }

  /** The settings, at most a second old; null when they must be read again. */
  known(projectId: string): ProjectSettings | null {
    const project = this.reads.known(projectStream(projectId));
    return project && this.settingsOf(project);
  }

  async settings(projectId: string): Promise<ProjectSettings> {
    return this.settingsOf(await this.recent(projectId));
  }

  settingsOf(own: OwnSettings): ProjectSettings {
    let settings = this.settled.get(own);
    if (!settings) this.settled.set(own, (settings = this.merged(own)));
    return settings;
  }

  private merged({ instructions, handoffReply, timeZone, replyWindowMs, rateLimits }: OwnSettings): ProjectSettings {
    const { read, write, messages } = this.operator.rateLimits;
    return {
      instructions,
      handoffReply,
      timeZone: timeZone ?? 'UTC',
      replyWindowMs: replyWindowMs ?? this.operator.replyWindowMs,
      rateLimits: {
        read: rateLimits.read ?? read,
        write: rateLimits.write ?? write,
        messages: rateLimits.messages ?? messages,
      },
    };
  }
}

export function projectStream(projectId: string): string {
  return `project-${projectId}`;
}
