export const SCOPES = [
  'conversations:read',
  'conversations:write',
  'customers:read',
  'customers:write',
  'sessions:read',
  'appointments:read',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'agent',
] as const;

export type Scope = (typeof SCOPES)[number];
