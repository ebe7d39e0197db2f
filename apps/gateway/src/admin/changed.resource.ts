import { ApiSchema } from '@nestjs/swagger';
import { idOf, Member, TEXT } from '../http/docs/schemas.resource.js';

@ApiSchema({ description: 'That a resource was made or changed, without its content.' })
export class ChangedResource {
  @Member(TEXT, 'The kind of resource, as its own `object` says. A change of a message is one of its `conversation`.')
  object!: string;
  @Member(TEXT, 'The `id` of the resource.') id!: string;
  @Member(idOf('project'), 'Whose it is.') project_id!: string;
}
