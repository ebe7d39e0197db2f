import type { Decider } from '../kernel/decider.js';
import { differing, hasAny } from '../kernel/differing.js';
import { resourceMissing } from '../kernel/domain-error.js';
import {
  UNKNOWN_CUSTOMER,
  waysIn,
  type Address,
  type Customer,
  type CustomerChanges,
  type CustomerDetails,
  type CustomerState,
  type WayIn,
  type WaysInSet,
} from './customer.js';
import type { CustomerEvent } from './customer.events.js';
import { evolveCustomer } from './evolution.js';

/** A phone or an e-mail address was set since it was looked at; what was claimed for it is void. */
export class CustomerMovedOn extends Error {
  constructor() {
    super('the customer can be reached otherwise by now');
    this.name = 'CustomerMovedOn';
  }
}

/** The customer that was to be completed has been deleted, or is not the one with the address. */
export class CustomerNotReached extends Error {
  constructor() {
    super('this customer is not to be reached there');
    this.name = 'CustomerNotReached';
  }
}

export type CustomerCommand =
  /** Throws `CustomerMovedOn` when setting a way in was given up since it was `seen`. */
  | ({
      readonly type: 'CreateCustomer';
      readonly at: number;
      readonly customerId: string;
      readonly projectId: string;
      readonly seen: WaysInSet;
    } & CustomerDetails)
  /**
   * Fills in what is missing and overwrites nothing; a way in that was set since it was `seen` stays as it is.
   * Throws `CustomerNotReached` when the customer is not, or no longer, whom one reaches there, and `CustomerMovedOn` when
   * a way in that it lacks was taken away or given up since it was `seen`.
   */
  | {
      readonly type: 'CompleteCustomer';
      readonly at: number;
      readonly commandId: string;
      readonly foundBy: Address;
      readonly details: CustomerChanges;
      readonly seen: WaysInSet;
    }
  /** Throws `CustomerMovedOn` when a way in that it changes was set since it was `seen`. */
  | {
      readonly type: 'UpdateCustomer';
      readonly at: number;
      readonly commandId: string;
      readonly changes: CustomerChanges;
      readonly seen: WaysInSet;
    }
  /** Voids what was claimed in these ways for the state `seen`. */
  | { readonly type: 'GiveUpChange'; readonly at: number; readonly ways: readonly WayIn[]; readonly seen: WaysInSet }
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
        const ways = command.ways.filter((by) => customer.waysInSet[by] === command.seen[by]);
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
  if (customer.deletedAt !== null || customer[foundBy.by] !== foundBy.value) throw new CustomerNotReached();
  const lost = movedOn(customer, details, seen).some((by) => details[by] && customer[by] === null);
  if (lost) throw new CustomerMovedOn();
  return update(customer, missing(customer, details), commandId, at);
}

function update(customer: Customer, changes: CustomerChanges, commandId: string, at: number): Updated[] {
  if (!customer.exists || customer.deletedAt !== null) throw resourceMissing('customer');
  const changed = differing(customer, changes);
  return hasAny(changed) ? [{ type: 'CustomerUpdated', at, changes: changed, commandId }] : [];
}

function movedOn({ waysInSet }: CustomerState, changes: CustomerChanges, seen: WaysInSet): readonly WayIn[] {
  return waysIn(changes).filter((by) => waysInSet[by] !== seen[by]);
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
