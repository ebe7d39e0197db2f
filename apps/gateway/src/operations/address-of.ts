const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** From the `Host` header, which clients control: null where it is no valid host. Ignores forwarded headers. */
export function addressOf(host: string | undefined): string | null {
  return host !== undefined && HOST.test(host) ? `http://${host.toLowerCase()}` : null;
}
