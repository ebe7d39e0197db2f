import { Injectable } from '@nestjs/common';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { projectDecider, type Project } from '@domain/project/project.decider';
import { Clock } from '@ports/clock.port';
import { Settings, type RateLimits } from '@ports/settings.port';
import { RecentReads } from '../streams/recent-reads.js';
import { StreamRunner } from '../streams/stream-runner.js';

/** The effective settings of a project: its own, else the operator's. */
export interface ProjectSettings {
  readonly instructions: string | null;
  /** IANA name. */
  readonly timeZone: string;
  readonly replyWindowMs: number;
  readonly rateLimits: RateLimits;
}

type OwnSettings = Pick<Project, 'instructions' | 'timeZone' | 'replyWindowMs' | 'rateLimits'>;

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

  /** The newest state of the project; `resource_missing` for an unknown id. */
  async load(projectId: string): Promise<Project> {
    if (!isId('project', projectId)) throw resourceMissing('project');
    const project = await this.reads.newest(projectStream(projectId));
    if (!project.exists) throw resourceMissing('project');
    return project;
  }

  /** The project as of at most a second ago; changes made by this process are in it at once. */
  recent(projectId: string): Promise<Project> {
    return this.reads.recent(projectStream(projectId));
  }

  /** The project's settings as of at most a second ago; null when it must be read again. */
  known(projectId: string): ProjectSettings | null {
    const project = this.reads.known(projectStream(projectId));
    return project && this.settingsOf(project);
  }

  /** The project's settings as of at most a second ago. */
  async settings(projectId: string): Promise<ProjectSettings> {
    return this.settingsOf(await this.recent(projectId));
  }

  settingsOf(own: OwnSettings): ProjectSettings {
    let settings = this.settled.get(own);
    if (!settings) this.settled.set(own, (settings = this.merged(own)));
    return settings;
  }

  private merged({ instructions, timeZone, replyWindowMs, rateLimits }: OwnSettings): ProjectSettings {
    const { read, write, messages } = this.operator.rateLimits;
    return {
      instructions,
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
