import { ApiSchema } from '@nestjs/swagger';

@ApiSchema({ description: 'Has no members: `{}`, or no body at all.' })
export class CancelDeliveryDto {}
