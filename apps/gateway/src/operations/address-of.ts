const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The address that a request was sent to, as its `Host` says. Null where that is no host name or address and port: it is text of
 * the client, and goes into a document. Forwarded headers are not read, so the scheme is that of this service.
 */
export function addressOf(host: string | undefined): string | null {
  return host !== undefined && HOST.test(host) ? `http://${host.toLowerCase()}` : null;
}
