import type { Address, CustomerDetails, CustomerState, ContactKey } from '@domain/customer/customer';
import { CustomerMovedOn, customerDecider } from '@domain/customer/customer.decider';
import type { CustomerEvent } from '@domain/customer/customer.events';
import type { Envelope } from '@domain/kernel/envelope';
import { type Clock, pause } from '@ports/clock.port';
import type { ClaimEnvelope, Claims } from '../claims/claims.js';
import { partOf, type CommandOrigin, type RequestContext } from '../runtime/request-context.js';
import { findEvent } from '../streams/stream-records.js';
import type { StreamRunner } from '../streams/stream-runner.js';

export interface Creation {
  readonly projectId: string;
  readonly details: CustomerDetails;
}

interface Takeover {
  /** The customer's `contactVersions` for this kind of address when it claimed. */
  readonly since: number;
}

type Purpose = Creation | Takeover;

/** How long a claimed change may take to reach the customer's stream; afterwards other requests give it up. */
const CHANGE_IN_FLIGHT_MS = 1_000;
const POLL_INTERVAL_MS = 20;

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
    if (!claim || (await this.hasLeft(address, claim.holder, claim.creation, claim.at, claim.claim))) return null;
    const state = await this.stateOf(claim.holder);
    return state.exists && state[address.by] === address.value ? state : null;
  }

  /** Everyone who claimed the address since the request began, successful or not, and the last claimant before it. */
  async holdersSince({ projectId, startedAt }: RequestContext, { by, value }: Address): Promise<readonly string[]> {
    return [...new Set(await this.claims.holdersSince(by, projectId, value, startedAt))];
  }

  async hasRun(customerId: string, { commandId, startedAt }: RequestContext): Promise<boolean> {
    const isIt = (event: CustomerEvent) => event.type === 'CustomerUpdated' && event.commandId === commandId;
    const history = this.streams.history<CustomerEvent>(customerStream(customerId), startedAt);
    return (await findEvent(history, isIt)) !== null;
  }

  /** Claims the address for a customer that does not exist yet, unless another has it. Returns the holder's id. */
  claimForNew(creation: Creation, address: Address, candidateId: string, origin: CommandOrigin): Promise<string> {
    return this.acquire(creation.projectId, address, candidateId, creation, origin);
  }

  /** Claims the address for this customer in its present state: null, or the id of the other live customer that has it. */
  takenBy({ id, projectId, contactVersions }: CustomerState, address: Address, origin: CommandOrigin): Promise<string | null> {
    return this.otherHolder(projectId, address, id, { since: contactVersions[address.by] }, origin, true);
  }

  /** Voids the claims of these kinds that a customer made in this state. Returns its present state. */
  async giveUp(
    customerId: string,
    { contactVersions }: CustomerState,
    ways: readonly ContactKey[],
    envelope: Envelope,
  ): Promise<CustomerState> {
    const command = { type: 'GiveUpChange', at: this.clock.now(), ways, seen: contactVersions } as const;
    return (await this.streams.run(customerStream(customerId), customerDecider, command, envelope)).state;
  }

  /** Dated now, because lists grow only at the head. Leaves out an e-mail address that another customer has by now. */
  async finish(customerId: string, creation: Creation, origin: CommandOrigin): Promise<CustomerState> {
    for (;;) {
      try {
        return await this.make(customerId, creation, origin);
      } catch (error) {
        if (!(error instanceof CustomerMovedOn)) throw error;
      }
    }
  }

  nextPoll(): Promise<void> {
    return pause(this.clock, POLL_INTERVAL_MS);
  }

  private async make(customerId: string, creation: Creation, origin: CommandOrigin): Promise<CustomerState> {
    const { projectId, details } = creation;
    const { state } = await this.streams.cache.loadCached(customerStream(customerId), customerDecider);
    if (state.exists) return this.stateOf(customerId);
    const { contactVersions: seen } = state;
    const isItsOwn =
      details.phone === null ||
      details.email === null ||
      (await this.claimEmail(projectId, details.email, customerId, seen.email, origin));
    const email = isItsOwn ? details.email : null;
    const at = this.clock.now();
    const create = { type: 'CreateCustomer', at, customerId, projectId, ...details, email, seen } as const;
    const { commandId, envelope } = partOf(origin, 'customer');
    return (await this.streams.run(customerStream(customerId), customerDecider, create, envelope, { commandId })).state;
  }

  /** Returns whether the candidate holds the address; another live customer may have it. */
  private async claimEmail(projectId: string, email: string, candidate: string, since: number, origin: CommandOrigin) {
    const address: Address = { by: 'email', value: email };
    return (await this.otherHolder(projectId, address, candidate, { since }, origin, since > 0)) === null;
  }

  /** Claims the address: null, or the live customer that has it. Waits while another customer's change is in flight. */
  private async otherHolder(
    projectId: string,
    address: Address,
    candidate: string,
    takeover: Takeover,
    origin: CommandOrigin,
    renews: boolean,
  ): Promise<string | null> {
    for (;;) {
      const holder = await this.acquire(projectId, address, candidate, takeover, origin, renews);
      if (holder === candidate) return null;
      const other = await this.stateOf(holder);
      if (other.deletedAt === null && other[address.by] === address.value) return holder;
      await this.nextPoll();
    }
  }

  private async acquire(
    projectId: string,
    address: Address,
    candidate: string,
    creation: Purpose,
    origin: CommandOrigin,
    renews = false,
  ): Promise<string> {
    const { holder } = await this.claims.acquire<Purpose>({
      kind: address.by,
      projectId,
      value: address.value,
      holder: candidate,
      creation,
      origin: partOf(origin, address.by),
      renews,
      hasLeft: (present, purpose, at, claim) => this.hasLeft(address, present, purpose, at, claim),
    });
    return holder;
  }

  /** Gives up an overdue change, so that it can no longer arrive; after a clock jump it is overdue at once. */
  private async hasLeft(
    { by, value }: Address,
    holder: string,
    purpose: Purpose,
    claimedAt: number,
    claim: ClaimEnvelope,
  ): Promise<boolean> {
    const state = await this.stateOf(holder);
    if (!state.exists && 'details' in purpose) {
      await this.finish(holder, purpose, { commandId: `${holder}:finish`, envelope: await claim() });
      return false;
    }
    if (state.deletedAt !== null) return true;
    if (state[by] === value) return false;
    const since = 'since' in purpose ? purpose.since : 0;
    if (state.contactVersions[by] > since) return true;
    if (Math.abs(this.clock.now() - claimedAt) <= CHANGE_IN_FLIGHT_MS) return false;
    return (await this.giveUp(holder, state, [by], await claim()))[by] !== value;
  }
}

export function customerStream(customerId: string): string {
  return `customer-${customerId}`;
}
