import { type Decider, unchanged } from '../kernel/decider.js';

/** The installation's key and the progress of its first start, which is complete once its secrets were handed out. */
export type InstallationEvent =
  /** `keyTrace` is the fingerprint of the key. */
  | { readonly type: 'InstallationSealed'; readonly at: number; readonly keyTrace: string }
  | { readonly type: 'InstallationBegun'; readonly at: number; readonly projectId: string; readonly keyId: string }
  | { readonly type: 'InstallationCompleted'; readonly at: number };

export interface Installation {
  /** A fingerprint that does not reveal the key; null before the first start. */
  readonly keyFingerprint: string | null;
  readonly projectId: string | null;
  readonly keyId: string | null;
  readonly completed: boolean;
}

export type InstallationCommand =
  | { readonly type: 'Seal'; readonly at: number; readonly keyFingerprint: string }
  | { readonly type: 'Begin'; readonly at: number; readonly projectId: string; readonly keyId: string }
  | { readonly type: 'Complete'; readonly at: number };

export const installationDecider: Decider<Installation, InstallationCommand, InstallationEvent> = {
  initial: { keyFingerprint: null, projectId: null, keyId: null, completed: false },
  decide(command, installation) {
    switch (command.type) {
      case 'Seal':
        return installation.keyFingerprint === null
          ? [{ type: 'InstallationSealed', at: command.at, keyTrace: command.keyFingerprint }]
          : [];
      case 'Begin':
        return installation.projectId === null ? [{ ...command, type: 'InstallationBegun' }] : [];
      case 'Complete':
        return installation.completed ? [] : [{ ...command, type: 'InstallationCompleted' }];
    }
  },
  evolve(installation, event) {
    switch (event.type) {
      case 'InstallationSealed':
        return { ...installation, keyFingerprint: event.keyTrace };
      case 'InstallationBegun':
        return { ...installation, projectId: event.projectId, keyId: event.keyId };
      case 'InstallationCompleted':
        return { ...installation, completed: true };
      default:
        return unchanged(installation, event);
    }
  },
};
