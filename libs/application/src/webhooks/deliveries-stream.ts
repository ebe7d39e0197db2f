export function deliveriesStream(eventId: string): string {
  return `deliveries-${eventId}`;
}
