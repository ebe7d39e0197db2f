import { clientAddress } from './client-address.js';

/** The IPv4 address, or the IPv6 /64 prefix, because one client usually has a whole /64. */
export function clientNetwork(remoteAddress: string): string {
  const address = clientAddress(remoteAddress);
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
