import type { IncomingHttpHeaders } from 'node:http';
import { bearerOf } from '../http/pipeline/bearer.js';

const SESSION_COOKIE = '__Host-admin_session';

/** The session a request claims, and whether a browser sent it unasked. */
export interface PresentedToken {
  readonly token: string | null;
  readonly byCookie: boolean;
}

/** An `Authorization` header counts alone: a bad one is not saved by a good cookie. */
export function presentedToken(headers: IncomingHttpHeaders): PresentedToken {
  if (headers.authorization !== undefined) return { token: bearerOf(headers), byCookie: false };
  return { token: cookieValue(headers.cookie ?? ''), byCookie: true };
}

/** `Set-Cookie` for a session; a lapsed one when it ends. Without `Secure` and `Path=/` browsers refuse the prefix. */
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
