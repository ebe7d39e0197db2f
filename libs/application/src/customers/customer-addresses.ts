import type { Address, CustomerDetails, CustomerState, ContactKey } from '@domain/customer/customer';
import { CustomerMovedOn, customerDecider } from '@domain/customer/customer.decider';
import type { CustomerEvent } from '@domain/customer/customer.events';
import { type Clock, pause } from '@ports/clock.port';
import type { Claims } from '../claims/claims.js';
import type { RequestContext } from '../runtime/request-context.js';
import { findEvent } from '../streams/stream-records.js';
import type { StreamRunner } from '../streams/stream-runner.js';

/** The customer to be made. */
export interface Creation {
  readonly projectId: string;
  readonly details: CustomerDetails;
}

/** A known customer takes the address over; how often it had set such a one, or given that up, by then. */
interface Taking {
  readonly since: number;
}

/** What the claim of an address carries. */
type Purpose = Creation | Taking;

/** How long whoever meets a claim by a customer who does not show the address yet waits for the change to arrive. */
const CHANGE_IN_FLIGHT_MS = 1_000;
/** How long whoever meets such a claim waits before looking again. */
const LOOKED_AT_EVERY_MS = 20;

/** Who holds which phone number and e-mail address. */
export class CustomerAddresses {
  constructor(
    private readonly streams: StreamRunner,
    private readonly claims: Claims,
    private readonly clock: Clock,
  ) {}

  async stateOf(customerId: string): Promise<CustomerState> {
    return (await this.streams.load(customerStream(customerId), customerDecider)).state;
  }

  async liveHolder(projectId: string, address: Address): Promise<CustomerState | null> {
    const claim = await this.claims.holder<Purpose>(address.by, projectId, address.value);
    if (!claim || (await this.hasLeft(address, claim.holder, claim.creation, claim.at))) return null;
    const state = await this.stateOf(claim.holder);
    return state.exists && state[address.by] === address.value ? state : null;
  }

  /** Everybody who claimed the address since the request began, whether or not they came to have it, and who held it then. */
  async holdersSince({ projectId, startedAt }: RequestContext, { by, value }: Address): Promise<readonly string[]> {
    return [...new Set(await this.claims.holdersSince(by, projectId, value, startedAt))];
  }

  async hasRun(customerId: string, { commandId, startedAt }: RequestContext): Promise<boolean> {
    const isIt = (event: CustomerEvent) => event.type === 'CustomerUpdated' && event.commandId === commandId;
    const history = this.streams.history<CustomerEvent>(customerStream(customerId), startedAt);
    return (await findEvent(history, isIt)) !== null;
  }

  /** The address is claimed for a customer who is yet to be made, unless somebody has it; says who does then. */
  claimForNew(creation: Creation, address: Address, candidateId: string, commandId: string): Promise<string> {
    return this.acquire(creation.projectId, address, candidateId, creation, commandId);
  }

  /** The live customer other than this one who has the address, null once it is claimed for this one as it is now. */
  takenBy({ id, projectId, contactVersions }: CustomerState, address: Address, commandId: string): Promise<string | null> {
    return this.otherHolder(projectId, address, id, { since: contactVersions[address.by] }, commandId, true);
  }

  /** Voids what was claimed in these ways for a customer as it was then, made or not; the customer as it is now. */
  async giveUp(customerId: string, { contactVersions }: CustomerState, ways: readonly ContactKey[]): Promise<CustomerState> {
    const command = { type: 'GiveUpChange', at: this.clock.now(), ways, seen: contactVersions } as const;
    return (await this.streams.run(customerStream(customerId), customerDecider, command)).state;
  }

  /**
   * Makes the customer that a claim promises, as of now: who promised it may be long dead, and lists grow at their heads.
   * An e-mail address that somebody else has by now stays there.
   */
  async finish(customerId: string, creation: Creation, commandId: string): Promise<CustomerState> {
    for (;;) {
      try {
        return await this.make(customerId, creation, commandId);
      } catch (error) {
        if (!(error instanceof CustomerMovedOn)) throw error;
      }
    }
  }

  /** What is on its way may have arrived after it. */
  moment(): Promise<void> {
    return pause(this.clock, LOOKED_AT_EVERY_MS);
  }

  private async make(customerId: string, creation: Creation, commandId: string): Promise<CustomerState> {
    const { projectId, details } = creation;
    const { state } = await this.streams.cache.loadCached(customerStream(customerId), customerDecider);
    if (state.exists) return this.stateOf(customerId);
    const { contactVersions: seen } = state;
    const isItsOwn =
      details.phone === null ||
      details.email === null ||
      (await this.claimEmail(projectId, details.email, customerId, seen.email, commandId));
    const email = isItsOwn ? details.email : null;
    const at = this.clock.now();
    const create = { type: 'CreateCustomer', at, customerId, projectId, ...details, email, seen } as const;
    return (await this.streams.run(customerStream(customerId), customerDecider, create, { commandId: `${commandId}:customer` }))
      .state;
  }

  /** Unless somebody has it; says whether it is the candidate's then. */
  private async claimEmail(projectId: string, email: string, candidate: string, since: number, commandId: string) {
    const address: Address = { by: 'email', value: email };
    return (await this.otherHolder(projectId, address, candidate, { since }, commandId, since > 0)) === null;
  }

  /** The live customer who has the address, null once it is claimed for the candidate. What is on its way to others is waited for. */
  private async otherHolder(
    projectId: string,
    address: Address,
    candidate: string,
    taking: Taking,
    commandId: string,
    renews: boolean,
  ): Promise<string | null> {
    for (;;) {
      const holder = await this.acquire(projectId, address, candidate, taking, commandId, renews);
      if (holder === candidate) return null;
      const other = await this.stateOf(holder);
      if (other.deletedAt === null && other[address.by] === address.value) return holder;
      await this.moment();
    }
  }

  private async acquire(
    projectId: string,
    address: Address,
    candidate: string,
    creation: Purpose,
    commandId: string,
    renews = false,
  ): Promise<string> {
    const { holder } = await this.claims.acquire<Purpose>({
      kind: address.by,
      projectId,
      value: address.value,
      holder: candidate,
      creation,
      commandId: `${commandId}:${address.by}`,
      renews,
      hasLeft: (present, purpose, at) => this.hasLeft(address, present, purpose, at),
    });
    return holder;
  }

  /**
   * Whoever claimed it and has set another since, or gave that up, is gone for good: whatever it claimed before is void.
   * A change that does not arrive is given up here, so that it cannot arrive after all; by a clock that was set, it is
   * late at once.
   */
  private async hasLeft({ by, value }: Address, holder: string, purpose: Purpose, claimedAt: number): Promise<boolean> {
    const state = await this.stateOf(holder);
    if (!state.exists && 'details' in purpose) {
      await this.finish(holder, purpose, `${holder}:finish`);
      return false;
    }
    if (state.deletedAt !== null) return true;
    if (state[by] === value) return false;
    const since = 'since' in purpose ? purpose.since : 0;
    if (state.contactVersions[by] > since) return true;
    if (Math.abs(this.clock.now() - claimedAt) <= CHANGE_IN_FLIGHT_MS) return false;
    return (await this.giveUp(holder, state, [by]))[by] !== value;
  }
}

export function customerStream(customerId: string): string {
  return `customer-${customerId}`;
}
