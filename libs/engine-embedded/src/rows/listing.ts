import type { ListedRow, SortKey, StoredRow } from '@ports/read-models.port';

/** A row's text behind its sort key in one column: a column less to fetch is a tenth of a page's time. */
export function toListing({ createdAt, sortId }: SortKey, text: string | undefined): string | null {
  return text === undefined ? null : `${createdAt} ${sortId} ${text}`;
}

/** The text that `toListing` put behind the sort key. */
export function textIn(listing: string): string {
  return listing.slice(keyEnd(listing) + 1);
}

/** Takes itself apart when it is asked: of a whole page only one key is. */
export class Listing implements SortKey {
  constructor(private readonly listing: string) {}

  get createdAt(): number {
    return Number(this.listing.slice(0, this.listing.indexOf(' ')));
  }

  get sortId(): string {
    return this.listing.slice(this.listing.indexOf(' ') + 1, keyEnd(this.listing));
  }

  get text(): string {
    return textIn(this.listing);
  }
}

/** A row whose text is missing or no longer holds. */
export function asRow(stored: StoredRow): ListedRow {
  const { createdAt, sortId } = stored;
  return { createdAt, sortId, text: null, stored };
}

function keyEnd(listing: string): number {
  return listing.indexOf(' ', listing.indexOf(' ') + 1);
}
