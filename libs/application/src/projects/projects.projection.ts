import { projectDecider } from '@domain/project/project.decider';
import type { OwnRateLimits, ProjectEvent } from '@domain/project/project.events';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../read-models/projection.js';
import { projectStream } from './project-directory.js';

/** Stands in for the project id of rows that belong to the installation. */
export const INSTALLATION = 'installation';

/** Null members mean the operator's setting. */
export interface ProjectRow {
  readonly name: string;
  readonly replyWindowMs: number | null;
  readonly instructions: string | null;
  readonly handoffReply: string | null;
  readonly timeZone: string | null;
  readonly rateLimits: OwnRateLimits;
  readonly updatedAt: number;
}

export const projectsProjection: Projection<ProjectEvent, ProjectRow> = {
  schema: { name: 'projects', version: 3, filterFields: [], dueFields: [] },
  columns: {
    name: { type: 'text', meaning: 'What people call it.' },
    replyWindowMs: {
      type: 'integer',
      unit: 'ms',
      meaning: "How long a post waits for its reply; null for the operator's setting.",
    },
    instructions: { type: 'text', meaning: 'What its agent is told; null for nothing.' },
    handoffReply: { type: 'text', meaning: 'What a reply of its agent that hands over ends with; null for nothing.' },
    timeZone: { type: 'text', meaning: 'The zone of conversations that have none of their own, as IANA names it; null for UTC.' },
    rateLimits: {
      type: 'json',
      unit: 'requests a second',
      meaning: "How much it may ask for; 0 for no limit, what is absent or null is the operator's setting.",
    },
    updatedAt: { type: 'time', meaning: 'When it was last changed, its keys included.' },
  },
  idKind: 'project',
  categories: ['project'],
  rowIds: ({ stream, event }) => (event.type === 'ProjectCreated' || event.type === 'ProjectUpdated' ? [idIn(stream)] : []),
  begins: ({ event }) => event.type === 'ProjectCreated',
  streamsOf: (_, id) => [projectStream(id)],
  project(before, { event }) {
    if (before === null && event.type !== 'ProjectCreated') return null;
    const known = before && { ...projectDecider.initial, ...before.row, exists: true, createdAt: before.createdAt };
    const project = projectDecider.evolve(known ?? projectDecider.initial, event);
    const { name, replyWindowMs, instructions, handoffReply, timeZone, rateLimits, createdAt, updatedAt } = project;
    return {
      projectId: INSTALLATION,
      createdAt,
      deleted: false,
      row: { name, replyWindowMs, instructions, handoffReply, timeZone, rateLimits, updatedAt },
    };
  },
};
