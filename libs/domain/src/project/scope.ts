/** The permissions of an API key (api-contract §7.3). */
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
