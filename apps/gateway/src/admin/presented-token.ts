import type { IncomingHttpHeaders } from 'node:http';
import { bearerOf } from '../http/pipeline/authentication.step.js';

export const SESSION_COOKIE = '__Host-admin_session';

export interface PresentedToken {
  readonly token: string | null;
  readonly byCookie: boolean;
}

/** With an `Authorization` header the cookie is ignored, even if the header is invalid. */
export function presentedToken(headers: IncomingHttpHeaders): PresentedToken {
  if (headers.authorization !== undefined) return { token: bearerOf(headers), byCookie: false };
  return { token: cookieValue(headers.cookie ?? ''), byCookie: true };
}

/** `Set-Cookie` for a session of so many seconds; 0 deletes it. The prefix `__Host-` requires `Secure` and `Path=/`. */
export function sessionCookie(token: string, seconds: number): string {
  return `${SESSION_COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`;
}

function cookieValue(header: string): string | null {
  for (const pair of header.split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === SESSION_COOKIE && value !== undefined) return value;
  }
  return null;
}
