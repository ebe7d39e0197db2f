import { SlotRing, SlotWindow } from './slot-ring.js';

const MINUTES = new SlotRing('minute', 60_000, 60);
/** Thirty days: spans of six hours and of days are made of hours. */
const HOURS = new SlotRing('hour', 3_600_000, 720);

/** What an owner has a slot in for each thing that is counted. */
export const STATS_RINGS = [MINUTES, HOURS] as const;

export const STATS_WINDOWS = ['1h', '24h', '7d', '30d'] as const;
export type StatsWindow = (typeof STATS_WINDOWS)[number];

export const WINDOW_SLOTS: Readonly<Record<StatsWindow, SlotWindow>> = {
  '1h': new SlotWindow(MINUTES, 1, 60),
  '24h': new SlotWindow(HOURS, 1, 24),
  '7d': new SlotWindow(HOURS, 6, 28),
  '30d': new SlotWindow(HOURS, 24, 30),
};
