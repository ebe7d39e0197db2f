const DAY = 86_400_000;
const FIRST_DAY = Date.parse('2030-01-01');
const DAYS = 1_000;
const metadata = { channel: 'web' };

/** Every run has customers of its own. */
const phone = (run, customer) => `+4915${String(run % 1e6).padStart(6, '0')}${String(customer).padStart(5, '0')}`;

/** What is posted as the n-th message of a run, by the kind of talk. */
export const bodies = {
  /** Nobody is known; the thread goes on. */
  smallTalk: ({ run, n, threads }) => ({
    external_conversation_id: `${run}-${n % threads}`,
    content: `message ${n}: could you tell me about your prices?`,
  }),
  /** A customer in two threads, so that there is an earlier conversation to remember. */
  ordinary: ({ run, n, threads }) => ({
    external_conversation_id: `${run}-${n % threads}`,
    content: `message ${n}: could you tell me about your prices?`,
    customer: { phone: phone(run, (n % threads) >> 1) },
    metadata,
  }),
  /** A customer and a thread of its own: nothing is there already, so that each books. */
  booking: ({ run, n }) => ({
    external_conversation_id: `${run}-${n}`,
    content: `Book me a dental cleaning on ${new Date(FIRST_DAY + (n % DAYS) * DAY).toISOString().slice(0, 10)} at 10:00`,
    customer: { phone: phone(run, n) },
    metadata,
  }),
};
