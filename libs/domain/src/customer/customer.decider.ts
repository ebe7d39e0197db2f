import type { Decider } from '../kernel/decider.js';
import { differing, hasAny } from '../kernel/differing.js';
import { resourceMissing } from '../kernel/domain-error.js';
import type { CustomerEvent } from './customer.events.js';
import {
  UNKNOWN_CUSTOMER,
  contactKeysIn,
  type Address,
  type Customer,
  type CustomerChanges,
  type CustomerDetails,
  type CustomerState,
  type ContactKey,
  type ContactVersions,
} from './customer.js';
import { evolveCustomer } from './evolve-customer.js';

/** A contact changed since it was read: claims for its earlier version are void. */
export class CustomerMovedOn extends Error {
  constructor() {
    super('the customer has other contacts by now');
    this.name = 'CustomerMovedOn';
  }
}

/** The customer found by a contact was deleted, or no longer has that contact. */
export class ContactChanged extends Error {
  constructor() {
    super('the contact leads to this customer no more');
    this.name = 'ContactChanged';
  }
}

export type CustomerCommand =
  /** Throws `CustomerMovedOn` if a contact's change was abandoned after `seen`. */
  | ({
      readonly type: 'CreateCustomer';
      readonly at: number;
      readonly customerId: string;
      readonly projectId: string;
      readonly seen: ContactVersions;
    } & CustomerDetails)
  /**
   * Fills in missing members; a contact set after `seen` stays. Throws `ContactChanged` if `foundBy` no longer leads here,
   * `CustomerMovedOn` if a missing contact was removed or its change abandoned after `seen`.
   */
  | {
      readonly type: 'CompleteCustomer';
      readonly at: number;
      readonly commandId: string;
      readonly foundBy: Address;
      readonly details: CustomerChanges;
      readonly seen: ContactVersions;
    }
  /** Throws `CustomerMovedOn` if a contact it changes was set after `seen`. */
  | {
      readonly type: 'UpdateCustomer';
      readonly at: number;
      readonly commandId: string;
      readonly changes: CustomerChanges;
      readonly seen: ContactVersions;
    }
  | { readonly type: 'GiveUpChange'; readonly at: number; readonly ways: readonly ContactKey[]; readonly seen: ContactVersions }
  | { readonly type: 'DeleteCustomer'; readonly at: number };

type Creation = Extract<CustomerCommand, { type: 'CreateCustomer' }>;
type Updated = Extract<CustomerEvent, { type: 'CustomerUpdated' }>;

export const customerDecider: Decider<CustomerState, CustomerCommand, CustomerEvent> = {
  initial: UNKNOWN_CUSTOMER,
  decide(command, customer) {
    const at = Math.max(command.at, customer.updatedAt);
    switch (command.type) {
      case 'CreateCustomer':
        return create(command, customer, at);
      case 'CompleteCustomer':
        return complete(command, customer, at);
      case 'UpdateCustomer':
        if (customer.commandIds.includes(command.commandId)) return [];
        if (movedOn(customer, command.changes, command.seen).length > 0) throw new CustomerMovedOn();
        return update(customer, command.changes, command.commandId, at);
      case 'GiveUpChange': {
        const ways = command.ways.filter((by) => customer.contactVersions[by] === command.seen[by]);
        return ways.length > 0 ? [{ type: 'CustomerChangeGivenUp', at, ways }] : [];
      }
      case 'DeleteCustomer':
        if (!customer.exists) throw resourceMissing('customer');
        return customer.deletedAt === null ? [{ type: 'CustomerDeleted', at }] : [];
    }
  },
  evolve: evolveCustomer,
};

function create({ seen, ...creation }: Creation, customer: CustomerState, at: number): CustomerEvent[] {
  if (customer.exists) return [];
  if (movedOn(customer, creation, seen).length > 0) throw new CustomerMovedOn();
  return [{ ...creation, type: 'CustomerCreated', at }];
}

function complete(
  { commandId, foundBy, details, seen }: Extract<CustomerCommand, { type: 'CompleteCustomer' }>,
  customer: CustomerState,
  at: number,
): Updated[] {
  if (customer.commandIds.includes(commandId)) return [];
  if (customer.deletedAt !== null || customer[foundBy.by] !== foundBy.value) throw new ContactChanged();
  const lost = movedOn(customer, details, seen).some((by) => details[by] && customer[by] === null);
  if (lost) throw new CustomerMovedOn();
  return update(customer, missing(customer, details), commandId, at);
}

function update(customer: Customer, changes: CustomerChanges, commandId: string, at: number): Updated[] {
  if (!customer.exists || customer.deletedAt !== null) throw resourceMissing('customer');
  const changed = differing(customer, changes);
  return hasAny(changed) ? [{ type: 'CustomerUpdated', at, changes: changed, commandId }] : [];
}

function movedOn({ contactVersions }: CustomerState, changes: CustomerChanges, seen: ContactVersions): readonly ContactKey[] {
  return contactKeysIn(changes).filter((by) => contactVersions[by] !== seen[by]);
}

function missing(customer: Customer, details: CustomerChanges): CustomerChanges {
  return pick(
    details,
    (key, value) =>
      value !== undefined && value !== null && (key === 'metadata' ? customer.metadata === '{}' : customer[key] === null),
  );
}

function pick(
  changes: CustomerChanges,
  wanted: (key: keyof CustomerDetails, value: string | null | undefined) => boolean,
): CustomerChanges {
  const entries = Object.entries(changes) as [keyof CustomerDetails, string | null | undefined][];
  return Object.fromEntries(entries.filter(([key, value]) => wanted(key, value)));
}
