import { Command, Query } from '@nestjs/cqrs';
import type { Customer, CustomerChanges } from '@domain/customer/customer';
import type { RequestContext } from '../runtime/request-context.js';

/** Syntactically valid, the e-mail address in lower case, absent members undefined. */
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

/** Refuses with `customer_exists` when another live customer has the phone or e-mail address. */
export class UpdateCustomer extends Command<Customer> {
  constructor(
    readonly context: RequestContext,
    readonly customerId: string,
    readonly changes: CustomerChanges,
  ) {
    super();
  }
}

export class DeleteCustomer extends Command<Customer> {
  constructor(
    readonly context: RequestContext,
    readonly customerId: string,
  ) {
    super();
  }
}

/** Also answers deleted customers. */
export class GetCustomer extends Query<Customer> {
  constructor(
    readonly projectId: string,
    readonly customerId: string,
  ) {
    super();
  }
}
