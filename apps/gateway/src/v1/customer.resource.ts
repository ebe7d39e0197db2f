import { ApiProperty } from '@nestjs/swagger';
import { toCustomerResource as toRendered } from '@application/customers/customer.resource';
import type { Customer } from '@domain/customer/customer';
import type { JsonText } from '@domain/kernel/json-text';
import { toTime } from '@application/read-models/time.resource';
import { ALWAYS_TRUE, idOf, METADATA, one, TEXT_OR_NULL, TIME, TIME_OR_NULL } from './schemas.resource.js';

export class CustomerResource {
  @ApiProperty(idOf('customer')) id!: string;
  @ApiProperty(one('customer')) object!: 'customer';
  @ApiProperty(TEXT_OR_NULL) phone!: string | null;
  @ApiProperty(TEXT_OR_NULL) email!: string | null;
  @ApiProperty(TEXT_OR_NULL) name!: string | null;
  @ApiProperty(TEXT_OR_NULL) external_id!: string | null;
  @ApiProperty(METADATA) metadata!: JsonText;
  @ApiProperty(TIME) created_at!: string;
  @ApiProperty(TIME) updated_at!: string;
  @ApiProperty({ type: 'boolean' }) deleted!: boolean;
  @ApiProperty(TIME_OR_NULL) deleted_at!: string | null;
}

export class DeletedCustomerResource {
  @ApiProperty(idOf('customer')) id!: string;
  @ApiProperty(one('customer')) object!: 'customer';
  @ApiProperty(ALWAYS_TRUE) deleted!: true;
  @ApiProperty(TIME) deleted_at!: string | null;
}

// Does not compile when the documented and the rendered shape differ.
export const toCustomerResource: (...of: Parameters<typeof toRendered>) => CustomerResource = toRendered;

/** The answer to a deletion (api-contract §8.4); it contains no personal data. */
export function toDeletedCustomerResource({ id, deletedAt }: Customer): DeletedCustomerResource {
  return { id, object: 'customer', deleted: true, deleted_at: toTime(deletedAt) };
}
