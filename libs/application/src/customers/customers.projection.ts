import { customerDecider } from '@domain/customer/customer.decider';
import type { CustomerEvent } from '@domain/customer/customer.events';
import { renderJson } from '@domain/kernel/json-text';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../read-models/projection.js';
import { customerStream } from './customer-addresses.js';
import { toCustomerResource } from './customer.resource.js';

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
  columns: {
    phone: { type: 'text', meaning: 'The phone number, in E.164; null where none is known.' },
    email: { type: 'text', meaning: 'The e-mail address; null where none is known.' },
    name: { type: 'text', meaning: 'The name; null where none is known.' },
    externalId: { type: 'text', meaning: "The client's own id of the customer; null where none was given." },
    metadata: { type: 'json', meaning: 'What the client keeps with it, as it was sent.' },
    updatedAt: { type: 'time', meaning: 'When it was last changed.' },
    deletedAt: { type: 'time', meaning: 'When it was deleted; null until then.' },
  },
  idKind: 'customer',
  categories: ['customer'],
  rowIds: ({ stream }) => [idIn(stream)],
  begins: ({ revision }) => revision === 0,
  streamsOf: (_, id) => [customerStream(id)],
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
