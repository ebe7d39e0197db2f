export const WORDS = {
  title: 'Search',
  about: (text: string) => `What fits “${text}” in this project.`,
  none: 'Nothing fits. Looked for customers by phone, e-mail and external id, for conversations, calls and appointments by external id, and for events by the id of their request; and, in the 20 newest projects too, for the thing that has it as its id. A message is found in its conversation.',
  nothing: 'Type an id, a phone number, an e-mail address, an external id or a request id above.',
  more: 'There are more: look through the list itself, with this text as its filter.',
  labels: { what: 'What', id: 'Id', text: 'Says', created: 'Created' },
  kinds: {
    customer: 'Customer',
    conversation: 'Conversation',
    session: 'Call',
    appointment: 'Appointment',
    event: 'Event',
  },
} as const;
