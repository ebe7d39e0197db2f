import type { CommandIds } from '../kernel/command-ids.js';

/** What a client can say of a customer. Metadata is JSON text as sent. */
export interface CustomerDetails {
  readonly phone: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly metadata: string;
}

export type CustomerChanges = Partial<CustomerDetails>;

/** What a customer is found by, and what no two live customers share. */
export const WAYS_IN = ['phone', 'email'] as const;
export type WayIn = (typeof WAYS_IN)[number];

/** A value of one of them. */
export interface Address {
  readonly by: WayIn;
  readonly value: string;
}

/** How often each was set, or setting it was given up, so far. A claim made for an earlier state of the customer is void. */
export type WaysInSet = Readonly<Record<WayIn, number>>;

export interface Customer extends CustomerDetails {
  readonly exists: boolean;
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export interface CustomerState extends Customer {
  readonly waysInSet: WaysInSet;
  readonly commandIds: CommandIds;
}

export const UNKNOWN_CUSTOMER: CustomerState = {
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
  waysInSet: { phone: 0, email: 0 },
  commandIds: [],
};

/** An e-mail address as it is kept and compared. */
export function keptEmail(email: string): string {
  return email.toLowerCase();
}

/** The ways in that these changes set. */
export function waysIn(changes: CustomerChanges): readonly WayIn[] {
  return WAYS_IN.filter((by) => changes[by] !== undefined);
}
