import { type Decider, unchanged } from '../kernel/decider.js';

/**
 * The encryption key of the installation and the progress of its first start, which is complete once its secrets were
 * handed over.
 */
export type InstallationEvent =
  | { readonly type: 'InstallationSealed'; readonly at: number; readonly keyTrace: string }
  | { readonly type: 'InstallationBegun'; readonly at: number; readonly projectId: string; readonly keyId: string }
  | { readonly type: 'InstallationCompleted'; readonly at: number };

export interface Installation {
  /** A fingerprint of the key that does not reveal it; null before the first start. */
  readonly keyTrace: string | null;
  readonly projectId: string | null;
  readonly keyId: string | null;
  readonly completed: boolean;
}

export type InstallationCommand =
  | { readonly type: 'Seal'; readonly at: number; readonly keyTrace: string }
  | { readonly type: 'Begin'; readonly at: number; readonly projectId: string; readonly keyId: string }
  | { readonly type: 'Complete'; readonly at: number };

export const installationDecider: Decider<Installation, InstallationCommand, InstallationEvent> = {
  initial: { keyTrace: null, projectId: null, keyId: null, completed: false },
  decide(command, installation) {
    switch (command.type) {
      case 'Seal':
        return installation.keyTrace === null ? [{ ...command, type: 'InstallationSealed' }] : [];
      case 'Begin':
        return installation.projectId === null ? [{ ...command, type: 'InstallationBegun' }] : [];
      case 'Complete':
        return installation.completed ? [] : [{ ...command, type: 'InstallationCompleted' }];
    }
  },
  evolve(installation, event) {
    switch (event.type) {
      case 'InstallationSealed':
        return { ...installation, keyTrace: event.keyTrace };
      case 'InstallationBegun':
        return { ...installation, projectId: event.projectId, keyId: event.keyId };
      case 'InstallationCompleted':
        return { ...installation, completed: true };
      default:
        return unchanged(installation, event);
    }
  },
};
