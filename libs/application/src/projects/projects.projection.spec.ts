import type { ProjectEvent } from '@domain/project/project.events';
import type { Recorded } from '@ports/event-store.port';
import type { ProjectedRow } from '../read-models/projection.js';
import { INSTALLATION, projectsProjection, type ProjectRow } from './projects.projection.js';

const created: ProjectEvent = { type: 'ProjectCreated', at: 1, projectId: 'prj_1', name: 'default' };
const keyed: ProjectEvent = { type: 'ApiKeyRevoked', at: 3, keyId: 'key_1' };

function recorded(event: ProjectEvent): Recorded<ProjectEvent> {
  return { id: 'id', stream: 'project-prj_1', revision: 0, position: '1', event };
}

function projected(...events: ProjectEvent[]): ProjectedRow<ProjectRow> | null {
  return events.reduce<ProjectedRow<ProjectRow> | null>(
    (row, event) => projectsProjection.project(row, recorded(event), 'prj_1'),
    null,
  );
}

describe('the list of projects', () => {
  it('shows a project with what it chose for itself', () => {
    const changes = { replyWindowMs: 5_000, rateLimits: { read: 0 } };
    expect(projected(created, { type: 'ProjectUpdated', at: 2, changes })).toEqual({
      projectId: INSTALLATION,
      createdAt: 1,
      deleted: false,
      row: {
        name: 'default',
        replyWindowMs: 5_000,
        instructions: null,
        handoffReply: null,
        timeZone: null,
        rateLimits: { read: 0 },
        updatedAt: 2,
      },
    });
  });

  it('has nothing to do with keys', () => {
    expect(projectsProjection.rowIds(recorded(keyed))).toEqual([]);
    expect(projectsProjection.rowIds(recorded(created))).toEqual(['prj_1']);
  });

  it('knows nothing of a project that was not created', () => {
    expect(projected({ type: 'ProjectUpdated', at: 2, changes: { name: 'x' } })).toBeNull();
  });
});
