/** Members of events and rows that are personal data, whatever they belong to. */
const EVERYWHERE: readonly string[] = ['from', 'to', 'content', 'notes', 'summary', 'metadata'];

const OF_CUSTOMERS: readonly string[] = ['phone', 'email', 'name', 'externalId'];

/** Those that are personal data in events of one category, and in rows made of them. */
const BY_CATEGORY: Readonly<Record<string, readonly string[]>> = {
  customer: OF_CUSTOMERS,
  // A claim of a contact names the customer who is to have it.
  phone: OF_CUSTOMERS,
  email: OF_CUSTOMERS,
  // What an agent keeps of a conversation, why a client ended it, and its summary for humans.
  conversation: ['note', 'handoffSummary'],
  // A webhook with its appointment, and what its receiver answered.
  deliveries: ['body'],
};

/** Whether a member is personal data in events of one of these categories, or in rows made of them. */
export function isPersonalMember(member: string, categories: readonly string[]): boolean {
  return EVERYWHERE.includes(member) || categories.some((category) => BY_CATEGORY[category]?.includes(member));
}
