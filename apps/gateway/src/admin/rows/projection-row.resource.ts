import { ApiSchema } from '@nestjs/swagger';
import type { ProjectionRow } from '@application/projections/rows/row.queries';
import { FLAG, KindMember, Member, METADATA, TEXT } from '../../http/docs/schemas.resource.js';

@ApiSchema({ description: 'A row of a projection, as it is stored.' })
export class ProjectionRowResource {
  @KindMember('projection_row') object!: 'projection_row';
  @Member(TEXT, 'The projection that it is a row of.') projection!: string;
  @Member(TEXT, 'The id of what it is about.') id!: string;
  @Member(TEXT, 'The position of the last event that changed it.') position!: string;
  @Member(FLAG, 'Whether it lacks an event that could not be applied to it.') stale!: boolean;
  @Member(METADATA, 'Its members, named as the projection names them. Times are milliseconds since 1970.') row!: object;
}

export function toProjectionRowResource(projection: string, { stored, isStale }: ProjectionRow): ProjectionRowResource {
  const { id, position, row } = stored;
  return { object: 'projection_row', projection, id, position, stale: isStale, row };
}
