import type { Decider } from '../kernel/decider.js';

/**
 * A claim on a unique value, such as an external id. It carries the holder's whole creation command, so any reader can finish an
 * interrupted creation. No event releases it: once the holder's stream shows that it left, the next claim succeeds it.
 */
export type ClaimEvent = {
  readonly type: 'Claimed';
  readonly at: number;
  readonly holder: string;
  readonly creation: unknown;
  /** How many earlier claims stay valid and rank ahead. Only in earlier versions, where appointments queued for a key. */
  readonly behind?: number;
};

/** Bounds the queue of earlier versions: every claim folds all of it. */
const MAX_IN_LINE = 100;

export interface Claimant {
  readonly holder: string;
  readonly creation: unknown;
  readonly at: number;
}

export interface Claim {
  readonly claimants: readonly Claimant[];
  /** The number of claims so far. A renewed claim increments it, which invalidates reads of the earlier one. */
  readonly term: number;
}

export type ClaimCommand = {
  readonly type: 'Claim';
  readonly at: number;
  readonly holder: string;
  readonly creation: unknown;
  /** The term at which the caller found that the earlier claimants had left; 0 for an unclaimed value. */
  readonly after: number;
};

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
