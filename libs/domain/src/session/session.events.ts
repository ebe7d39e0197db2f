/** What a call may have come to. */
export const SESSION_OUTCOMES = [
  'appointment_booked',
  'appointment_changed',
  'appointment_cancelled',
  'no_action',
  'handed_off',
  'failed',
] as const;

export type SessionOutcome = (typeof SESSION_OUTCOMES)[number];

export type SessionDirection = 'inbound' | 'outbound';

/** What a call is, at its beginning. Metadata is JSON text as sent. */
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
      readonly role: 'user' | 'assistant';
      readonly content: string;
      /** When it was said, as the caller tells it. */
      readonly spokenAt: number;
    }
  | {
      readonly type: 'SessionClosed';
      readonly at: number;
      readonly outcome: SessionOutcome | null;
      readonly endReason: string | null;
      readonly summary: string | null;
      /** When the call was over, as the caller tells it. */
      readonly endedAt: number;
    };
