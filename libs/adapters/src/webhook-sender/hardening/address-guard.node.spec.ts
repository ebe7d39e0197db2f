import { NodeAddressGuard } from './address-guard.node.js';

const strict = new NodeAddressGuard({ allowHttp: false, allowCidrs: [] });
const relaxed = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8', '10.0.0.0/8'] });

describe('a target of webhooks', () => {
  it.each([
    'https://api.client.example/hooks',
    'https://api.client.example',
    'HTTPS://API.Client.Example/hooks?a=b&c=%20#'.replace('#', ''),
    'https://api.client.example:443/',
    'https://api.client.example:1024/',
    'https://api.client.example:8443/a@b',
    'https://api.client.example:65535/',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:8443/',
    'https://127.0.0.1.nip.io/',
    'https://internal.example/',
    'https://my_service.a-b--c.example/',
    `https://${'a'.repeat(63)}.example/`,
    `https://a.example/${'x'.repeat(2048 - 18)}`,
  ])('may be %s', (url) => expect(strict.objection(url)).toBeNull());

  it.each([
    ['an https URL', ['', 'hooks', '/hooks', '//a.example', 'ftp://a.example', 'file:///etc/passwd', 'javascript:alert(1)']],
    [
      'an https URL',
      ['https:a.example', 'https:/a.example', 'https:///a.example', 'https://', 'https://a.example:99999', 'data:,x'],
    ],
    [
      'an https URL',
      [
        'https://[::1',
        'https://a%00.example',
        'https://1.2.3.4.5',
        'https://256.1.1.1',
        'https://exa<mple',
        'gopher://a.example',
      ],
    ],
    ['must use https', ['http://a.example', 'HTTP://a.example:8080/']],
    [
      'user name',
      [
        'https://user@a.example',
        'https://user:pass@a.example',
        'https://@a.example',
        'https://:@a.example',
        'https://8.8.8.8@127.0.0.1/',
      ],
    ],
    ['fragment', ['https://a.example/#top', 'https://a.example#']],
    ['longer', [`https://a.example/${'x'.repeat(2048 - 17)}`]],
    [
      'port',
      ['https://a.example:80', 'https://a.example:22', 'https://a.example:1023', 'https://a.example:0', 'https://8.8.8.8:25/'],
    ],
    [
      'spaces',
      [
        ' https://a.example',
        'https://a.example/ b',
        'https://a.exa\nmple',
        'https://a.example\t',
        'https://a.example/\u0000',
        'https:\\\\a.example',
        'https://a.example\\@b.example',
        'https://a.exam\u200bple',
        'https://a.example/\u2028',
      ],
    ],
    [
      'usual form',
      [
        'https://a.example.',
        'https://localhost.',
        `https://${'a.'.repeat(127)}a`,
        `https://${'a'.repeat(64)}.example`,
        `https://a.${'a'.repeat(64)}`,
        'https://a..com/',
        'https://.a.com',
        'https://a.com..',
        'https://*.a.com',
        'https://a!b.com',
        'https://${host}.com',
        "https://a'b.com",
        'https://a,b.com',
        `https://${'ü'.repeat(60)}.example`,
      ],
    ],
    [
      'inside a network',
      [
        'https://localhost',
        'https://LOCALHOST:8443',
        'https://app.localhost',
        'https://kafka',
        'https://printer.local',
        'https://db.internal',
        'https://metadata.google.internal',
        'https://router.home.arpa',
      ],
    ],
  ])('must be otherwise: %s', (reason, urls) => {
    for (const url of urls) expect([url, strict.objection(url)]).toEqual([url, expect.stringContaining(reason)]);
  });

  it.each([
    'https://127.0.0.1',
    'https://127.1',
    'https://127.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0x7f000001',
    'https://0177.0.0.1',
    'https://0x7f.0x0.0x0.0x1',
    'https://017700000001',
    'https://127.0.0.1.',
    'https://%31%32%37.0.0.1',
    'https://①②⑦.0.0.1',
    'https://127。0。0。1',
    'https://１２７.0.0.1',
    'https://0',
    'https://0.0.0.0',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa9fea9fe',
    'https://2852039166',
    'https://0251.0376.0251.0376',
    'https://10.1',
    'https://192.168.1',
    'https://172.16.0.1:8443',
    'https://100.64.0.1',
    'https://[::]',
    'https://[::1]',
    'https://[0:0:0:0:0:0:0:1]:8443',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://[::ffff:8.8.8.8]',
    'https://[::127.0.0.1]',
    'https://[64:ff9b::7f00:1]',
    'https://[2002:7f00:1::]',
    'https://[2001:0:7f00:1::]',
    'https://[fe80::1]',
    'https://[fd00:ec2::254]',
    'https://[ff02::1]',
    'https://[2001:db8::1]',
    'https://224.0.0.1',
    'https://255.255.255.255',
  ])('must not be %s', (url) => expect(strict.objection(url)).toMatch(/private|usual form/));

  it('may be what the operator opened', () => {
    for (const url of [
      'http://127.0.0.1:8080/',
      'http://2130706433:8080/',
      'http://[::ffff:127.0.0.1]:8080/',
      'http://localhost:8080/',
      'http://app.localhost:8080/',
      'http://10.9.8.7/',
      'http://receiver:8080/',
      'https://db.internal/',
      'http://a.example:80/',
      'http://a.example/',
      'http://a.example:443/',
      'https://a.example:80/',
    ]) {
      expect([url, relaxed.objection(url)]).toEqual([url, null]);
    }
  });

  it('must not be more than what the operator opened', () => {
    for (const url of [
      'http://192.168.0.1/',
      'http://[::1]:8080/',
      'http://169.254.169.254/',
      'http://127.0.0.1:22/',
      'http://user@127.0.0.1/',
      'ftp://127.0.0.1/',
    ]) {
      expect([url, relaxed.objection(url)]).toEqual([url, expect.any(String)]);
    }
    expect(relaxed.objection('http://127.0.0.1:22/')).toBe('must use port 80, 443 or one from 1024 on');
    const inside = new NodeAddressGuard({ allowHttp: false, allowCidrs: ['10.0.0.0/8'] });
    expect(inside.objection('https://localhost:8443/')).toMatch('inside a network');
    expect(inside.objection('https://receiver:8443/')).toBeNull();
  });
});

describe('localhost', () => {
  it('stands for the loopback addresses that are open', () => {
    expect(strict.loopback).toEqual([]);
    expect(relaxed.loopback).toEqual(['127.0.0.1']);
    expect(new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8', '::1/128'] }).loopback).toEqual([
      '127.0.0.1',
      '::1',
    ]);
  });
});
