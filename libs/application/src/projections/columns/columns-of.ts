import type { StoredRow } from '@ports/read-models.port';
import { INSTALLATION } from '../../projects/projects.projection.js';
import type { Column, LeftOut, MemberColumn } from '../../read-models/columns.js';
import type { Projection } from '../../read-models/projection.js';
import { isPersonalMember } from '../personal/personal-members.js';

/** Times are epoch milliseconds, JSON is its text. */
export type Cell = string | number | boolean | null;

export interface FileColumn extends Column {
  valueIn(stored: StoredRow): Cell;
}

const FIRST: readonly FileColumn[] = [
  ofRow('id', 'text', 'Names the row: the id of what it is about.', ({ id }) => id),
  ofRow('project_id', 'text', 'The project that it belongs to; null where it belongs to the installation.', ({ projectId }) =>
    projectId === INSTALLATION ? null : projectId,
  ),
  ofRow('created_at', 'time', 'When it was created.', ({ createdAt }) => createdAt),
];

const LAST: readonly FileColumn[] = [
  ofRow('deleted', 'boolean', 'Whether it has left the lists.', ({ deleted }) => deleted),
  ofRow('position', 'text', 'The position in the log of the last event that changed it.', ({ position }) => position),
];

/** The columns of a projection's files, in their order: what every row has, around its members. */
export function columnsOf({ columns, categories }: Projection): readonly FileColumn[] {
  const members = Object.entries(columns as Readonly<Record<string, MemberColumn | LeftOut>>).flatMap(([member, column]) =>
    'leftOut' in column ? [] : [ofMember(member, column, categories)],
  );
  const named = (name: string) => members.find((column) => column.name === name);
  const first = FIRST.map((column) => named(column.name) ?? column);
  return [...first, ...members.filter((column) => !first.includes(column)), ...LAST];
}

/** The columns that are members of the row, with the members' own names. */
export function memberColumnsOf({ columns }: Projection): readonly { readonly name: string; readonly member: string }[] {
  const members = Object.entries(columns as Readonly<Record<string, MemberColumn | LeftOut>>);
  return members.flatMap(([member, column]) =>
    'leftOut' in column ? [] : [{ name: column.name ?? inSnakeCase(member), member }],
  );
}

/** As readers see them. */
export function describedColumns(projection: Projection): readonly Column[] {
  return columnsOf(projection).map(({ valueIn: _, ...column }) => column);
}

function ofRow(name: string, type: Column['type'], meaning: string, valueIn: FileColumn['valueIn']): FileColumn {
  return { name, type, unit: null, meaning, personal: false, valueIn };
}

function ofMember(member: string, column: MemberColumn, categories: readonly string[]): FileColumn {
  const { type, meaning, unit, name } = column;
  return {
    name: name ?? inSnakeCase(member),
    type,
    unit: unit ?? null,
    meaning,
    personal: isPersonalMember(member, categories),
    valueIn: ({ row }) => cellOf((row as Readonly<Record<string, unknown>>)[member], column),
  };
}

/** A member that a row of an earlier version lacks is null. */
function cellOf(value: unknown, column: MemberColumn): Cell {
  if (value === undefined || value === null) return null;
  const told = column.told ? column.told(value) : value;
  return typeof told === 'object' ? JSON.stringify(told) : (told as Cell);
}

function inSnakeCase(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
