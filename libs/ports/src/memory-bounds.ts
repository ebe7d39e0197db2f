/** How much an agent is told of what was before with a customer (api-contract §16). */
export const MEMORY_BOUNDS = {
  pastAppointments: 5,
  conversations: 5,
  /** Of one conversation. */
  messages: 10,
  /** Of one message. */
  messageCodePoints: 500,
  /** Of everything that is remembered, as a model reads it. */
  codePoints: 16_000,
};
