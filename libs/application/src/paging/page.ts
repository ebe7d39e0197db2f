/** Which part of a list is wanted. */
export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly order: 'desc' | 'asc';
  /** A cursor or a public id; at most one of the two. */
  readonly startingAfter: string | null;
  readonly endingBefore: string | null;
  /** Only what was created then; everything when left out. */
  readonly created?: Span;
}

/** Instants, the first one among them and the last one not. */
export interface Span {
  readonly from: number;
  readonly before: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  /** What to pass as `startingAfter` for the next page; null on the last. */
  readonly nextCursor: string | null;
}
