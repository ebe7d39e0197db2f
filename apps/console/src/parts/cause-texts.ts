/** Words of the causes of an event or a delivery. */
export const CAUSE_TEXTS = {
  request: 'A request',
  task: 'A task',
  timer: 'The service itself, by its timer',
  unknown: 'What came before is not stored.',
  requestEvents: 'Its events',
  in: 'of',
  envelope: 'Envelope',
  actors: { agent: 'by the agent', client: 'by a client', admin: 'by an administrator', system: 'by the service itself' },
  facts: {
    stored: 'Stored as',
    position: 'Position in the log',
    request: 'Request',
    correlation: 'Correlation',
    causation: 'Causation',
    trace: 'Trace',
  },
} as const;
