export interface PageRequest {
  /** 1 to 100. */
  readonly limit: number;
  readonly order: 'desc' | 'asc';
  /** A cursor or a public id; at most one of the two. */
  readonly startingAfter: string | null;
  readonly endingBefore: string | null;
  readonly created?: Span;
}

/** The first instant is included, the last one is not. */
export interface Span {
  readonly from: number;
  readonly before: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}
