interface Connection {
  destroy(): void;
}

type Outcome =
  | 'place'
  /** All places, or all of its address, are in use: it gets a reserve place, for short requests. */
  | 'reserve'
  | 'refused';

/** Why connections were closed: for a new one, to limit an address to its share, or for lack of room. */
type Closed = Record<'idle' | 'share' | 'refused', number>;

interface Places {
  readonly most: number;
  /** Extra places for when all are in use. */
  readonly reserve: number;
}

class Share {
  readonly open = new Set<Connection>();
  /** Connections without a complete unanswered request, longest idle first. */
  readonly idle = new Set<Connection>();

  constructor(readonly address: string | null) {}
}

/**
 * When full, a new connection replaces the longest idle one, else takes a reserve place. While others are connected, an address
 * may hold more than half of the places only if it uses them.
 */
export class ConnectionPlaces {
  readonly closed: Closed = { idle: 0, share: 0, refused: 0 };
  private readonly addresses = new Map<string, Share>();
  private readonly reserve = new Share(null);
  private readonly shares = new Map<Connection, Share>();
  private readonly idle = new Set<Connection>();

  constructor(private readonly places: Places) {}

  get taken(): number {
    return this.shares.size;
  }

  /** A new connection is idle. A refused one is closed. */
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

  isReserved(connection: Connection): boolean {
    return this.reserve.open.has(connection);
  }

  /** A complete request has arrived: the connection is not closed for others. */
  use(connection: Connection): void {
    this.idle.delete(connection);
    this.shares.get(connection)?.idle.delete(connection);
  }

  /** All complete requests are answered, or another body starts to arrive. */
  rest(connection: Connection): void {
    const share = this.shares.get(connection);
    if (!share) return;
    this.use(connection);
    if (share !== this.reserve) this.idle.add(connection);
    share.idle.add(connection);
  }

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

  /** Closes another connection if needed. */
  private hasPlaceFor({ open, idle }: Share): boolean {
    const { most } = this.places;
    const isOverHalf = open.size >= most / 2 && open.size < this.placed;
    if (isOverHalf && !this.close(idle, 'share')) return false;
    return this.placed < most || this.close(this.idle, 'idle');
  }

  /** An address that was alone may hold more than half of the places until another connects. */
  private reduceOthers(address: string): void {
    const half = this.places.most / 2;
    if (this.placed <= half) return;
    for (const [other, { open, idle }] of this.addresses) {
      if (other !== address) while (open.size > half && this.close(idle, 'share'));
    }
  }

  private close(idle: ReadonlySet<Connection>, why: keyof Closed): boolean {
    const [longest] = idle;
    if (!longest) return false;
    this.closed[why] += 1;
    this.leave(longest);
    longest.destroy();
    return true;
  }
}
