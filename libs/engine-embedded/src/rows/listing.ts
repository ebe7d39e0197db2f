import type { ListedRow, SortKey, StoredRow } from '@ports/read-models.port';

/** Sort key and text in one column: one column less saves a tenth of a page's time. */
export function toListing({ createdAt, sortId }: SortKey, text: string | undefined): string | null {
  return text === undefined ? null : `${createdAt} ${sortId} ${text}`;
}

export function textIn(listing: string): string {
  return listing.slice(keyEnd(listing) + 1);
}

/** Parses its column on demand: a page needs only one key. */
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

export function asRow(stored: StoredRow): ListedRow {
  const { createdAt, sortId } = stored;
  return { createdAt, sortId, text: null, stored };
}

function keyEnd(listing: string): number {
  return listing.indexOf(' ', listing.indexOf(' ') + 1);
}
