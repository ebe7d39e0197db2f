import { Injectable } from '@nestjs/common';
import {
  CustomerGone,
  WAYS_IN,
  customerDecider,
  type CustomerDetails,
  type CustomerState,
  type WayIn,
} from '@domain/customer/customer.decider';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { Clock } from '@ports/clock.port';
import { Claims, type ClaimKind } from '../claims/claims.js';
import { KeyedQueue } from '../keyed-queue.js';
import { StreamRunner } from '../stream-runner.js';
import type { CustomerInput, SavedCustomer } from './customer.commands.js';

/** The customer to be made. */
interface Creation {
  readonly projectId: string;
  readonly details: CustomerDetails;
  readonly at: number;
}

/** A known customer takes the value over; how often it had set such a value by then. */
interface Taking {
  readonly since: number;
}

/** What a phone or e-mail claim carries. */
type Purpose = Creation | Taking;

/** How long a claim by a customer who does not show the value yet counts: its change may be on its way. */
const CHANGE_IN_FLIGHT_MS = 10_000;

/** Customers by the ways to reach them. At most one live customer of a project has a phone or an e-mail address. */
@Injectable()
export class CustomerDirectory {
  private readonly linking = new KeyedQueue();

  constructor(
    private readonly streams: StreamRunner,
    private readonly claims: Claims,
    private readonly clock: Clock,
  ) {}

  /** The customer's fold, a deleted one included; `resource_missing` for unknown and foreign ids alike. */
  async load(projectId: string, customerId: string, param = 'id'): Promise<CustomerState> {
    if (!isId('customer', customerId)) throw resourceMissing('customer', param);
    const { state } = await this.streams.load(customerStream(customerId), customerDecider);
    if (!state.exists || state.projectId !== projectId) throw resourceMissing('customer', param);
    return state;
  }

  /**
   * The live customer with this phone, else with this e-mail address, completed by what it lacked; else a new one
   * under `candidateId`. The input names at least one of the two; whoever names the same one meanwhile waits.
   */
  link(projectId: string, input: CustomerInput, candidateId: string, commandId: string): Promise<SavedCustomer> {
    const ways = WAYS_IN.flatMap((by) => (input[by] ? [`${projectId} ${by} ${input[by]}`] : []));
    const alone = ways.reduceRight(
      (work, way) => () => this.linking.run(way, work),
      () => this.findOrCreate(projectId, input, candidateId, commandId),
    );
    return alone();
  }

  /**
   * Takes a phone or e-mail address for a known customer as it is now: void once that customer sets another.
   * `customer_exists` when another live customer has it.
   */
  async take(customer: CustomerState, by: WayIn, value: string, commandId: string): Promise<void> {
    const { holder } = await this.renew(customer, by, value, commandId);
    if (holder === customer.id) return;
    throw new DomainError('customer_exists', `Another customer has this ${by === 'phone' ? 'phone number' : 'e-mail address'}.`, {
      param: by,
      extras: { existing_id: holder },
    });
  }

  private async findOrCreate(
    projectId: string,
    input: CustomerInput,
    candidateId: string,
    commandId: string,
  ): Promise<SavedCustomer> {
    for (;;) {
      try {
        const known = await this.find(projectId, input);
        if (!known) return await this.create(projectId, input, candidateId, commandId);
        return { customer: await this.complete(known, input, commandId), created: known.id === candidateId };
      } catch (error) {
        if (!(error instanceof CustomerGone)) throw error;
      }
    }
  }

  private async find(projectId: string, input: CustomerInput): Promise<CustomerState | null> {
    for (const by of WAYS_IN) {
      const known = await this.liveHolder(projectId, by, input[by] ?? null);
      if (known) return known;
    }
    return null;
  }

  private async create(projectId: string, input: CustomerInput, candidateId: string, commandId: string): Promise<SavedCustomer> {
    const details = withDefaults(input);
    const creation: Creation = { projectId, details, at: this.clock.now() };
    const by: WayIn = details.phone === null ? 'email' : 'phone';
    const value = details[by] ?? '';
    const { holder } = await this.acquire(projectId, by, value, candidateId, creation, commandId);
    if (holder !== candidateId) {
      const known = await this.load(projectId, holder);
      return { customer: await this.complete(known, input, commandId), created: false };
    }
    return { customer: await this.finish(candidateId, creation, commandId), created: true };
  }

  /** Makes the customer that a claim promises. An e-mail address that somebody else has by now stays there. */
  private async finish(customerId: string, creation: Creation, commandId: string): Promise<CustomerState> {
    const { projectId, details, at } = creation;
    const free =
      details.phone === null || details.email === null || (await this.isFree(projectId, details.email, customerId, commandId));
    const email = free ? details.email : null;
    const create = { type: 'CreateCustomer', at, customerId, projectId, ...details, email } as const;
    return (await this.streams.run(customerStream(customerId), customerDecider, create, `${commandId}:customer`)).state;
  }

  private async complete(known: CustomerState, input: CustomerInput, commandId: string): Promise<CustomerState> {
    const phone = await this.missingValue(known, 'phone', input.phone, commandId);
    const email = await this.missingValue(known, 'email', input.email, commandId);
    const details = { ...input, phone, email };
    const complete = { type: 'CompleteCustomer', at: this.clock.now(), details, seen: known.waysInSet } as const;
    return (await this.streams.run(customerStream(known.id), customerDecider, complete, `${commandId}:complete`)).state;
  }

  private async missingValue(
    known: CustomerState,
    by: WayIn,
    value: string | null | undefined,
    commandId: string,
  ): Promise<string | null> {
    if (known[by] !== null || value === null || value === undefined) return null;
    const { holder } = await this.renew(known, by, value, commandId);
    return holder === known.id ? value : null;
  }

  private async isFree(projectId: string, email: string, customerId: string, commandId: string): Promise<boolean> {
    const { holder } = await this.acquire(projectId, 'email', email, customerId, { since: 0 }, commandId);
    return holder === customerId;
  }

  private async liveHolder(projectId: string, by: WayIn, value: string | null): Promise<CustomerState | null> {
    if (value === null) return null;
    const claim = await this.claims.holder<Purpose>(by, projectId, value);
    if (!claim || (await this.hasLeft(by, value, claim.holder, claim.creation, claim.at))) return null;
    const { state } = await this.streams.load(customerStream(claim.holder), customerDecider);
    return state.exists && state[by] === value ? state : null;
  }

  private renew({ projectId, id, waysInSet }: CustomerState, by: WayIn, value: string, commandId: string) {
    return this.acquire(projectId, by, value, id, { since: waysInSet[by] }, commandId, true);
  }

  private acquire(
    projectId: string,
    by: WayIn,
    value: string,
    holder: string,
    creation: Purpose,
    commandId: string,
    renews = false,
  ) {
    const kind: ClaimKind = by;
    return this.claims.acquire<Purpose>({
      kind,
      projectId,
      value,
      holder,
      creation,
      commandId: `${commandId}:${by}`,
      renews,
      hasLeft: (present, purpose, at) => this.hasLeft(by, value, present, purpose, at),
    });
  }

  /** Whoever claimed it and has set another since is gone for good: whatever it claimed before is void. */
  private async hasLeft(by: WayIn, value: string, holder: string, purpose: Purpose, claimedAt: number): Promise<boolean> {
    const { state } = await this.streams.load(customerStream(holder), customerDecider);
    if (!state.exists && 'details' in purpose) {
      await this.finish(holder, purpose, `${holder}:finish`);
      return false;
    }
    if (state.deletedAt !== null) return true;
    if (state[by] === value) return false;
    const since = 'since' in purpose ? purpose.since : 0;
    return state.waysInSet[by] > since || this.clock.now() - claimedAt > CHANGE_IN_FLIGHT_MS;
  }
}

export function customerStream(customerId: string): string {
  return `customer-${customerId}`;
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
