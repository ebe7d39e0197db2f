/** The share of their full size that tests of many events have. */
const SHARE = Number(process.env['E2E_SIZE'] ?? '0.1');

/** Limits of such a step and of such a test, which only end what hangs. */
export const STEP_MS = 600_000;
export const TEST_MS = 3 * STEP_MS;

/** This many at full size, fewer otherwise. */
export function sized(count: number): number {
  return Math.round(count * SHARE);
}
