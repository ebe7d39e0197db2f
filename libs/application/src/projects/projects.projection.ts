import { projectDecider } from '@domain/project/project.decider';
import type { OwnRateLimits, ProjectEvent } from '@domain/project/project.events';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../read-models/projection.js';

/** Stands in for the project id of rows that belong to the installation. */
export const INSTALLATION = 'installation';

/** A project in lists; null members mean the operator's setting. */
export interface ProjectRow {
  readonly name: string;
  readonly replyWindowMs: number | null;
  readonly instructions: string | null;
  readonly timeZone: string | null;
  readonly rateLimits: OwnRateLimits;
  readonly updatedAt: number;
}

export const projectsProjection: Projection<ProjectEvent, ProjectRow> = {
  schema: { name: 'projects', version: 2, filterFields: [], dueFields: [] },
  idKind: 'project',
  categories: ['project'],
  rowIds: ({ stream, event }) => (event.type === 'ProjectCreated' || event.type === 'ProjectUpdated' ? [idIn(stream)] : []),
  begins: ({ event }) => event.type === 'ProjectCreated',
  project(before, { event }) {
    if (before === null && event.type !== 'ProjectCreated') return null;
    const known = before && { ...projectDecider.initial, ...before.row, exists: true, createdAt: before.createdAt };
    const project = projectDecider.evolve(known ?? projectDecider.initial, event);
    const { name, replyWindowMs, instructions, timeZone, rateLimits, createdAt, updatedAt } = project;
    return {
      projectId: INSTALLATION,
      createdAt,
      deleted: false,
      row: { name, replyWindowMs, instructions, timeZone, rateLimits, updatedAt },
    };
  },
};
