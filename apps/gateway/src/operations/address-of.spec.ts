import { addressOf } from './address-of.js';

describe('the address that a request was sent to', () => {
  it.each([
    ['api.example.com', 'http://api.example.com'],
    ['API.example.com:8443', 'http://api.example.com:8443'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['localhost', 'http://localhost'],
  ])('is that of its Host: %s', (host, address) => {
    expect(addressOf(host)).toBe(address);
  });

  it.each([
    '',
    'a b',
    'a"b',
    '</script>',
    'user@host',
    'host/path',
    'host:port',
    'höst',
    '-host',
    `${'x'.repeat(300)}.example`,
    '[x]',
  ])('is not known where that is something else: %j', (host) => {
    expect(addressOf(host)).toBeNull();
  });

  it('is not known without one', () => {
    expect(addressOf(undefined)).toBeNull();
  });
});
