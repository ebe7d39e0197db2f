/** The bounds of settings, for operator and administrator alike. */

export const MAX_REPLY_WINDOW_MS = 110_000;

export const MAX_REQUESTS_PER_SECOND = 1_000_000;

/** In code points. The first password may be shorter. */
export const PASSWORD_CHARACTERS = { least: 12, most: 1_024 };

/** How it is decided which traces are kept, by the names of OpenTelemetry. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];
