import { Injectable } from '@nestjs/common';
import {
  CONTACT_KEYS,
  type Address,
  type CustomerChanges,
  type CustomerDetails,
  type CustomerState,
  type ContactKey,
} from '@domain/customer/customer';
import { CustomerMovedOn, ContactChanged, customerDecider } from '@domain/customer/customer.decider';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { Clock } from '@ports/clock.port';
import { Claims } from '../claims/claims.js';
import { KeyedQueue } from '@kit/keyed-queue';
import { partOf, type CommandOrigin, type RequestContext } from '../runtime/request-context.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { CustomerAddresses, customerStream, type Creation } from './customer-addresses.js';
import type { CustomerInput, SavedCustomer } from './customer.commands.js';

/** A phone number or e-mail address belongs to at most one live customer of a project. */
@Injectable()
export class CustomerDirectory {
  private readonly linking = new KeyedQueue();
  private readonly addresses: CustomerAddresses;

  constructor(
    private readonly streams: StreamRunner,
    claims: Claims,
    private readonly clock: Clock,
  ) {
    this.addresses = new CustomerAddresses(streams, claims, clock);
  }

  /** Also returns deleted customers; `resource_missing` for unknown and foreign ids alike. */
  async load(projectId: string, customerId: string, param = 'id'): Promise<CustomerState> {
    if (!isId('customer', customerId)) throw resourceMissing('customer', param);
    const state = await this.addresses.stateOf(customerId);
    if (!state.exists || state.projectId !== projectId) throw resourceMissing('customer', param);
    return state;
  }

  /**
   * The live customer with this phone, else this e-mail address, completed; else a new one. Calls for the same one are
   * serialized.
   */
  link(projectId: string, input: CustomerInput, candidateId: string, origin: CommandOrigin): Promise<SavedCustomer> {
    const ways = CONTACT_KEYS.flatMap((by) => (input[by] ? [`${projectId} ${by} ${input[by]}`] : []));
    const alone = ways.reduceRight(
      (work, way) => () => this.linking.run(way, work),
      () => this.findOrCreate(projectId, input, candidateId, origin),
    );
    return alone();
  }

  /** The live customer that `link` would find; null where it would create one. */
  async whose(projectId: string, input: CustomerInput): Promise<string | null> {
    return (await this.find(projectId, input))?.customer.id ?? null;
  }

  /** The customer that an earlier execution of this request created or completed, in its present state; null if there is none. */
  async linkedBefore(context: RequestContext, input: CustomerInput, candidateId: string): Promise<SavedCustomer | null> {
    const made = await this.addresses.stateOf(candidateId);
    if (made.exists) return { customer: made, created: true };
    for (const by of CONTACT_KEYS) {
      const value = input[by];
      for (const id of value ? await this.addresses.holdersSince(context, { by, value }) : []) {
        if (await this.hasRun(id, context)) return { customer: await this.addresses.stateOf(id), created: false };
      }
    }
    return null;
  }

  hasRun(customerId: string, context: RequestContext): Promise<boolean> {
    return this.addresses.hasRun(customerId, context);
  }

  /** Claims the new addresses, all or nothing, until this customer sets others. Refuses with `customer_exists`. */
  async take(customer: CustomerState, changes: CustomerChanges, origin: CommandOrigin): Promise<void> {
    const taken: ContactKey[] = [];
    for (const by of CONTACT_KEYS) {
      const value = changes[by];
      if (!value || value === customer[by]) continue;
      const other = await this.addresses.takenBy(customer, { by, value }, origin);
      if (other !== null) {
        await this.addresses.giveUp(customer.id, customer, taken, origin.envelope);
        throw customerExists(by, other);
      }
      taken.push(by);
    }
  }

  private async findOrCreate(
    projectId: string,
    input: CustomerInput,
    candidateId: string,
    origin: CommandOrigin,
  ): Promise<SavedCustomer> {
    for (;;) {
      try {
        const found = await this.find(projectId, input);
        // Created by an execution of this request, or by a process that finished its claim: nothing is missing.
        if (found?.customer.id === candidateId) return { customer: found.customer, created: true };
        const customer = found
          ? await this.complete(found.customer, found.at, input, origin)
          : await this.create(projectId, input, candidateId, origin);
        if (customer) return { customer, created: customer.id === candidateId };
      } catch (error) {
        if (!(error instanceof ContactChanged || error instanceof CustomerMovedOn)) throw error;
      }
      await this.addresses.nextPoll();
    }
  }

  private async find(projectId: string, input: CustomerInput): Promise<{ customer: CustomerState; at: Address } | null> {
    for (const by of CONTACT_KEYS) {
      const value = input[by];
      const customer = value ? await this.addresses.liveHolder(projectId, { by, value }) : null;
      if (value && customer) return { customer, at: { by, value } };
    }
    return null;
  }

  /** Null when another request has claimed the contact; its customer is found once it is created. */
  private async create(
    projectId: string,
    input: CustomerInput,
    candidateId: string,
    origin: CommandOrigin,
  ): Promise<CustomerState | null> {
    const details = withDefaults(input);
    const creation: Creation = { projectId, details };
    const by: ContactKey = details.phone === null ? 'email' : 'phone';
    const address = { by, value: details[by] ?? '' };
    const holder = await this.addresses.claimForNew(creation, address, candidateId, origin);
    return holder === candidateId ? this.addresses.finish(candidateId, creation, origin) : null;
  }

  private async complete(
    known: CustomerState,
    foundBy: Address,
    input: CustomerInput,
    origin: CommandOrigin,
  ): Promise<CustomerState> {
    const { commandId } = origin;
    if (known.commandIds.includes(commandId)) return known;
    const phone = await this.missingValue(known, 'phone', input.phone, origin);
    const email = await this.missingValue(known, 'email', input.email, origin);
    const details = { ...input, phone, email };
    const at = this.clock.now();
    const complete = { type: 'CompleteCustomer', at, commandId, foundBy, details, seen: known.contactVersions } as const;
    try {
      const part = partOf(origin, 'complete');
      return (await this.streams.run(customerStream(known.id), customerDecider, complete, part.envelope, part)).state;
    } catch (error) {
      const claimed = CONTACT_KEYS.filter((by) => details[by] !== null);
      if (error instanceof ContactChanged) await this.addresses.giveUp(known.id, known, claimed, origin.envelope);
      throw error;
    }
  }

  /** Throws `ContactChanged` when another customer has the phone by now, because the input refers to that one. */
  private async missingValue(
    known: CustomerState,
    by: ContactKey,
    value: string | null | undefined,
    origin: CommandOrigin,
  ): Promise<string | null> {
    if (known[by] !== null || value === null || value === undefined) return null;
    if ((await this.addresses.takenBy(known, { by, value }, origin)) === null) return value;
    if (by === 'phone') throw new ContactChanged();
    return null;
  }
}

function customerExists(by: ContactKey, existingId: string): DomainError {
  return new DomainError('customer_exists', `Another customer has this ${by === 'phone' ? 'phone number' : 'e-mail address'}.`, {
    param: by,
    extras: { existing_id: existingId },
  });
}

function withDefaults({ phone, email, name, externalId, metadata }: CustomerInput): CustomerDetails {
  return {
    phone: phone ?? null,
    email: email ?? null,
    name: name ?? null,
    externalId: externalId ?? null,
    metadata: metadata ?? '{}',
  };
}
