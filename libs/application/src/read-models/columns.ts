export const COLUMN_TYPES = ['text', 'integer', 'number', 'boolean', 'time', 'json'] as const;
type ColumnType = (typeof COLUMN_TYPES)[number];

/** The types that a column can have. Text is JSON where it was kept as it was sent. */
type TypeOf<Value> = [NonNullable<Value>] extends [boolean]
  ? 'boolean'
  : [NonNullable<Value>] extends [number]
    ? 'integer' | 'number' | 'time'
    : [NonNullable<Value>] extends [string]
      ? 'text' | 'json'
      : 'json';

/** A member that files have as a column. `time`: epoch milliseconds. `json`: a text is JSON already. Null stays null in each. */
export interface MemberColumn<Type extends ColumnType = ColumnType, Value = unknown> {
  readonly type: Type;
  readonly meaning: string;
  readonly unit?: string;
  /** Absent: the member's name in snake case. One of `projectId` or `createdAt` takes the place of the row's own. */
  readonly name?: string;
  /** What files have in place of a value that is not null, where that is not for readers. */
  told?(value: Value): unknown;
}

/** A member that files do not have, and why. */
export interface LeftOut {
  readonly leftOut: string;
}

/** What becomes of each member of a row in files, in their order. */
export type RowColumns<Row extends object> = {
  readonly [Member in keyof Row]-?: MemberColumn<TypeOf<Row[Member]>, NonNullable<Row[Member]>> | LeftOut;
};

/** A column of a projection's files, as readers see it. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Null where the values have none. */
  readonly unit: string | null;
  readonly meaning: string;
  /** Whether it is masked unless personal data is asked for. */
  readonly personal: boolean;
}
