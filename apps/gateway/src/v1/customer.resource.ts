import { ApiProperty } from '@nestjs/swagger';
import type { Customer } from '@domain/customer/customer.decider';
import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '../http/time.resource.js';
import { idOf, METADATA, one, TEXT_OR_NULL, TIME, TIME_OR_NULL } from './schemas.resource.js';

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
  @ApiProperty({ type: 'boolean', enum: [true] }) deleted!: true;
  @ApiProperty(TIME) deleted_at!: string | null;
}

type Shown = Omit<Customer, 'exists' | 'projectId'>;

export function toCustomerResource(customer: Shown): CustomerResource {
  const { id, phone, email, name, externalId, metadata, createdAt, updatedAt, deletedAt } = customer;
  return {
    id,
    object: 'customer',
    phone,
    email,
    name,
    external_id: externalId,
    metadata: new JsonText(metadata),
    created_at: toTime(createdAt),
    updated_at: toTime(updatedAt),
    deleted: deletedAt !== null,
    deleted_at: toTime(deletedAt),
  };
}

export function toDeletedCustomerResource({ id, deletedAt }: Customer): DeletedCustomerResource {
  return { id, object: 'customer', deleted: true, deleted_at: toTime(deletedAt) };
}
