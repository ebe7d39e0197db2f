import type { Decider } from '../kernel/decider.js';

/**
 * Who holds a unique value (a thread's external id, a phone, an e-mail address, …). The claim carries the holder's
 * whole creation, so that whoever reads a claim whose holder does not exist yet can finish it.
 * Nothing releases a claim: when the holder's own stream says that it left, the next claim succeeds this one.
 */
export type ClaimEvent = { readonly type: 'Claimed'; readonly at: number; readonly holder: string; readonly creation: unknown };

export interface Claim {
  readonly holder: string | null;
  readonly creation: unknown;
  readonly at: number;
  /** How often it was claimed so far. A holder may claim it again: what was known of its earlier claim is out of date then. */
  readonly term: number;
}

export type ClaimCommand = {
  readonly type: 'Claim';
  readonly at: number;
  readonly holder: string;
  readonly creation: unknown;
  /** The term that was seen to be over; 0 when nobody held it. */
  readonly after: number;
};

/** Somebody claimed the value meanwhile. */
export class ClaimTaken extends Error {
  constructor(readonly holder: string | null) {
    super('the value is claimed');
    this.name = 'ClaimTaken';
  }
}

export const claimDecider: Decider<Claim, ClaimCommand, ClaimEvent> = {
  initial: { holder: null, creation: null, at: 0, term: 0 },
  decide({ at, holder, creation, after }, claim) {
    if (claim.term !== after) throw new ClaimTaken(claim.holder);
    return [{ type: 'Claimed', at: Math.max(at, claim.at), holder, creation }];
  },
  evolve({ term }, { holder, creation, at }) {
    return { holder, creation, at, term: term + 1 };
  },
};
