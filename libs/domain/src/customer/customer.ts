import type { CommandIds } from '../kernel/command-ids.js';

/** The members that clients set. Metadata is the JSON text as sent. */
export interface CustomerDetails {
  readonly phone: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly metadata: string;
}

export type CustomerChanges = Partial<CustomerDetails>;

/** The contacts by which a customer is found; unique among live customers of a project. */
export const CONTACT_KEYS = ['phone', 'email'] as const;
export type ContactKey = (typeof CONTACT_KEYS)[number];

export interface Address {
  readonly by: ContactKey;
  readonly value: string;
}

/** How often each contact was set or its change abandoned. Claims for an earlier version are void. */
export type ContactVersions = Readonly<Record<ContactKey, number>>;

export interface Customer extends CustomerDetails {
  readonly exists: boolean;
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export interface CustomerState extends Customer {
  readonly contactVersions: ContactVersions;
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
  contactVersions: { phone: 0, email: 0 },
  commandIds: [],
};

export function contactKeysIn(changes: CustomerChanges): readonly ContactKey[] {
  return CONTACT_KEYS.filter((by) => changes[by] !== undefined);
}
