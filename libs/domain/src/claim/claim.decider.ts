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
}

export type ClaimCommand = {
  readonly type: 'Claim';
  readonly at: number;
  readonly holder: string;
  readonly creation: unknown;
  /** The holder who was seen to have left; null when nobody held it. */
  readonly after: string | null;
};

/** Somebody else holds the value by now. */
export class ClaimTaken extends Error {
  constructor(readonly holder: string) {
    super('the value is claimed');
    this.name = 'ClaimTaken';
  }
}

export const claimDecider: Decider<Claim, ClaimCommand, ClaimEvent> = {
  initial: { holder: null, creation: null, at: 0 },
  decide({ at, holder, creation, after }, claim) {
    if (claim.holder === holder) return [];
    if (claim.holder !== null && claim.holder !== after) throw new ClaimTaken(claim.holder);
    return [{ type: 'Claimed', at: Math.max(at, claim.at), holder, creation }];
  },
  evolve(_claim, { holder, creation, at }) {
    return { holder, creation, at };
  },
};
