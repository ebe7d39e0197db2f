import type { Decider } from '../kernel/decider.js';
import { resourceMissing } from '../kernel/domain-error.js';

/** What a client can say of a customer. Metadata is JSON text as sent. */
export interface CustomerDetails {
  readonly phone: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly metadata: string;
}

export type CustomerChanges = Partial<CustomerDetails>;

export type CustomerEvent =
  | ({
      readonly type: 'CustomerCreated';
      readonly at: number;
      readonly customerId: string;
      readonly projectId: string;
    } & CustomerDetails)
  | { readonly type: 'CustomerUpdated'; readonly at: number; readonly changes: CustomerChanges }
  | { readonly type: 'CustomerDeleted'; readonly at: number };

export interface Customer extends CustomerDetails {
  readonly exists: boolean;
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export type CustomerCommand =
  | ({
      readonly type: 'CreateCustomer';
      readonly at: number;
      readonly customerId: string;
      readonly projectId: string;
    } & CustomerDetails)
  /** Fills in what is missing and overwrites nothing. */
  | { readonly type: 'CompleteCustomer'; readonly at: number; readonly details: CustomerChanges }
  | { readonly type: 'UpdateCustomer'; readonly at: number; readonly changes: CustomerChanges }
  | { readonly type: 'DeleteCustomer'; readonly at: number };

const UNKNOWN: Customer = {
  exists: false,
  id: '',
  projectId: '',
  phone: null,
  email: null,
  name: null,
  externalId: null,
  metadata: '{}',
  createdAt: 0,
  updatedAt: 0,
  deletedAt: null,
};

export const customerDecider: Decider<Customer, CustomerCommand, CustomerEvent> = {
  initial: UNKNOWN,
  decide(command, customer) {
    const at = Math.max(command.at, customer.updatedAt);
    switch (command.type) {
      case 'CreateCustomer':
        return customer.exists ? [] : [{ ...command, type: 'CustomerCreated', at }];
      case 'CompleteCustomer':
        return update(customer, missing(customer, command.details), at);
      case 'UpdateCustomer':
        return update(customer, command.changes, at);
      case 'DeleteCustomer':
        if (!customer.exists) throw resourceMissing('customer');
        return customer.deletedAt === null ? [{ type: 'CustomerDeleted', at }] : [];
    }
  },
  evolve(customer, event) {
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
        };
      }
      case 'CustomerUpdated':
        return { ...customer, ...event.changes, updatedAt: at };
      case 'CustomerDeleted':
        return { ...customer, updatedAt: at, deletedAt: at };
    }
  },
};

function update(customer: Customer, changes: CustomerChanges, at: number): CustomerEvent[] {
  if (!customer.exists || customer.deletedAt !== null) throw resourceMissing('customer');
  const changed = differing(customer, changes);
  return Object.keys(changed).length > 0 ? [{ type: 'CustomerUpdated', at, changes: changed }] : [];
}

function differing(customer: Customer, changes: CustomerChanges): CustomerChanges {
  return pick(changes, (key, value) => value !== undefined && customer[key] !== value);
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
