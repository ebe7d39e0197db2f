import type { Decider } from '../kernel/decider.js';

/** Stream `key-<sha256 of the secret>` maps a secret to its project and key; the project decides whether the key is valid. */
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
  evolve(target, event) {
    if (event.type !== 'KeyPointed') return target;
    const { projectId, keyId } = event;
    return { projectId, keyId };
  },
};
