import type { Decider } from '../kernel/decider.js';

/**
 * Who holds a unique value (a thread's external id, a phone, an e-mail address, …). The claim carries the holder's
 * whole creation, so that whoever reads a claim whose holder does not exist yet can finish it.
 * Nothing releases a claim: when the holder's own stream says that it left, the next claim succeeds this one. Who may come
 * to a value that another holds claims it behind that one.
 */
export type ClaimEvent = {
  readonly type: 'Claimed';
  readonly at: number;
  readonly holder: string;
  readonly creation: unknown;
  /** How many of the claims before it, the latest, go on to count, each ahead of this one; none when absent. */
  readonly behind?: number;
};

/** Every claim is folded over all that are in line: a line without end would hold everybody up. */
export const MOST_IN_LINE = 100;

export interface Claimant {
  readonly holder: string;
  readonly creation: unknown;
  readonly at: number;
}

export interface Claim {
  /** The holder, then those who will hold the value one after the other as those ahead of them leave; `MOST_IN_LINE` at most. */
  readonly claimants: readonly Claimant[];
  /** How often it was claimed so far. A holder may claim it again: what was known of its earlier claim is out of date then. */
  readonly term: number;
}

export type ClaimCommand = {
  readonly type: 'Claim';
  readonly at: number;
  readonly holder: string;
  readonly creation: unknown;
  /** The term in which others were seen to have left; 0 when nobody held it. */
  readonly after: number;
  /** How many claimants, the latest, were not seen to have left: it is claimed behind them. */
  readonly behind?: number;
};

/** Somebody claimed the value meanwhile. */
export class ClaimTaken extends Error {
  constructor() {
    super('the value is claimed');
    this.name = 'ClaimTaken';
  }
}

export const claimDecider: Decider<Claim, ClaimCommand, ClaimEvent> = {
  initial: { claimants: [], term: 0 },
  decide({ at, holder, creation, after, behind }, { claimants, term }) {
    if (term !== after) throw new ClaimTaken();
    const time = Math.max(at, claimants.at(-1)?.at ?? 0);
    return [{ type: 'Claimed', at: time, holder, creation, ...(behind && { behind }) }];
  },
  evolve({ claimants, term }, { holder, creation, at, behind = 0 }) {
    const ahead = claimants.slice(Math.max(0, claimants.length - behind)).filter((claimant) => claimant.holder !== holder);
    return { claimants: [...ahead, { holder, creation, at }].slice(0, MOST_IN_LINE), term: term + 1 };
  },
};
