import { ApiSchema } from '@nestjs/swagger';
import { toTime } from '@application/read-models/time.resource';
import type { SkippedEventRow } from '@application/skipped-events/skipped-events.projection';
import { COUNT, idOf, KindMember, Member, TEXT, TIME } from '../../http/docs/schemas.resource.js';

@ApiSchema({ description: 'An event that a projection or a reactor could not apply, and lacks until a retry succeeds.' })
export class SkippedEventResource {
  @Member(idOf('skippedEvent'), 'Names it in paths.') id!: string;
  @KindMember('skipped_event') object!: 'skipped_event';
  @Member(TEXT, 'The projection or reactor that could not apply it.') component!: string;
  @Member(TEXT, 'Its place in the log.') position!: string;
  @Member(TEXT, 'What happened.') type!: string;
  @Member(TEXT, 'The stream that it belongs to.') stream!: string;
  @Member(TEXT, 'The name of the error at the latest attempt. Its message is not kept: it may quote content.') error!: string;
  @Member({ type: 'array', items: TEXT, maxItems: 10 }, 'Where in the program it was thrown, innermost first.')
  frames!: readonly string[];
  @Member({ ...COUNT, minimum: 1 }, 'How often it could not be applied: at first, by retries and by rebuilds.') attempts!: number;
  @Member(TIME, 'When it was skipped first.') first_at!: string;
  @Member(TIME, 'When it was attempted last.') last_at!: string;
}

export function toSkippedEventResource({
  id,
  row,
}: {
  readonly id: string;
  readonly row: SkippedEventRow;
}): SkippedEventResource {
  const { component, position, type, stream, error, frames, attempts, firstAt, lastAt } = row;
  return {
    id,
    object: 'skipped_event',
    component,
    position,
    type,
    stream,
    error,
    frames,
    attempts,
    first_at: toTime(firstAt),
    last_at: toTime(lastAt),
  };
}
