import { EngineNotOpened } from '@ports/engine.port';
import { ConnectionString } from './connection-string.js';

describe('a connection string', () => {
  it.each([
    ['esdb://127.0.0.1:2113?tls=false', 'esdb://127.0.0.1:2113?tls=false'],
    ['esdb://writer:my-secret@db:2113', 'esdb://writer:***@db:2113'],
    ['esdb+discover://writer:my-secret@db?tls=true', 'esdb+discover://writer:***@db?tls=true'],
    ['esdb://writer:my@secret@db:2113', 'esdb://writer:***@db:2113'],
    ['esdb://writer:my?s/e:c@r@et@db:2113/?tls=true', 'esdb://writer:***@db:2113/?tls=true'],
    ['esdb://writer:my-$&-secret@db?connectionName=a@b', 'esdb://writer:***@db?connectionName=a@b'],
    ['esdb://db:2113?tls=false&connectionName=a@b', 'esdb://db:2113?tls=false&connectionName=a@b'],
  ])('is shown without its password: %s', (url, shown) => expect(new ConnectionString(url).shown).toBe(shown));

  it.each([
    ['esdb://127.0.0.1:2113?tls=false', { username: 'admin', password: 'changeit' }],
    ['esdb://writer:a%40b@db:2113', { username: 'writer', password: 'a@b' }],
    ['esdb://writer:p@ss@db:2113', { username: 'writer', password: 'p@ss' }],
    ['esdb://writer:a:b@db:2113', { username: 'writer', password: 'a:b' }],
    ['esdb://a%40b.example:c%25@db:2113', { username: 'a@b.example', password: 'c%' }],
  ])('has credentials: %s', (url, credentials) => expect(new ConnectionString(url).credentials).toEqual(credentials));

  it.each([
    ['esdb://127.0.0.1:2113?tls=false', false],
    ['esdb://localhost?tls=false', false],
    ['esdb://localhost:1,127.0.0.2:2/?keepAliveTimeout=7000&TLS=false', false],
    ['esdb://writer:my-secret@db:2113', false],
    ['esdb://writer:my-secret@db:2113?tls=true', false],
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
    expect(new ConnectionString('esdb://a:b@c@db?GossipTimeout=3').forClient(0)).toBe(
      'esdb://db?GossipTimeout=3&keepAliveTimeout=5000&keepAliveInterval=10000',
    );
  });

  it('gives no client the password, since the driver prints a string of which it does not know an option', () => {
    expect(new ConnectionString('esdb://writer:my-secret@db?unknown=1').forClient(0)).not.toContain('secret');
  });

  it.each([
    ['a % that begins no escape', 'esdb://writer:100%@db:2113', 'has a % in its user or password'],
    ['a % in the name', 'esdb://100%:my-secret@db:2113', 'has a % in its user or password'],
    ['no password', 'esdb://writer@db:2113?tls=false', 'needs <user>:<password>'],
    ['an empty password', 'esdb://writer:@db:2113', 'needs <user>:<password>'],
    ['TLS and no user', 'esdb://db:2113?tls=true', 'names no user'],
    ['TLS by default and no user', 'esdb+discover://db', 'names no user'],
  ])('is refused in one line that names the variable where it has %s', (_, url, why) => {
    expect(() => new ConnectionString(url)).toThrow(EngineNotOpened);
    expect(() => new ConnectionString(url)).toThrow(new RegExp(`^EVENTSTORE_URL: esdb.*${why}.*$`));
    expect(() => new ConnectionString(url)).toThrow(expect.not.stringContaining('secret'));
  });

  it.each(['http://db:2113', 'db:2113', ''])('is refused where it names no EventStoreDB: %j', (url) =>
    expect(() => new ConnectionString(url)).toThrow(EngineNotOpened),
  );
});
