/** As the connection has it: an IPv4 address without the prefix that a socket for both versions gives it. */
export function clientAddress(remoteAddress: string | undefined): string {
  return (remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
