/** A client's connection. */
interface Connection {
  destroy(): void;
}

/** What becomes of a new connection. */
type Outcome =
  /** It is served. */
  | 'place'
  /** All places are taken by connections in use: it has one of a few further places, for short requests alone. */
  | 'reserve'
  | 'refused';

/** Why connections were closed: to make room for others, to keep their address to its share, or because there was no room. */
type Closed = Record<'idle' | 'share' | 'refused', number>;

interface Places {
  readonly most: number;
  /** Places beyond those, for when all are in use. */
  readonly reserve: number;
}

/** What one address has open. */
class AddressShare {
  readonly open = new Set<Connection>();
  /** Idle ones, those that have been idle longest first. */
  readonly idle = new Set<Connection>();
}

/**
 * The places that connections take. Where all are taken, the connection that has been idle longest is closed for a new one. No
 * address holds more than half of them while others are connected, unless it uses them.
 */
export class ConnectionPlaces {
  readonly closed: Closed = { idle: 0, share: 0, refused: 0 };
  private readonly addresses = new Map<string, AddressShare>();
  private readonly shares = new Map<Connection, { readonly address: string; readonly share: AddressShare }>();
  private readonly idle = new Set<Connection>();
  private readonly reserved = new WeakSet<Connection>();

  constructor(private readonly places: Places) {}

  /** Connections that are open. */
  get taken(): number {
    return this.shares.size;
  }

  /** Takes a new connection of this address, which is idle at first. A refused one is closed. */
  enter(connection: Connection, address: string): Outcome {
    this.reduceOthers(address);
    const share = this.addresses.get(address) ?? new AddressShare();
    const outcome = this.outcome(share);
    if (outcome === 'refused') {
      this.closed.refused += 1;
      connection.destroy();
      return outcome;
    }
    this.addresses.set(address, share);
    this.shares.set(connection, { address, share });
    share.open.add(connection);
    if (outcome === 'reserve') this.reserved.add(connection);
    this.rest(connection);
    return outcome;
  }

  /** Whether the connection has a place of the reserve. */
  isReserved(connection: Connection): boolean {
    return this.reserved.has(connection);
  }

  /** The connection has a request: it is not closed for others. */
  use(connection: Connection): void {
    this.idle.delete(connection);
    this.shares.get(connection)?.share.idle.delete(connection);
  }

  /** All requests of the connection were answered. */
  rest(connection: Connection): void {
    const share = this.shares.get(connection)?.share;
    if (!share) return;
    this.idle.add(connection);
    share.idle.add(connection);
  }

  /** The connection was closed, by whomever. */
  leave(connection: Connection): void {
    const known = this.shares.get(connection);
    if (!known) return;
    this.use(connection);
    this.shares.delete(connection);
    known.share.open.delete(connection);
    if (known.share.open.size === 0) this.addresses.delete(known.address);
  }

  private outcome(share: AddressShare): Outcome {
    const { most, reserve } = this.places;
    const isOverHalf = share.open.size >= most / 2 && share.open.size < this.taken;
    if (isOverHalf && !this.close(share.idle, 'share')) return 'refused';
    if (this.taken >= most) this.close(this.idle, 'idle');
    if (this.taken < most) return 'place';
    return this.taken < most + reserve ? 'reserve' : 'refused';
  }

  /** An address that was alone may have more than half of the places until another comes. */
  private reduceOthers(address: string): void {
    const half = this.places.most / 2;
    if (this.taken <= half) return;
    for (const [other, { open, idle }] of this.addresses) {
      if (other !== address) while (open.size > half && this.close(idle, 'share'));
    }
  }

  /** Closes the connection that has been idle longest; false where none is idle. */
  private close(idle: ReadonlySet<Connection>, why: keyof Closed): boolean {
    const [longest] = idle;
    if (!longest) return false;
    this.closed[why] += 1;
    this.leave(longest);
    longest.destroy();
    return true;
  }
}
