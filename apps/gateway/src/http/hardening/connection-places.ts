/** A client's connection. */
interface Connection {
  destroy(): void;
}

/** What becomes of a new connection. */
type Outcome =
  /** It is served. */
  | 'place'
  /** All places, or all of its address, are taken by connections in use: it has one of a few further places, for short requests. */
  | 'reserve'
  | 'refused';

/** Why connections were closed: to make room for others, to keep their address to its share, or because there was no room. */
type Closed = Record<'idle' | 'share' | 'refused', number>;

interface Places {
  readonly most: number;
  /** Places beyond those, for when all are in use. */
  readonly reserve: number;
}

/** The open connections of one address, or those in the reserve. */
class Share {
  readonly open = new Set<Connection>();
  /** Those without an unanswered request that has arrived whole, the one that has been so for longest first. */
  readonly idle = new Set<Connection>();

  /** Without an address it is the reserve. */
  constructor(readonly address: string | null) {}
}

/**
 * The places that connections take. Where all are taken, the connection that has been idle longest is closed for a new one. No
 * address holds more than half of them while others are connected, unless it uses them. What finds no place is in the reserve.
 */
export class ConnectionPlaces {
  readonly closed: Closed = { idle: 0, share: 0, refused: 0 };
  private readonly addresses = new Map<string, Share>();
  private readonly reserve = new Share(null);
  private readonly shares = new Map<Connection, Share>();
  /** Those of all addresses. */
  private readonly idle = new Set<Connection>();

  constructor(private readonly places: Places) {}

  /** Connections that are open. */
  get taken(): number {
    return this.shares.size;
  }

  /** Takes a new connection of this address, which is idle at first. A refused one is closed. */
  enter(connection: Connection, address: string): Outcome {
    this.reduceOthers(address);
    const own = this.addresses.get(address) ?? new Share(address);
    const outcome = this.outcome(own);
    if (outcome === 'refused') {
      this.closed.refused += 1;
      connection.destroy();
      return outcome;
    }
    const share = outcome === 'place' ? own : this.reserve;
    if (share.address !== null) this.addresses.set(share.address, share);
    this.shares.set(connection, share);
    share.open.add(connection);
    this.rest(connection);
    return outcome;
  }

  /** Whether the connection has a place of the reserve. */
  isReserved(connection: Connection): boolean {
    return this.reserve.open.has(connection);
  }

  /** The connection has a whole request: it is not closed for others. */
  use(connection: Connection): void {
    this.idle.delete(connection);
    this.shares.get(connection)?.idle.delete(connection);
  }

  /** All whole requests of the connection were answered, or the body of another begins to arrive. */
  rest(connection: Connection): void {
    const share = this.shares.get(connection);
    if (!share) return;
    this.use(connection);
    if (share !== this.reserve) this.idle.add(connection);
    share.idle.add(connection);
  }

  /** The connection was closed, by whomever. */
  leave(connection: Connection): void {
    const share = this.shares.get(connection);
    if (!share) return;
    this.use(connection);
    this.shares.delete(connection);
    share.open.delete(connection);
    if (share.address !== null && share.open.size === 0) this.addresses.delete(share.address);
  }

  private get placed(): number {
    return this.taken - this.reserve.open.size;
  }

  private outcome(own: Share): Outcome {
    if (this.hasPlaceFor(own)) return 'place';
    const { open, idle } = this.reserve;
    return open.size < this.places.reserve || this.close(idle, 'idle') ? 'reserve' : 'refused';
  }

  /** Whether there is a place, for which another connection was closed where it must be. */
  private hasPlaceFor({ open, idle }: Share): boolean {
    const { most } = this.places;
    const isOverHalf = open.size >= most / 2 && open.size < this.placed;
    if (isOverHalf && !this.close(idle, 'share')) return false;
    return this.placed < most || this.close(this.idle, 'idle');
  }

  /** An address that was alone may have more than half of the places until another comes. */
  private reduceOthers(address: string): void {
    const half = this.places.most / 2;
    if (this.placed <= half) return;
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
