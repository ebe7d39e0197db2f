export function sessionStream(sessionId: string): string {
  return `session-${sessionId}`;
}
