import type { Projection } from '@application/read-models/projection';
import type { StoredRow } from '@ports/read-models.port';
import type { AdminSession } from '../service/admin-session.js';
import { type LivePage, type LiveRows, otherVersion } from './live-rows.js';

interface Answer {
  readonly checkpoint: string;
  readonly data: readonly {
    readonly id: string;
    readonly project_id: string;
    readonly created_at: number;
    readonly sort_id: string;
    readonly position: string;
    readonly deleted: boolean;
    readonly row: object;
    readonly text: string | null;
  }[];
}

const ROWS_AT_ONCE = 500;

/** As the admin API tells them. */
export class HttpLiveRows implements LiveRows {
  constructor(private readonly session: AdminSession) {}

  async check({ schema: { name, version } }: Projection): Promise<void> {
    const standing = await this.session.get<{ version: number }>(`/admin/v1/projections/${name}`);
    if (standing.version !== version) throw otherVersion(name);
  }

  page(projection: string, after: string | undefined): Promise<LivePage> {
    return this.rows(projection, { limit: String(ROWS_AT_ONCE), ...(after !== undefined && { after }) });
  }

  some(projection: string, ids: readonly string[]): Promise<LivePage> {
    return this.rows(projection, { ids: ids.join(',') });
  }

  private async rows(projection: string, query: Readonly<Record<string, string>>): Promise<LivePage> {
    const path = `/admin/v1/projections/${projection}/rows?${new URLSearchParams(query)}`;
    const { checkpoint, data } = await this.session.get<Answer>(path);
    return { checkpoint, rows: data.map(rowIn) };
  }
}

function rowIn({ project_id, created_at, sort_id, text, ...row }: Answer['data'][number]): StoredRow {
  return { ...row, projectId: project_id, createdAt: created_at, sortId: sort_id, ...(text !== null && { text }) };
}
