import { remembering } from '../kernel/command-ids.js';
import { WAYS_IN, waysIn, type CustomerState, type WayIn, type WaysInSet } from './customer.js';
import type { CustomerEvent } from './customer.events.js';

type Updated = Extract<CustomerEvent, { type: 'CustomerUpdated' }>;

/** A customer after one more event. */
export function evolveCustomer(customer: CustomerState, event: CustomerEvent): CustomerState {
  const { at } = event;
  switch (event.type) {
    case 'CustomerCreated': {
      const { customerId: id, projectId, phone, email, name, externalId, metadata } = event;
      return {
        exists: true,
        id,
        projectId,
        phone,
        email,
        name,
        externalId,
        metadata,
        createdAt: at,
        updatedAt: at,
        deletedAt: null,
        waysInSet: countedOn(customer.waysInSet, WAYS_IN),
        commandIds: [],
      };
    }
    case 'CustomerUpdated':
      return updated(customer, event);
    case 'CustomerChangeGivenUp':
      return { ...customer, waysInSet: countedOn(customer.waysInSet, event.ways) };
    case 'CustomerDeleted':
      return { ...customer, updatedAt: at, deletedAt: at };
  }
}

function updated(customer: CustomerState, { at: updatedAt, changes, commandId }: Updated): CustomerState {
  const waysInSet = countedOn(customer.waysInSet, waysIn(changes));
  return { ...customer, ...changes, updatedAt, waysInSet, commandIds: remembering(customer.commandIds, commandId) };
}

function countedOn({ phone, email }: WaysInSet, ways: readonly WayIn[]): WaysInSet {
  return { phone: phone + Number(ways.includes('phone')), email: email + Number(ways.includes('email')) };
}
