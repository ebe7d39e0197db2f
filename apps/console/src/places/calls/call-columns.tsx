import type { components } from '../../api/admin-api.js';
import { IdLink } from '../../parts/id-link.js';
import type { Column } from '../../parts/list.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { formatDuration, Time } from '../../parts/time.js';
import { WORDS } from './texts.js';

export type Call = components['schemas']['SessionResource'];

const { labels } = WORDS;

export const OUTCOMES = [
  'appointment_booked',
  'appointment_changed',
  'appointment_cancelled',
  'no_action',
  'handed_off',
  'failed',
] as const;

export const CALL_COLUMNS: readonly Column<Call>[] = [
  { label: labels.id, cell: ({ id }) => <IdLink id={id} /> },
  { label: labels.status, cell: ({ status }) => <Status status={status} /> },
  { label: labels.direction, cell: ({ direction }) => direction },
  { label: labels.from, cell: ({ from }) => <Foreign text={from} /> },
  { label: labels.to, cell: ({ to }) => <Foreign text={to} /> },
  { label: labels.outcome, cell: ({ outcome }) => outcome?.replaceAll('_', ' ') ?? '–' },
  { label: labels.started, cell: ({ started_at: at }) => <Time at={at} /> },
  { label: labels.duration, cell: (call) => durationOf(call), isNumber: true },
];

export function durationOf({ duration_seconds: seconds }: Call): string {
  return formatDuration(seconds === null ? null : seconds * 1_000);
}
