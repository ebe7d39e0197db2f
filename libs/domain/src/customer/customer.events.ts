import type { CustomerChanges, CustomerDetails, ContactKey } from './customer.js';

export type CustomerEvent =
  | ({
      readonly type: 'CustomerCreated';
      readonly at: number;
      readonly customerId: string;
      readonly projectId: string;
    } & CustomerDetails)
  | { readonly type: 'CustomerUpdated'; readonly at: number; readonly changes: CustomerChanges; readonly commandId?: string }
  /** The change was abandoned: its claims on these contacts are void. */
  | { readonly type: 'CustomerChangeGivenUp'; readonly at: number; readonly ways: readonly ContactKey[] }
  | { readonly type: 'CustomerDeleted'; readonly at: number };
