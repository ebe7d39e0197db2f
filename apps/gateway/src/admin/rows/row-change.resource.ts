import { ApiSchema } from '@nestjs/swagger';
import type { MemberChange, RowChange } from '@application/projections/rows/row.queries';
import { toTime } from '@application/read-models/time.resource';
import { COUNT, KindMember, Member, METADATA, TEXT, TIME } from '../../http/docs/schemas.resource.js';
import { dataOf } from '../log/log-line.resource.js';

const BOTH = { type: 'array', minItems: 2, maxItems: 2, items: {} } as const;

@ApiSchema({ description: 'The event that changed a row.' })
class RowEventResource {
  @Member(TEXT, 'What happened.') type!: string;
  @Member(TEXT, 'The stream that it belongs to.') stream!: string;
  @Member(COUNT, 'Its number in the stream, from 0.') revision!: number;
  @Member(TEXT, 'Its place in the log.') position!: string;
  @Member(METADATA, 'Its other members. Times in them are milliseconds since 1970.') data!: object;
}

@ApiSchema({ description: 'What an event changed in a row.' })
export class RowChangeResource {
  @KindMember('row_change') object!: 'row_change';
  @Member(TEXT, 'The position of the event.') id!: string;
  @Member(TIME, 'When it happened.') at!: string;
  @Member({ type: () => RowEventResource }, 'What changed the row.') event!: RowEventResource;
  @Member({ ...METADATA, nullable: true }, 'The causes of the event; null on events of earlier versions.') envelope!:
    object | null;
  @Member(
    { type: 'object', additionalProperties: BOTH },
    'Each member of the row that the event changed, as it was before and after; null where it is not there. The first change of a row names every member that is not null.',
  )
  changes!: Readonly<Record<string, MemberChange>>;
}

export function toRowChangeResource({ record, changes }: RowChange): RowChangeResource {
  const { position, stream, revision, event, metadata } = record;
  const shown = { type: event.type, stream, revision, position, data: dataOf(event) };
  return { object: 'row_change', id: position, at: toTime(event.at), event: shown, envelope: metadata ?? null, changes };
}
