/** The text that each fault replaces, and the loader's complaint. */
export const PLANTED_FAULTS = [
  { name: 'a misspelt key', sound: 'stop_grace_period:', faulty: 'stop_grace_time:', complaint: /stop_grace_time/ },
  { name: 'a condition that there is not', sound: 'service_healthy', faulty: 'service_ready', complaint: /condition/ },
  {
    name: 'a service in depends_on that there is not',
    sound: 'mongodb: { condition',
    faulty: 'mongo: { condition',
    complaint: /undefined service "mongo"/,
  },
  {
    name: 'a volume that there is not',
    sound: "'kafka-data:",
    faulty: "'kafka-files:",
    complaint: /undefined volume kafka-files/,
  },
  {
    name: 'a required variable that nobody sets',
    sound: '${SECRETS_KEY:?',
    faulty: '${SECRET_KEY:?',
    complaint: /required variable SECRET_KEY is missing/,
  },
];

export function planted(text, { sound, faulty }) {
  if (!text.includes(sound)) throw new Error(`There is no "${sound}" to plant a fault at.`);
  return text.replace(sound, faulty);
}
