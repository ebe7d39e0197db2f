interface Column {
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly meaning: string;
  readonly personal: boolean;
}

/** The columns of each projection, by its name. */
export function columnsTables(projections: Readonly<Record<string, readonly Column[]>>): string;
export function withColumnsTables(page: string, tables: string): string;
