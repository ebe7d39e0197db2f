import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { projectDecider, type Project } from '@domain/project/project.decider';
import { Clock } from '@ports/clock.port';
import { Settings, type RateLimits } from '@ports/settings.port';
import { StreamRunner } from '../streams/stream-runner.js';

/** The age up to which a project's cached fold is used without reading events of other processes. */
const FRESH_MS = 1_000;
const PROJECTS_CACHED = 10_000;

/** The effective settings of a project: its own, else the operator's. */
export interface ProjectSettings {
  readonly instructions: string | null;
  readonly replyWindowMs: number;
  readonly rateLimits: RateLimits;
}

type OwnSettings = Pick<Project, 'instructions' | 'replyWindowMs' | 'rateLimits'>;

/** Projects by id, cheap enough for every request. */
@Injectable()
export class ProjectDirectory {
  /** The wall-clock time of each project's last read. */
  private readonly readAt = new LRUCache<string, number>({ max: PROJECTS_CACHED });
  private readonly reading = new Map<string, Promise<Project>>();
  private readonly settled = new WeakMap<OwnSettings, ProjectSettings>();

  constructor(
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly operator: Settings,
  ) {}

  /** The newest state of the project; `resource_missing` for an unknown id. */
  async load(projectId: string): Promise<Project> {
    if (!isId('project', projectId)) throw resourceMissing('project');
    const project = await this.read(projectId);
    if (!project.exists) throw resourceMissing('project');
    return project;
  }

  /** The project as of at most a second ago; changes made by this process are in it at once. */
  async recent(projectId: string): Promise<Project> {
    const fresh = this.fresh(projectId);
    if (fresh) return fresh;
    const underWay = this.reading.get(projectId);
    if (underWay) return underWay;
    const reading = this.read(projectId).finally(() => this.reading.delete(projectId));
    this.reading.set(projectId, reading);
    return reading;
  }

  /** The project as of at most a second ago; null when it must be read again. */
  private fresh(projectId: string): Project | null {
    const age = this.clock.now() - (this.readAt.get(projectId) ?? -Infinity);
    if (age < 0 || age >= FRESH_MS) return null;
    return this.streams.cache.get<Project>(projectStream(projectId))?.state ?? null;
  }

  /** The project's settings as of at most a second ago; null when it must be read again. */
  known(projectId: string): ProjectSettings | null {
    const project = this.fresh(projectId);
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

  private async read(projectId: string): Promise<Project> {
    const startedAt = this.clock.now();
    const { state } = await this.streams.load(projectStream(projectId), projectDecider);
    if (state.exists) this.readAt.set(projectId, startedAt);
    return state;
  }

  private merged({ instructions, replyWindowMs, rateLimits }: OwnSettings): ProjectSettings {
    const { read, write, messages } = this.operator.rateLimits;
    return {
      instructions,
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
