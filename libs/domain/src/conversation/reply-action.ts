export type StatusAction =
  | { readonly type: 'handoff'; readonly reason: string; readonly summary: string | null }
  | { readonly type: 'end_conversation'; readonly reason: string };

export const APPOINTMENT_OPERATIONS = ['created', 'confirmed', 'rescheduled', 'cancelled', 'failed'] as const;
export type AppointmentOperation = (typeof APPOINTMENT_OPERATIONS)[number];

/** A tool call that changed an appointment; the change is stored before the reply. */
export interface AppointmentAction {
  readonly type: 'appointment';
  readonly operation: AppointmentOperation;
  readonly appointmentId: string;
}

export type ReplyAction = (StatusAction | AppointmentAction) & { readonly id: string; readonly createdAt: number };
