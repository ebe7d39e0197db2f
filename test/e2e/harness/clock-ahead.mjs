// Loaded into a service before its own code: its clock is ahead of the machine's by so much.
const { now } = Date;
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);

Date.now = () => now() + ahead;
