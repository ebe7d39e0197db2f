import { AddressRanges, isPublicAddress } from './address-ranges.js';

const CLOSED = `
0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.0.0.1 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255
127.0.0.0 127.0.0.1 127.0.1.1 127.255.255.255 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 169.254.255.255
172.16.0.0 172.17.0.1 172.31.255.255 192.0.0.0 192.0.0.1 192.0.0.8 192.0.0.170 192.0.0.192 192.0.0.255
192.0.2.0 192.0.2.1 192.0.2.255 192.88.99.0 192.88.99.1 192.88.99.255 192.168.0.0 192.168.0.1 192.168.255.255
198.18.0.0 198.18.0.1 198.19.255.255 198.51.100.0 198.51.100.1 198.51.100.255 203.0.113.0 203.0.113.7 203.0.113.255
224.0.0.0 224.0.0.1 232.1.1.1 239.255.255.250 239.255.255.255 240.0.0.0 240.0.0.1 250.1.2.3 255.255.255.254 255.255.255.255
:: ::1 ::2 ::127.0.0.1 ::7f00:1 ::8.8.8.8 ::ffff:0:0 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8
::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b::a00:1 64:ff9b:1::1 64:ff9b:1:ffff::a00:1 100::1 100::ffff:ffff:ffff:ffff
2001::1 2001:0:7f00:1:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2001:1::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:1ff:ffff::1
2001:db8::1 2001:db8:ffff:ffff::1 2002:: 2002:7f00:1:: 2002:a00:1::1 2002:808:808::1 3fff::1 3fff:fff:ffff::1 4000::1 5f00::1 7fff::1
8000::1 fbff::1 fc00::1 fcff::1 fd00::1 fd00:ec2::254 fdff:ffff::1 fe00::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 feff::1 ff00::1 ff02::1 ff05::1:3 ffff::1
`;

const OPEN = `
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0
172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
2001:200::1 2001:4860:4860::8888 2001:db7::1 2001:db9::1 2003::1 2400:cb00::1 2606:4700:4700::1111 2620:fe::fe 2a00:1450::1 3ffe::1 3fff:1000::1
`;

const words = (text: string) => text.trim().split(/\s+/);

describe('an address', () => {
  it.each(words(CLOSED))('%s is nobody on the internet', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(words(OPEN))('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each([
    '',
    'localhost',
    '127.1',
    '010.0.0.1',
    '8.8.8',
    '2130706433',
    '0x8.8.8.8',
    '[2606:4700::1]',
    '8.8.8.8 ',
    '1.1.1.1/32',
  ])('%j is none', (text) => expect(isPublicAddress(text)).toBe(false));
});

describe('ranges an operator wrote down', () => {
  const ranges = new AddressRanges(['127.0.0.0/8', ' 10.1.2.3 ', 'fd00::/8', '::1']);

  it.each(['127.0.0.1', '127.255.0.1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:a01:203', 'fd12::1', '::1'])(
    'contain %s',
    (address) => expect(ranges.contain(address)).toBe(true),
  );
  it.each(['126.0.0.1', '10.1.2.4', 'fe80::1', '::2', '::127.0.0.1', '64:ff9b::7f00:1', '127.1', ''])(
    'do not contain %j',
    (address) => expect(ranges.contain(address)).toBe(false),
  );
  it('may be of IPv4 written as IPv6', () => {
    const mapped = new AddressRanges(['::ffff:127.0.0.0/104']);
    expect(['127.0.0.1', '::ffff:127.1.2.3', '128.0.0.1', '::1'].map((address) => mapped.contain(address))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(new AddressRanges(['::127.0.0.1']).contain('127.0.0.1')).toBe(false);
    expect(new AddressRanges(['::ffff:0:0/90']).contain('::ffff:127.0.0.1')).toBe(true);
  });
  it('may be everything', () => {
    expect(new AddressRanges(['0.0.0.0/0', '::/0']).contain('169.254.169.254')).toBe(true);
    expect(new AddressRanges(['::/0']).contain('fe80::1')).toBe(true);
  });
  it.each([
    '',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8.5',
    '::/129',
    '10/8',
    'localhost',
    '10.0.0.0/8/8x',
    '10.0.0.0/eight',
  ])('are refused when one is %j', (cidr) => expect(() => new AddressRanges([cidr])).toThrow('address range'));
});
