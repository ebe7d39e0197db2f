import { ApiSchema } from '@nestjs/swagger';
import { COUNT, FLAG, KindMember, Member, TEXT, TIME } from '../http/docs/schemas.resource.js';

@ApiSchema({ description: 'A copy of the data directory.' })
export class BackupResource {
  @KindMember('backup') object!: 'backup';
  @Member(TEXT, 'The folder of the machine of the service that has the copy.') folder!: string;
  @Member(COUNT, 'How many bytes it has.') bytes!: number;
  @Member(FLAG, 'Whether it contains `secrets.key`.') with_key!: boolean;
  @Member(TIME, 'As of when it is.') created_at!: string;
}
