import { ApiSchema } from '@nestjs/swagger';
/** A replay has no members. */
@ApiSchema({ description: 'Has no members: `{}`, or no body at all.' })
export class ReplayDto {}
