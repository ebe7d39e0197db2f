export const WORDS = {
  about: 'Every request that changed something, or tried to, in the console or with the admin API. Kept for 90 days.',
  empty: 'Nothing yet fits. What is done here is written down from now on.',
  filters: { session_id: 'Session id', project_id: 'Project id', subject_id: 'Id of what it was about' },
  columns: { at: 'When', action: 'What', subject: 'Of', result: 'Result', session: 'Session', address: 'From' },
} as const;
