import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

const GLOBAL_V6 = rangeOf('2000::/3');
/** Ranges that the library refuses too, in case a version does not, and the internal address of Azure's host. */
const WITHHELD = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '192.88.99.0/24', '168.63.129.16/32'].map(rangeOf);

export function isPublicAddress(text: string): boolean {
  const address = parsed(text);
  if (!address || address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6' && !within(address, GLOBAL_V6)) return false;
  return !WITHHELD.some((range) => within(address, range));
}

export class AddressRanges {
  private readonly ranges: readonly Range[];

  /** Throws if a text is no address range. */
  constructor(cidrs: readonly string[]) {
    this.ranges = cidrs.map((cidr) => rangeOf(cidr.trim()));
  }

  get isEmpty(): boolean {
    return this.ranges.length === 0;
  }

  /** An IPv4-mapped IPv6 address also counts as its IPv4 address. */
  contain(text: string): boolean {
    const address = parsed(text);
    if (!address) return false;
    const spellings = isMapped(address) ? [address, address.toIPv4Address()] : [address];
    return this.ranges.some((range) => spellings.some((spelling) => within(spelling, range)));
  }
}

function rangeOf(cidr: string): Range {
  const [address = '', bits, ...rest] = cidr.split('/');
  const widest = isIP(address) === 6 ? 128 : 32;
  const length = bits === undefined ? widest : Number(bits);
  const base = parsed(address);
  if (!base || rest.length > 0 || bits === '' || !Number.isInteger(length) || length < 0 || length > widest) {
    throw new Error(`"${cidr}" is not an address range such as 127.0.0.0/8.`);
  }
  const beforeIPv4 = 128 - 32;
  return isMapped(base) && length >= beforeIPv4 ? [base.toIPv4Address(), length - beforeIPv4] : [base, length];
}

/** Null unless canonical: the parser alone would accept "010.1", and take "::1.2.3.4" for "::ffff:1.2.3.4". */
function parsed(text: string): Address | null {
  if (!isIP(text)) return null;
  const [, compatible] = /^::(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  if (compatible === undefined) return ipaddr.parse(text);
  return new ipaddr.IPv6([...new Array<number>(12).fill(0), ...ipaddr.parse(compatible).toByteArray()]);
}

function isMapped(address: Address): address is ipaddr.IPv6 {
  return 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress();
}

const within = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && (address as ipaddr.IPv4).match(base as ipaddr.IPv4, bits);
