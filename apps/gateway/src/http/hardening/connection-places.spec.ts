import * as fc from 'fast-check';
import { ConnectionPlaces } from './connection-places.js';

type Connection = Parameters<ConnectionPlaces['enter']>[0];

const MAX = 10;
const RESERVE = 2;

/** Clients with their connections, by name. */
class Clients {
  readonly places = new ConnectionPlaces({ most: MAX, reserve: RESERVE });
  private readonly named = new Map<string, Connection & { isOpen: boolean }>();

  enter(name: string, address = name.charAt(0)) {
    const connection = { isOpen: true, destroy: () => void (connection.isOpen = false) };
    this.named.set(name, connection);
    return this.places.enter(connection, address);
  }

  of(name: string): Connection {
    const connection = this.named.get(name);
    if (!connection) throw new Error(`${name} never came`);
    return connection;
  }

  get open(): string[] {
    return [...this.named].filter(([, { isOpen }]) => isOpen).map(([name]) => name);
  }
}

const numbered = (address: string, count: number) => Array.from({ length: count }, (_, index) => `${address}${index}`);

let clients: Clients;
beforeEach(() => void (clients = new Clients()));

describe('a new connection where all places are taken', () => {
  it('takes the place of the one that has been idle longest', () => {
    for (const name of numbered('a', MAX)) clients.enter(name);
    clients.places.use(clients.of('a0'));
    clients.places.use(clients.of('a1'));
    clients.places.rest(clients.of('a1'));
    expect(clients.enter('a10')).toBe('place');
    expect(clients.enter('a11')).toBe('place');
    expect(clients.open).toEqual(['a0', 'a1', ...numbered('a', MAX).slice(4), 'a10', 'a11']);
    expect(clients.places.closed).toEqual({ idle: 2, share: 0, refused: 0 });
  });

  it('has a place of the reserve where none is idle, and is refused beyond it', () => {
    for (const name of numbered('a', MAX)) {
      clients.enter(name);
      clients.places.use(clients.of(name));
    }
    for (const name of ['a10', 'a11']) {
      expect(clients.enter(name)).toBe('reserve');
      expect(clients.places.isReserved(clients.of(name))).toBe(true);
      clients.places.use(clients.of(name));
    }
    expect([clients.enter('a12'), clients.places.taken]).toEqual(['refused', MAX + RESERVE]);
    clients.places.rest(clients.of('a11'));
    expect(clients.enter('a13')).toBe('reserve');
    expect(clients.open).toEqual([...numbered('a', MAX + 1), 'a13']);
  });

  it('finds a place once another has left', () => {
    for (const name of numbered('a', MAX)) clients.enter(name);
    clients.places.leave(clients.of('a7'));
    expect(clients.enter('a10')).toBe('place');
    expect(clients.places.closed).toEqual({ idle: 0, share: 0, refused: 0 });
  });
});

describe('an address', () => {
  it('may take every place while it is alone, and half of them once another comes', () => {
    for (const name of numbered('a', MAX)) expect(clients.enter(name)).toBe('place');
    clients.enter('b0');
    expect(clients.open).toEqual([...numbered('a', MAX).slice(MAX / 2), 'b0']);
  });

  it('with half of the places closes its own for new ones, though others are free', () => {
    clients.enter('b0');
    for (const name of numbered('a', MAX)) clients.enter(name);
    expect(clients.open).toEqual(['b0', ...numbered('a', MAX).slice(MAX / 2)]);
    expect(clients.places.closed).toEqual({ idle: 0, share: MAX / 2, refused: 0 });
  });

  it('that uses half of the places has the reserve for more, as probes are, and is refused beyond it; others are not', () => {
    clients.enter('b0');
    for (const name of numbered('a', MAX / 2 + RESERVE)) {
      expect(clients.enter(name)).toBe(clients.places.taken <= MAX / 2 + 1 ? 'place' : 'reserve');
      clients.places.use(clients.of(name));
    }
    expect([clients.enter('a9'), clients.enter('b1')]).toEqual(['refused', 'place']);
  });

  it('that uses half of the places has the connections of the reserve that are idle closed for new ones', () => {
    clients.enter('b0');
    clients.places.use(clients.of('b0'));
    for (const name of numbered('a', MAX / 2)) {
      clients.enter(name);
      clients.places.use(clients.of(name));
    }
    expect([clients.enter('a5'), clients.enter('a6'), clients.enter('a7')]).toEqual(['reserve', 'reserve', 'reserve']);
    expect(clients.open).toEqual(['b0', ...numbered('a', MAX / 2), 'a6', 'a7']);
    clients.places.rest(clients.of('a0'));
    expect([clients.enter('a8'), clients.open.includes('a0')]).toEqual(['place', false]);
  });

  it('keeps what it uses when another comes', () => {
    for (const name of numbered('a', MAX)) {
      clients.enter(name);
      clients.places.use(clients.of(name));
    }
    expect([clients.enter('b0'), clients.open]).toEqual(['reserve', [...numbered('a', MAX), 'b0']]);
  });
});

it('whatever comes, is used and goes: bounds hold, and what is used is never closed', () =>
  fc.assert(
    fc.property(
      fc.array(fc.record({ what: fc.constantFrom('enter', 'enter', 'enter', 'use', 'rest', 'leave'), who: fc.nat(29) }), {
        maxLength: 200,
      }),
      (steps) => {
        const places = new ConnectionPlaces({ most: MAX, reserve: RESERVE });
        const open = new Map<Connection, { readonly address: string; isUsed: boolean }>();
        for (const { what, who } of steps) {
          const address = 'abc'.charAt(who % 3);
          if (what === 'enter') {
            const connection = {
              destroy: () => {
                expect(open.get(connection)?.isUsed ?? false).toBe(false);
                open.delete(connection);
              },
            };
            open.set(connection, { address, isUsed: false });
            places.enter(connection, address);
          } else {
            const [connection, about] = [...open][who % open.size] ?? [];
            if (!connection || !about) continue;
            if (what === 'leave') open.delete(connection);
            else about.isUsed = what === 'use';
            places[what as 'use'](connection);
          }
          expect(places.taken).toBe(open.size);
          expect(open.size).toBeLessThanOrEqual(MAX + RESERVE);
          for (const each of 'abc') {
            const theirs = [...open.values()].filter((one) => one.address === each);
            const isAlone = theirs.length === open.size;
            const used = theirs.filter(({ isUsed }) => isUsed).length;
            if (what === 'enter' && !isAlone) expect(theirs.length).toBeLessThanOrEqual(Math.max(MAX / 2, used) + RESERVE);
          }
        }
      },
    ),
    { numRuns: 300 },
  ));
