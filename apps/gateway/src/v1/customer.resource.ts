import { ApiSchema } from '@nestjs/swagger';
import { toCustomerResource as toRendered } from '@application/customers/customer.resource';
import type { Customer } from '@domain/customer/customer';
import type { JsonText } from '@domain/kernel/json-text';
import { toTime } from '@application/read-models/time.resource';
import {
  ABOUT_METADATA,
  FLAG,
  idOf,
  KindMember,
  Member,
  METADATA,
  TEXT_OR_NULL,
  TIME,
  TIME_OR_NULL,
} from '../http/docs/schemas.resource.js';

@ApiSchema({ description: 'A person whom conversations, calls and appointments are with.' })
export class CustomerResource {
  @Member(idOf('customer'), 'Names the customer in paths and in `customer_id` of other resources.') id!: string;
  @KindMember('customer') object!: 'customer';
  @Member(TEXT_OR_NULL, 'Phone number in E.164 format; null where none is known.') phone!: string | null;
  @Member(TEXT_OR_NULL, 'E-mail address, compared in lower case; null where none is known.')
  email!: string | null;
  @Member(TEXT_OR_NULL, 'What the customer is called; null where that is not known.') name!: string | null;
  @Member(TEXT_OR_NULL, "The client's own id of the customer; null where none was given.")
  external_id!: string | null;
  @Member(METADATA, ABOUT_METADATA) metadata!: JsonText;
  @Member(TIME, 'When the customer was created.') created_at!: string;
  @Member(TIME, 'When the customer last changed; its creation at first.') updated_at!: string;
  @Member(FLAG, 'True once the customer was deleted: lists pass over it, and its phone and e-mail are free for another.')
  deleted!: boolean;
  @Member(TIME_OR_NULL, 'When the customer was deleted; null until then.') deleted_at!: string | null;
}

@ApiSchema({ description: 'What is answered to the deletion of a customer; it holds no personal data.' })
export class DeletedCustomerResource {
  @Member(idOf('customer'), 'The customer that was deleted.') id!: string;
  @KindMember('customer') object!: 'customer';
  @Member(FLAG, 'Always true: the customer is deleted.') deleted!: true;
  @Member(TIME, 'When it was deleted; that of the first deletion where there were several. Never null.') deleted_at!:
    string | null;
}

// Fails to compile when the documented and the rendered shape differ.
export const toCustomerResource: (...of: Parameters<typeof toRendered>) => CustomerResource = toRendered;

/** The answer to a deletion contains no personal data. */
export function toDeletedCustomerResource({ id, deletedAt }: Customer): DeletedCustomerResource {
  return { id, object: 'customer', deleted: true, deleted_at: toTime(deletedAt) };
}
