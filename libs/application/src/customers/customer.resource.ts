import type { Customer } from '@domain/customer/customer';
import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '../read-models/time.resource.js';

export function toCustomerResource(customer: Omit<Customer, 'exists' | 'projectId'>) {
  const { id, phone, email, name, externalId, metadata, createdAt, updatedAt, deletedAt } = customer;
  return {
    id,
    object: 'customer' as const,
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
