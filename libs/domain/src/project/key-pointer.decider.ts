import type { Decider } from '../kernel/decider.js';

/** `key-<sha256 of the secret>`: which project and key a secret stands for. Whether it still counts, the project says. */
export type KeyPointed = { readonly type: 'KeyPointed'; readonly at: number } & KeyTarget;

export interface KeyTarget {
  readonly projectId: string;
  readonly keyId: string;
}

export type PointKey = { readonly type: 'PointKey'; readonly at: number } & KeyTarget;

export const keyPointerDecider: Decider<KeyTarget | null, PointKey, KeyPointed> = {
  initial: null,
  decide({ at, projectId, keyId }, target) {
    if (target?.projectId === projectId && target.keyId === keyId) return [];
    return [{ type: 'KeyPointed', at, projectId, keyId }];
  },
  evolve(_target, { projectId, keyId }) {
    return { projectId, keyId };
  },
};
