/** Set by the bundler, from `package.json`. */
declare const SERVICE_VERSION: string | undefined;

export const VERSION = typeof SERVICE_VERSION === 'undefined' ? 'unbundled' : SERVICE_VERSION;
