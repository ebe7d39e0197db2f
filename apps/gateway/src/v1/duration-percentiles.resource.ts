import { ApiSchema } from '@nestjs/swagger';
import { DURATION_BOUNDS_MS } from '@application/read-models/duration-histogram';
import { COUNT_OR_NULL, Member } from '../http/docs/schemas.resource.js';

const ROUNDED = `Rounded up to the next of the bounds ${DURATION_BOUNDS_MS.map((ms) => ms.toLocaleString('en')).join('; ')} ms.`;

@ApiSchema({ description: `How long things took, from counts by 24 bounds, not from each duration. ${ROUNDED}` })
export class DurationPercentilesResource {
  @Member(COUNT_OR_NULL, 'What half of them took at most; null where none has a known duration.') p50!: number | null;
  @Member(COUNT_OR_NULL, 'What 95 % of them took at most; null where `p50` is.') p95!: number | null;
  @Member(COUNT_OR_NULL, 'What 99 % of them took at most; null where `p50` is.') p99!: number | null;
}
