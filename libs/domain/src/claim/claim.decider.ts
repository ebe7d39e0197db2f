import type { Decider } from '../kernel/decider.js';

/**
 * A claim on a unique value (a thread's external id, a phone number, an e-mail address, …). It carries the holder's
 * whole creation command, so that any reader can finish creating a holder that does not exist yet. No event releases a
 * claim: once the holder's own stream shows that it left, the next claim succeeds it.
 */
export type ClaimEvent = {
  readonly type: 'Claimed';
  readonly at: number;
  readonly holder: string;
  readonly creation: unknown;
  /**
   * How many of the latest claims before this one stay valid and rank ahead of it; absent when none do. No claim is made so
   * any more: earlier versions let appointments wait in line for the key of another.
   */
  readonly behind?: number;
};

/** Each claim is folded over the whole line that earlier versions stored, so an unbounded line would slow every claim. */
const MAX_IN_LINE = 100;

export interface Claimant {
  readonly holder: string;
  readonly creation: unknown;
  readonly at: number;
}

export interface Claim {
  /** The holder, then those that earlier versions let wait for the value, in the order in which they will succeed it. */
  readonly claimants: readonly Claimant[];
  /**
   * The number of claims so far. A renewed claim increments it and so invalidates what was read of the earlier one.
   */
  readonly term: number;
}

export type ClaimCommand = {
  readonly type: 'Claim';
  readonly at: number;
  readonly holder: string;
  readonly creation: unknown;
  /** The term at which the caller found that the earlier claimants had left; 0 when the value was unclaimed. */
  readonly after: number;
};

/** A concurrent claim changed the term. */
export class ClaimTaken extends Error {
  constructor() {
    super('the value is claimed');
    this.name = 'ClaimTaken';
  }
}

export const claimDecider: Decider<Claim, ClaimCommand, ClaimEvent> = {
  initial: { claimants: [], term: 0 },
  decide({ at, holder, creation, after }, { claimants, term }) {
    if (term !== after) throw new ClaimTaken();
    const time = Math.max(at, claimants.at(-1)?.at ?? 0);
    return [{ type: 'Claimed', at: time, holder, creation }];
  },
  evolve(claim, event) {
    if (event.type !== 'Claimed') return claim;
    const { claimants, term } = claim;
    const { holder, creation, at, behind = 0 } = event;
    const ahead = claimants.slice(Math.max(0, claimants.length - behind)).filter((claimant) => claimant.holder !== holder);
    return { claimants: [...ahead, { holder, creation, at }].slice(0, MAX_IN_LINE), term: term + 1 };
  },
};
