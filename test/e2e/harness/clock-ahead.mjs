// Preloaded into a service: sets its clock ahead by CLOCK_AHEAD_MS.
const { now } = Date;
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);

Date.now = () => now() + ahead;
