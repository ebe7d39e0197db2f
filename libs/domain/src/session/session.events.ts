import type { Role } from '../kernel/role.js';

export const SESSION_OUTCOMES = [
  'appointment_booked',
  'appointment_changed',
  'appointment_cancelled',
  'no_action',
  'handed_off',
  'failed',
] as const;

export type SessionOutcome = (typeof SESSION_OUTCOMES)[number];

export const SESSION_STATUSES = ['open', 'closed'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const SESSION_DIRECTIONS = ['inbound', 'outbound'] as const;
export type SessionDirection = (typeof SESSION_DIRECTIONS)[number];

/** Metadata is the JSON text as sent. */
export interface SessionDetails {
  readonly sessionId: string;
  readonly projectId: string;
  readonly externalId: string | null;
  readonly direction: SessionDirection;
  readonly from: string | null;
  readonly to: string | null;
  readonly customerId: string | null;
  readonly conversationId: string | null;
  readonly metadata: string;
}

export type SessionEvent =
  | ({ readonly type: 'SessionOpened'; readonly at: number } & SessionDetails)
  | {
      readonly type: 'SessionTurnAdded';
      readonly at: number;
      readonly turnId: string;
      readonly role: Role;
      readonly content: string;
      /** When it was spoken, as the client reports it. */
      readonly spokenAt: number;
    }
  | {
      readonly type: 'SessionClosed';
      readonly at: number;
      readonly outcome: SessionOutcome | null;
      readonly endReason: string | null;
      readonly summary: string | null;
      readonly endedAt: number;
    };
