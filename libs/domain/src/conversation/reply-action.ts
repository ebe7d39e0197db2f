/** A change of the conversation's status that an agent requests with its reply. */
export type StatusAction =
  | { readonly type: 'handoff'; readonly reason: string; readonly summary: string | null }
  | { readonly type: 'end_conversation'; readonly reason: string };

export const APPOINTMENT_OPERATIONS = ['created', 'confirmed', 'rescheduled', 'cancelled', 'failed'] as const;
export type AppointmentOperation = (typeof APPOINTMENT_OPERATIONS)[number];

/** An agent's tool call that changed an appointment; the change is stored before the reply is. */
export interface AppointmentAction {
  readonly type: 'appointment';
  readonly operation: AppointmentOperation;
  readonly appointmentId: string;
}

/** An action as stored with a reply and shown to the client (api-contract §8.3). */
export type ReplyAction = (StatusAction | AppointmentAction) & { readonly id: string; readonly createdAt: number };
