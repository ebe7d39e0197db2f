export const ROLES = ['user', 'assistant'] as const;

export type Role = (typeof ROLES)[number];
