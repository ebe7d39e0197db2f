export const WORDS = {
  about: 'Each API key belongs to one project, and sees only that.',
  columns: { id: 'Id', created: 'Created', links: 'Go to' },
  add: 'Add a project',
  save: 'Save',
  saved: 'Saved.',
  instructions: 'What the agent is told about this project, verbatim',
  handoffReply: 'What a reply that hands over to a human ends with',
  window: 'Reply window in milliseconds',
  zone: 'Time zone (IANA), such as Europe/Berlin',
  limits: 'Requests a second; 0 turns the limit off',
} as const;
