import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Customer } from '@domain/customer/customer';
import { CustomerMovedOn, customerDecider } from '@domain/customer/customer.decider';
import { resourceMissing } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { idFor } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { customerStream } from './customer-addresses.js';
import { CustomerDirectory } from './customer-directory.js';
import { DeleteCustomer, GetCustomer, SaveCustomer, UpdateCustomer, type SavedCustomer } from './customer.commands.js';

@CommandHandler(SaveCustomer)
export class SaveCustomerHandler implements ICommandHandler<SaveCustomer> {
  constructor(
    private readonly directory: CustomerDirectory,
    private readonly ids: Ids,
  ) {}

  async execute({ context, input }: SaveCustomer): Promise<SavedCustomer> {
    const candidateId = idFor(this.ids, context, 'customer', 'customer');
    const before = context.isRetry ? await this.directory.linkedBefore(context, input, candidateId) : null;
    return before ?? this.directory.link(context.projectId, input, candidateId, context);
  }
}

@CommandHandler(UpdateCustomer)
export class UpdateCustomerHandler implements ICommandHandler<UpdateCustomer> {
  constructor(
    private readonly directory: CustomerDirectory,
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
  ) {}

  async execute(command: UpdateCustomer): Promise<Customer> {
    for (;;) {
      try {
        return await this.update(command);
      } catch (error) {
        if (!(error instanceof CustomerMovedOn)) throw error;
      }
    }
  }

  private async update({ context, customerId, changes }: UpdateCustomer): Promise<Customer> {
    const customer = await this.directory.load(context.projectId, customerId);
    if (customer.deletedAt !== null) throw resourceMissing('customer');
    if (context.isRetry && (await this.directory.hasRun(customerId, context)))
      // The first execution's append may have landed since the customer was loaded.
      return this.directory.load(context.projectId, customerId);
    const { commandId, envelope } = context;
    await this.directory.take(customer, changes, context);
    const update = { type: 'UpdateCustomer', at: this.clock.now(), commandId, changes, seen: customer.contactVersions } as const;
    return (await this.streams.run(customerStream(customerId), customerDecider, update, envelope, { commandId })).state;
  }
}

@CommandHandler(DeleteCustomer)
export class DeleteCustomerHandler implements ICommandHandler<DeleteCustomer> {
  constructor(
    private readonly directory: CustomerDirectory,
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ context, customerId }: DeleteCustomer): Promise<Customer> {
    await this.directory.load(context.projectId, customerId);
    const command = { type: 'DeleteCustomer', at: this.clock.now() } as const;
    const { commandId, envelope } = context;
    return (await this.streams.run(customerStream(customerId), customerDecider, command, envelope, { commandId })).state;
  }
}

@QueryHandler(GetCustomer)
export class GetCustomerHandler implements IQueryHandler<GetCustomer> {
  constructor(private readonly directory: CustomerDirectory) {}

  execute({ projectId, customerId }: GetCustomer): Promise<Customer> {
    return this.directory.load(projectId, customerId);
  }
}
