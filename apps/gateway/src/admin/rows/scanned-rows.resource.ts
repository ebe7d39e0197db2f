import { ApiExtraModels, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import type { ScannedRows } from '@application/projections/rows/row.queries';
import type { StoredRow } from '@ports/read-models.port';
import { FLAG, KindMember, Member, METADATA, TEXT, TEXT_OR_NULL } from '../../http/docs/schemas.resource.js';

const MILLISECONDS = { type: 'integer' } as const;

@ApiSchema({
  description:
    'A row as it is stored: its members, when it was created, the position of its last event, and the text that lists show.',
})
class ScannedRowResource {
  @Member(TEXT, 'The id of what it is about.') id!: string;
  @Member(TEXT, 'The project that it belongs to, or `installation`.') project_id!: string;
  @Member(MILLISECONDS, 'When what it is about was created, in milliseconds since 1970.') created_at!: number;
  @Member(TEXT, 'The position of the event that created it.') sort_id!: string;
  @Member(TEXT, 'The position of the last event that changed it.') position!: string;
  @Member(FLAG, 'Whether lists leave it out.') deleted!: boolean;
  @Member(METADATA, 'Its members, named as the projection names them. Times are milliseconds since 1970.') row!: object;
  @Member(TEXT_OR_NULL, 'The JSON that lists show of it; null where they make it when they are read.') text!: string | null;
}

@ApiExtraModels(ScannedRowResource)
@ApiSchema({ description: 'Rows of a projection, as they are stored at this moment.' })
export class ScannedRowsResource {
  @KindMember('projection_rows') object!: 'projection_rows';
  @Member(TEXT, 'The projection that they are rows of.') projection!: string;
  @Member(TEXT, 'They include every event up to this position.') checkpoint!: string;
  @Member({ type: 'array', items: { $ref: getSchemaPath(ScannedRowResource) } }, 'The rows, in the order of their ids.')
  data!: readonly ScannedRowResource[];
}

export function toScannedRowsResource(projection: string, { checkpoint, rows }: ScannedRows): ScannedRowsResource {
  return { object: 'projection_rows', projection, checkpoint, data: rows.map(toScannedRow) };
}

function toScannedRow({ projectId, createdAt, sortId, text, ...stored }: StoredRow): ScannedRowResource {
  const { id, position, deleted, row } = stored;
  return { id, project_id: projectId, created_at: createdAt, sort_id: sortId, position, deleted, row, text: text ?? null };
}
