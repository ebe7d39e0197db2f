import { Injectable } from '@nestjs/common';
import type { IssueKind } from '@domain/issue/issue-kinds';
import { ReadModels } from '@ports/read-models.port';
import { AGENT_HEALTH, type AgentHealthRow } from '../conversations/state/agent-health-row.js';
import { ENDPOINT_HEALTH, type EndpointHealthRow } from '../webhooks/endpoint-health-row.js';
import type { IssuePlace } from './issue-directory.js';

/** What was counted for a subject so far. */
export interface Tally {
  readonly counted: number;
  readonly lastAt: number | null;
}

interface TallySource {
  readonly collection: string;
  readonly read: (row: object) => Tally;
}

/** The kinds that count something, in rows by the subject's id. */
const SOURCES: Partial<Record<IssueKind, TallySource>> = {
  endpoint_failing: {
    collection: ENDPOINT_HEALTH.name,
    read: (row) => (row as EndpointHealthRow).attempts,
  },
  deliveries_failed: {
    collection: ENDPOINT_HEALTH.name,
    read: (row) => ({
      counted: (row as EndpointHealthRow).deliveriesFailed,
      lastAt: (row as EndpointHealthRow).deliveryFailedAt,
    }),
  },
  agent_failing: { collection: AGENT_HEALTH.name, read: (row) => (row as AgentHealthRow).turns },
};

@Injectable()
export class IssueTallies {
  constructor(private readonly readModels: ReadModels) {}

  /** In the order of the places; null where nothing is counted, or was yet. */
  async of(places: readonly IssuePlace[]): Promise<readonly (Tally | null)[]> {
    const collections = [...new Set(places.flatMap(({ kind }) => SOURCES[kind]?.collection ?? []))];
    const rows = new Map(await Promise.all(collections.map(async (name) => [name, await this.rowsOf(name, places)] as const)));
    return places.map(({ kind, subjectId }) => {
      const source = SOURCES[kind];
      const row = source && rows.get(source.collection)?.get(subjectId);
      return source && row ? source.read(row) : null;
    });
  }

  private async rowsOf(collection: string, places: readonly IssuePlace[]): Promise<ReadonlyMap<string, object>> {
    const ids = [
      ...new Set(places.filter(({ kind }) => SOURCES[kind]?.collection === collection).map(({ subjectId }) => subjectId)),
    ];
    const rows = await this.readModels.getMany(collection, ids);
    return new Map(rows.flatMap((found) => (found ? [[found.id, found.row] as const] : [])));
  }
}
