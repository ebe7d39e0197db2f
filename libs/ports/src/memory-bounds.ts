/** The most that an agent is given of a customer's past (api-contract §16). */
export const MEMORY_BOUNDS = {
  pastAppointments: 5,
  conversations: 5,
  /** The newest messages of one conversation. */
  messages: 10,
  /** Code points of one message. */
  messageCodePoints: 500,
  /** Code points of the whole memory, as a model reads it. */
  codePoints: 16_000,
};
