import { unchanged } from '../kernel/decider.js';
import { remembering } from '../kernel/command-ids.js';
import type { CustomerEvent } from './customer.events.js';
import { CONTACT_KEYS, contactKeysIn, type CustomerState, type ContactKey, type ContactVersions } from './customer.js';

type Updated = Extract<CustomerEvent, { type: 'CustomerUpdated' }>;

export function evolveCustomer(customer: CustomerState, event: CustomerEvent): CustomerState {
  const { at } = event;
  switch (event.type) {
    case 'CustomerCreated': {
      const { customerId: id, projectId, phone, email, name, externalId, metadata } = event;
      const details = { id, projectId, phone, email, name, externalId, metadata };
      const contactVersions = countedOn(customer.contactVersions, CONTACT_KEYS);
      return { exists: true, ...details, createdAt: at, updatedAt: at, deletedAt: null, contactVersions, commandIds: [] };
    }
    case 'CustomerUpdated':
      return updated(customer, event);
    case 'CustomerChangeGivenUp':
      return { ...customer, contactVersions: countedOn(customer.contactVersions, event.ways) };
    case 'CustomerDeleted':
      return { ...customer, updatedAt: at, deletedAt: at };
    default:
      return unchanged(customer, event);
  }
}

function updated(customer: CustomerState, { at: updatedAt, changes, commandId }: Updated): CustomerState {
  const contactVersions = countedOn(customer.contactVersions, contactKeysIn(changes));
  return { ...customer, ...changes, updatedAt, contactVersions, commandIds: remembering(customer.commandIds, commandId) };
}

function countedOn({ phone, email }: ContactVersions, ways: readonly ContactKey[]): ContactVersions {
  return { phone: phone + Number(ways.includes('phone')), email: email + Number(ways.includes('email')) };
}
