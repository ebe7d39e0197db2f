/**
 * What stands for a client where connections are shared out: its IPv4 address, or of IPv6 the first 64 bits, as one client has
 * all addresses that begin so.
 */
export function clientNetwork(remoteAddress: string): string {
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = Array<string>(tail === undefined ? 0 : 8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}
