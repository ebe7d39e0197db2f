/** The most of a customer's past that an agent is given. */
export const MEMORY_BOUNDS = {
  pastAppointments: 5,
  conversations: 5,
  /** Messages per conversation, newest first. */
  messages: 10,
  /** Per message. */
  messageCodePoints: 500,
  /** Of the whole memory as a model reads it. */
  codePoints: 16_000,
};
