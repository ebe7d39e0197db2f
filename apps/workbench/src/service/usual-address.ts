import type { Config } from '@platform/config/config';

const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Where a service on this machine listens by its settings. */
export function usualAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reached = EVERY_ADDRESS[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
