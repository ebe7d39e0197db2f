import { Injectable } from '@nestjs/common';
import { ReadModels, type Condition, type SortKey, type StoredRow } from '@ports/read-models.port';

const PAGE = 200;
const REACH = 5_000;

/** Which rows a task looks at, along those that meet the first condition. */
export interface RowSelection {
  readonly by: Condition;
  readonly filter: readonly Condition[];
}

export type MatchedPage<Row extends object> = readonly StoredRow<Row>[];

/** The rows of a project that a task is about, oldest first, in reads that are short whatever it has. */
@Injectable()
export class MatchedRows {
  constructor(private readonly readModels: ReadModels) {}

  async *pages<Row extends object>(
    collection: string,
    projectId: string,
    { by, filter }: RowSelection,
    cursor: string | null,
  ): AsyncGenerator<MatchedPage<Row>> {
    for (let after = cursor === null ? null : keyIn(cursor); ;) {
      const query = { projectId, by, filter, order: 'asc', limit: PAGE, reach: REACH, ...(after && { after }) } as const;
      const { rows, end } = await this.readModels.look(collection, query);
      const last = rows.length < PAGE ? end : rows.at(-1);
      yield rows as MatchedPage<Row>;
      if (!last) return;
      after = { createdAt: last.createdAt, sortId: last.sortId };
    }
  }
}

/** The place of a row in the order of a task. */
export function cursorOf({ createdAt, sortId }: SortKey): string {
  return `${createdAt} ${sortId}`;
}

function keyIn(cursor: string): SortKey {
  const [createdAt = '', sortId = ''] = cursor.split(' ');
  return { createdAt: Number(createdAt), sortId };
}

export function isAfter(cursor: string, other: string): boolean {
  const [one, two] = [keyIn(cursor), keyIn(other)];
  return one.createdAt === two.createdAt ? one.sortId > two.sortId : one.createdAt > two.createdAt;
}
