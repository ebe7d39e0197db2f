import type { Decider } from '../kernel/decider.js';

/** How far the first start of an installation came. It counts as done once its secrets were handed over. */
export type InstallationEvent =
  | { readonly type: 'InstallationBegun'; readonly at: number; readonly projectId: string; readonly keyId: string }
  | { readonly type: 'InstallationCompleted'; readonly at: number };

export interface Installation {
  readonly projectId: string | null;
  readonly keyId: string | null;
  readonly completed: boolean;
}

export type InstallationCommand =
  | { readonly type: 'Begin'; readonly at: number; readonly projectId: string; readonly keyId: string }
  | { readonly type: 'Complete'; readonly at: number };

export const installationDecider: Decider<Installation, InstallationCommand, InstallationEvent> = {
  initial: { projectId: null, keyId: null, completed: false },
  decide(command, installation) {
    switch (command.type) {
      case 'Begin':
        return installation.projectId === null ? [{ ...command, type: 'InstallationBegun' }] : [];
      case 'Complete':
        return installation.completed ? [] : [{ ...command, type: 'InstallationCompleted' }];
    }
  },
  evolve(installation, event) {
    switch (event.type) {
      case 'InstallationBegun':
        return { ...installation, projectId: event.projectId, keyId: event.keyId };
      case 'InstallationCompleted':
        return { ...installation, completed: true };
    }
  },
};
