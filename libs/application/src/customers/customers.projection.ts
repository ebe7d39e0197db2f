import { customerDecider } from '@domain/customer/customer.decider';
import type { CustomerEvent } from '@domain/customer/customer.events';
import { renderJson } from '@domain/kernel/json-text';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../read-models/projection.js';
import { toCustomerResource } from './customer.resource.js';

/** A customer as lists show it. */
export interface CustomerRow {
  readonly phone: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly metadata: string;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export const customersProjection: Projection<CustomerEvent, CustomerRow> = {
  schema: { name: 'customers', version: 1, filterFields: ['phone', 'email', 'externalId'], dueFields: [] },
  idKind: 'customer',
  categories: ['customer'],
  rowIds: ({ stream }) => [idIn(stream)],
  begins: ({ revision }) => revision === 0,
  project(before, { event, stream }) {
    if (before === null && event.type !== 'CustomerCreated') return null;
    const id = idIn(stream);
    const known = before && {
      ...customerDecider.initial,
      ...before.row,
      exists: true,
      id,
      projectId: before.projectId,
      createdAt: before.createdAt,
    };
    const state = customerDecider.evolve(known ?? customerDecider.initial, event);
    const { projectId, createdAt, phone, email, name, externalId, metadata, updatedAt, deletedAt } = state;
    return {
      projectId,
      createdAt,
      deleted: deletedAt !== null,
      row: { phone, email, name, externalId, metadata, updatedAt, deletedAt },
      text: () => renderJson(toCustomerResource(state)),
    };
  },
};
