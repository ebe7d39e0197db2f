import { EngineNotOpened } from '@ports/engine.port';
import { ConnectionString } from './connection-string.js';

describe('a connection string', () => {
  it.each([
    ['esdb://127.0.0.1:2113?tls=false', 'esdb://127.0.0.1:2113?tls=false'],
    ['esdb://writer:my-secret@db:2113', 'esdb://writer:***@db:2113'],
    ['esdb+discover://writer:my-secret@db?tls=true', 'esdb+discover://writer:***@db?tls=true'],
  ])('is shown without its password: %s', (url, shown) => expect(new ConnectionString(url).shown).toBe(shown));

  it.each([
    ['esdb://127.0.0.1:2113?tls=false', { username: 'admin', password: 'changeit' }],
    ['esdb://writer:a%40b@db:2113', { username: 'writer', password: 'a@b' }],
  ])('has credentials: %s', (url, credentials) => expect(new ConnectionString(url).credentials).toEqual(credentials));

  it.each([
    ['esdb://127.0.0.1:2113?tls=false', false],
    ['esdb://localhost?tls=false', false],
    ['esdb://localhost:1,127.0.0.2:2/?keepAliveTimeout=7000&TLS=false', false],
    ['esdb://db:2113', false],
    ['esdb://db:2113?tls=true', false],
    ['esdb://db:2113?tls=false', true],
    ['esdb://localhost,10.0.0.7?tls=false', true],
    ['esdb://writer:my-secret@db?tls=false', true],
  ])('%s sends everything unencrypted to another machine: %s', (url, isExposed) =>
    expect(new ConnectionString(url).isExposed).toBe(isExposed),
  );

  it('gives each client a connection of its own, and keeps what the operator chose', () => {
    const url = new ConnectionString('esdb://db:2113?tls=false&keepAliveInterval=20000&throwOnAppendFailure=false');
    const [first, second] = [url.forClient(0), url.forClient(1)];
    expect(first).not.toBe(second);
    expect(first).toBe('esdb://db:2113?tls=false&keepAliveTimeout=5000&gossipTimeout=1&keepAliveInterval=20000');
    expect(second).toContain('keepAliveInterval=20001');
    expect(new ConnectionString('esdb://db?GossipTimeout=3').forClient(0)).toBe(
      'esdb://db?GossipTimeout=3&keepAliveTimeout=5000&keepAliveInterval=10000',
    );
  });

  it.each(['http://db:2113', 'db:2113', ''])('is refused where it names no EventStoreDB: %j', (url) =>
    expect(() => new ConnectionString(url)).toThrow(EngineNotOpened),
  );
});
