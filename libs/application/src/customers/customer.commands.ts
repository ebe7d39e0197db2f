import { Command, Query } from '@nestjs/cqrs';
import type { Customer, CustomerChanges } from '@domain/customer/customer';
import type { RequestContext } from '../runtime/request-context.js';

/** A customer in a request: syntactically valid, the e-mail address in lower case, absent members undefined. */
export type CustomerInput = CustomerChanges;

export interface SavedCustomer {
  readonly customer: Customer;
  readonly created: boolean;
}

/** Creates a customer, or fills the empty members of the live one with this phone, else with this e-mail address. */
export class SaveCustomer extends Command<SavedCustomer> {
  constructor(
    readonly context: RequestContext,
    readonly input: CustomerInput,
  ) {
    super();
  }
}

/** Changes the given members. Refuses with `customer_exists` when another live customer has the phone or e-mail address. */
export class UpdateCustomer extends Command<Customer> {
  constructor(
    readonly context: RequestContext,
    readonly customerId: string,
    readonly changes: CustomerChanges,
  ) {
    super();
  }
}

/** Soft-deletes a customer; deleting a deleted one changes nothing. */
export class DeleteCustomer extends Command<Customer> {
  constructor(
    readonly context: RequestContext,
    readonly customerId: string,
  ) {
    super();
  }
}

/** A customer by id, a deleted one included. */
export class GetCustomer extends Query<Customer> {
  constructor(
    readonly projectId: string,
    readonly customerId: string,
  ) {
    super();
  }
}
